import type { Pool } from 'pg';
import { grainCodes, rollups } from '../../../engine/codebook.ts';
import type { FactEngine } from '../../../engine/engine.ts';
import { openFacts, type FactSet } from '../../../engine/fact-set.ts';
import type { Deps } from '../../../kit/deps.ts';
import { amountText, parseAmount } from '../../../kit/money.ts';
import { compare } from '../../../kit/sort.ts';
import { addDays, daysBetween, laterDay, type Day } from '../../../kit/time/period.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import { lastYearDays } from '../detection/recurrence.ts';

/** Daily cost of one service of an account, in one currency. */
export interface ServiceSeries {
  /** Provider slug. */
  readonly provider: string;
  /** FOCUS ServiceName. */
  readonly service: string;
  /** ISO 4217: billing currency. */
  readonly currency: string;
  /** Exact decimals since the first day of `AccountUsage`; null on days without any data of the account, and on those before
   *  the first cost on which the service had costs in another currency. */
  readonly costs: readonly (string | null)[];
}

/** An account's daily usage up to its last complete day. */
export interface AccountUsage {
  readonly accountId: string;
  /** Version of the account: increases with each load. */
  readonly version: number;
  /** First and last day. */
  readonly start: Day;
  readonly end: Day;
  /** The first day to learn from; earlier ones show the seasons of last year. */
  readonly learnFrom: Day;
  readonly series: readonly ServiceSeries[];
  /** The daily facts from `learnFrom` on. */
  readonly facts: FactSet;
}

/** Days that each evaluation checks for anomalies. */
export const evaluatedDays = 182;
/** Earlier days that the detector learns from: it remembers drops for half a year, monthly charges for four months. */
export const learningDays = 205;

/** Matches services that do not count as usage. Usage is EffectiveCost without taxes, credits, purchases, corrections and
 *  marketplace sales. */
const notUsage = '%marketplace%';

/** Reads an account's usage; null before its first complete day, and once it is gone. */
export async function readSeries(
  { pool, engine }: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
): Promise<AccountUsage | null> {
  const account = await readAccount(pool, scope, accountId);
  if (account === null) return null;
  const { since, through: end, version } = account;
  const evaluatedFrom = addDays(end, 1 - evaluatedDays);
  const start = laterDay(since, addDays(evaluatedFrom, -lastYearDays));
  const learnFrom = laterDay(since, addDays(evaluatedFrom, -learningDays));
  const range = [scope.organizationId, accountId, start, end];
  const known = await readKnownDays(pool, range);
  const period = { start: learnFrom, end: addDays(end, 1) };
  const facts = await openFacts(pool, scope, { accountIds: [accountId], ...period, grain: 'day' });
  const costs = withoutCorrections(await readDailyCosts(pool, range), await readCorrections(engine, facts));
  return { accountId, version, start, end, learnFrom, series: seriesOf(costs, { start, end, known }), facts };
}

interface AccountRow {
  readonly version: number;
  readonly since: Day;
  readonly through: Day;
}

async function readAccount(pool: Pool, scope: OrgScope, accountId: string): Promise<AccountRow | null> {
  const { rows } = await pool.query<AccountRow>(
    `/* readSeries */ SELECT version, data_from::text AS since, complete_through::text AS through FROM accounts
     WHERE organization_id = $1 AND id = $2 AND data_from <= complete_through`,
    [scope.organizationId, accountId],
  );
  return rows[0] ?? null;
}

/** Reads the days with charges of the account: any other day is a gap in its bills, not a day without cost. */
async function readKnownDays(pool: Pool, range: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ day: string }>(
    `/* readKnownDays */ SELECT DISTINCT date::text AS day FROM cost_rollups WHERE organization_id = $1 AND account_id = $2
     AND rollup = ${rollups.total.code} AND grain = ${grainCodes.day} AND date BETWEEN $3 AND $4`,
    [...range],
  );
  return new Set(rows.map(({ day }) => day));
}

interface DailyCost {
  readonly provider: string;
  readonly service: string;
  readonly currency: string;
  readonly day: Day;
  readonly cost: string;
}

async function readDailyCosts(pool: Pool, range: readonly string[]): Promise<DailyCost[]> {
  const { rows } = await pool.query<DailyCost>(
    `/* readDailyCosts */ SELECT s.provider, s.name AS service, c.currency, c.date::text AS day, sum(c.effective)::text AS cost
     FROM cost_rollups c JOIN services s ON s.organization_id = $1 AND s.account_id = $2 AND s.id = c.service_id
     WHERE c.organization_id = $1 AND c.account_id = $2 AND c.rollup = ${rollups.service.code} AND c.grain = ${grainCodes.day}
       AND c.date BETWEEN $3 AND $4 AND c.charge_category = 1 AND s.name NOT ILIKE $5 GROUP BY 1, 2, 3, 4`,
    [...range, notUsage],
  );
  return rows;
}

/** Reads the amounts by which corrections of earlier billing months changed each day: few charges, so most row groups are
 *  skipped. */
async function readCorrections(engine: FactEngine, facts: FactSet): Promise<DailyCost[]> {
  return engine.rows<DailyCost>(facts, {
    name: 'readCorrections',
    sql: `SELECT x_Provider AS provider, ServiceName AS service, BillingCurrency AS currency,
        ChargePeriodStart::DATE AS day, sum(EffectiveCost) AS cost
      FROM facts WHERE ChargeClass = 'Correction' AND ChargeCategory = 'Usage' GROUP BY ALL`,
    lane: 'job',
  });
}

function withoutCorrections(costs: readonly DailyCost[], corrections: readonly DailyCost[]): readonly DailyCost[] {
  if (corrections.length === 0) return costs;
  const keyOf = ({ provider, service, currency, day }: DailyCost) => JSON.stringify([provider, service, currency, day]);
  const corrected = new Map(corrections.map((each) => [keyOf(each), parseAmount(each.cost)]));
  return costs.map((each) => {
    const correction = corrected.get(keyOf(each));
    return correction === undefined ? each : { ...each, cost: amountText(parseAmount(each.cost) - correction) };
  });
}

interface Span {
  readonly start: Day;
  readonly end: Day;
  readonly known: ReadonlySet<string>;
}

function seriesOf(rows: readonly DailyCost[], { start, end, known }: Span): ServiceSeries[] {
  const days = daysBetween(start, end) + 1;
  const empty: readonly (string | null)[] = Array.from({ length: days }, (_, index) =>
    known.has(addDays(start, index)) ? '0' : null,
  );
  const services = Map.groupBy(rows, (row) => JSON.stringify([row.provider, row.service]));
  return [...services].sort(byKey).flatMap(([, all]) =>
    [...Map.groupBy(all, (row) => row.currency)].sort(byKey).flatMap(([currency, own]) => {
      const [first] = own.toSorted((a, b) => compare(a.day, b.day));
      if (first === undefined) return [];
      const costs = [...empty];
      // What it cost in another currency before is not comparable, but it is not 0.
      for (const { day } of all) if (day < first.day) costs[daysBetween(start, day)] = null;
      for (const { day, cost } of own) costs[daysBetween(start, day)] = cost;
      return [{ provider: first.provider, service: first.service, currency, costs }];
    }),
  );
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
