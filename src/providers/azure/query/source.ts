import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { arg, fix, invalid, mention } from '../../../kit/errors/errors.ts';
import { mapConcurrently } from '../../../kit/process/limiter.ts';
import {
  addDays,
  addMonths,
  dayOf,
  firstDay,
  lastDay,
  type Month,
  monthAt,
  parseMonth,
} from '../../../kit/time/period.ts';
import { askedMonth, type CostSource, halfDay, type SourceFile } from '../../contract.ts';
import type { AzureSettings } from '../../spec.ts';
import { type CostQuery, type CostRow, queryCosts } from './query.ts';
import { type QueryCharge, focusCsv } from './charges.ts';
import { type AzureManagement, subscriptionNames } from '../request.ts';

/** Months to query before the current one, as many as the portal exports. */
const monthsBack = 13;

/** Concurrent probes: the user waits for them when connecting an account. */
const probesAtOnce = 5;

/** Source of Query API costs. */
export interface QueryPlace {
  readonly management: AzureManagement;
  readonly settings: AzureSettings;
  readonly now: () => Date;
}

const lacks =
  'No resources, tags or commitments: without an export, Azure has costs by day, subscription and service only; connect a ' +
  'FOCUS export (storage_account, container, prefix) to have them';

/** Reads costs from the Query API, one FOCUS file per month. Queries closed months once; the current month and the previous
 *  one, which Azure still corrects, at most twice per day. Listing sends no request. */
export function querySource(place: QueryPlace): CostSource {
  let names: ReadonlyMap<string, string> | null = null;
  return {
    isInPlace: false,
    list: async () => ({ files: filesOf(place.now()), memo: null, warnings: [lacks], isRecentOnly: true }),
    async fetch(file, folder, signal) {
      const month = parseMonth(file.month ?? '');
      if (month === null) throw new Error(`${file.key} was not listed`);
      const local = path.join(folder, `${randomUUID()}.csv`);
      const charges = await chargesOf(place, month, signal);
      names ??= await subscriptionNames(place.management, signal);
      const account = place.settings.billingScope?.toLowerCase() ?? '';
      await writeFile(local, focusCsv(charges, { month, account, names }), { mode: 0o600 });
      return local;
    },
  };
}

function filesOf(now: Date): SourceFile[] {
  return Array.from({ length: monthsBack + 1 }, (_, at) => {
    const month = addMonths(monthAt(now), at - monthsBack);
    return askedMonth(`query/${month}`, { month, token: at >= monthsBack - 1 ? halfDay(now) : 'closed' });
  });
}

async function chargesOf({ management, settings, now }: QueryPlace, month: Month, signal: AbortSignal) {
  const charges: QueryCharge[] = [];
  // Azure silently shifts dates in the future.
  const today = dayOf(now());
  const to = today < lastDay(month) ? today : lastDay(month);
  for (const scope of scopesOf(settings)) {
    const days = { scope, from: firstDay(month), to };
    const actual = await rowsOf(management, { ...days, type: 'ActualCost' }, signal);
    const amortized = await rowsOf(management, { ...days, type: 'AmortizedCost' }, signal);
    charges.push(...joined(scope, actual, amortized));
  }
  return charges;
}

/** Returns the billing scope, or each subscription; never both, which would count the same costs twice. */
function scopesOf({ billingScope, subscriptionIds }: AzureSettings): string[] {
  if (billingScope !== null) return [billingScope];
  if (subscriptionIds.length === 0)
    throw invalid`${arg('settings.subscription_ids')} or ${mention('settings.billing_scope')} is required: they select the costs to read`;
  return subscriptionIds.map((id) => `/subscriptions/${id.toLowerCase()}`);
}

type Days = Pick<CostQuery, 'scope' | 'type' | 'from' | 'to'>;

/** Queries the rows of a scope. A query has at most two group keys; a billing scope needs them for subscription and service, so
 *  it is queried once per charge type of the month. */
async function rowsOf(management: AzureManagement, days: Days, signal: AbortSignal): Promise<CostRow[]> {
  if (/^\/subscriptions\//i.test(days.scope))
    return queryCosts(management, { ...days, granularity: 'Daily', by: ['ServiceName', 'ChargeType'] }, signal);
  const kinds = await queryCosts(
    management,
    { ...days, granularity: 'None', by: ['ChargeType', 'PublisherType'] },
    signal,
  );
  const rows: CostRow[] = [];
  for (const chargeType of new Set(kinds.map(({ dimensions }) => dimensions['chargetype'] ?? ''))) {
    const found = await queryCosts(
      management,
      { ...days, granularity: 'Daily', by: ['SubscriptionId', 'ServiceName'], chargeType },
      signal,
    );
    rows.push(...found.map((row) => ({ ...row, dimensions: { ...row.dimensions, chargetype: chargeType } })));
  }
  return rows;
}

/** Joins both views of a day's charges into one row: actual cost as billed, amortized cost as effective. */
function joined(scope: string, actual: readonly CostRow[], amortized: readonly CostRow[]): QueryCharge[] {
  const charges = new Map<string, QueryCharge>();
  const add = (row: CostRow, side: 'billed' | 'effective', seen: Set<string>) => {
    const { day, dimensions } = row;
    const { chargetype = '', servicename = '', subscriptionid } = dimensions;
    if (day === null) throw invalid`Azure returned daily costs without days${fix}sync again`;
    const subscription = (subscriptionid ?? /^\/subscriptions\/(.+)$/i.exec(scope)?.[1] ?? '').toLowerCase();
    const known = { day, subscription, service: servicename, chargeType: chargetype, currency: row.currency };
    let key = JSON.stringify(known);
    // Azure distinguishes some groups that have the same name here; each keeps its own row.
    while (seen.has(key)) key += '+';
    seen.add(key);
    charges.set(key, { billed: '0', effective: '0', ...charges.get(key), ...known, [side]: row.cost });
  };
  const sides = [new Set<string>(), new Set<string>()] as const;
  for (const row of actual) add(row, 'billed', sides[0]);
  for (const row of amortized) add(row, 'effective', sides[1]);
  return [...charges.values()];
}

/** Checks access to costs, with a minimal query.
 *  @throws {AzureRefusal} naming scope and role */
export async function probeQuery({ management, settings, now }: QueryPlace, signal: AbortSignal): Promise<void> {
  const day = addDays(dayOf(now()), -1);
  const ask = (scope: string) =>
    queryCosts(
      management,
      { scope, type: 'ActualCost', from: day, to: day, granularity: 'None', by: ['ChargeType', 'PublisherType'] },
      signal,
    );
  await mapConcurrently(scopesOf(settings), probesAtOnce, ask);
}
