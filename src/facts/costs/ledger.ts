import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { AnswerCache } from '../../kit/answer-cache.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid, notFound, operation } from '../../kit/errors/errors.ts';
import { firstDay, monthsIn, type Day, type DayRange, type Month } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { passes, withoutFilters, type CostQuery, type Filters } from './query.ts';
import { virtualKeysOf, virtualRollup, type LiveVirtualTags } from './reading/planner.ts';
import { ownership, run, type LedgerSlice } from './reading/sql.ts';
import { holdsIn, isProvisionalIn, monthlyRates } from '../currencies.ts';
import { grainCodes, rollups } from '../../engine/codebook.ts';

/** An account in the caller's scope, with the columns that cost answers depend on. */
export interface CostAccount {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly isConnected: boolean;
  /** First and last charge day; null before the first load. */
  readonly dataFrom: Day | null;
  readonly dataTo: Day | null;
  /** The last day that is complete at the provider. */
  readonly completeThrough: Day | null;
}

/** The organization and the accounts in the caller's scope. */
export interface Ledger {
  readonly scope: OrgScope;
  readonly organizationId: string;
  readonly currency: string;
  readonly ratesVersion: number;
  /** Whether the organization has any exchange rate. */
  readonly hasRates: boolean;
  readonly accounts: readonly CostAccount[];
  /** The enabled virtual tags. */
  readonly virtualTags: LiveVirtualTags;
}

/** Reads the ledger that every cost answer starts from, in one query.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function readLedger(pool: Pool, scope: OrgScope): Promise<Ledger> {
  const rows = await run<LedgerRow>(
    pool,
    Prisma.sql`/* costs: ledger */
SELECT o.currency, o.rates_version, v.virtual_tags, EXISTS (SELECT FROM exchange_rates x WHERE x.organization_id = o.id) AS has_rates, a.id, a.name, a.version, a.status = 'connected' AS is_connected,
  to_char(a.data_from, 'YYYY-MM-DD') AS data_from, to_char(a.data_to, 'YYYY-MM-DD') AS data_to,
  to_char(a.complete_through, 'YYYY-MM-DD') AS complete_through
FROM organizations o CROSS JOIN LATERAL (
  SELECT json_agg(json_build_object('id', id, 'key', key, 'slot', slot, 'revision', live_revision, 'splits', md5(concat(live->'splits', ' ', (
    SELECT string_agg(values_version::text, ' ' ORDER BY m.id) FROM unit_metrics m WHERE m.organization_id = o.id
      AND live->'splits' @> jsonb_build_array(jsonb_build_object('metricId', m.id))))))) AS virtual_tags
  FROM virtual_tags WHERE organization_id = o.id AND enabled
) v LEFT JOIN accounts a ON a.organization_id = o.id
  AND (${scope.accountIds}::uuid[] IS NULL OR a.id = ANY(${scope.accountIds}::uuid[]))
WHERE o.id = ${scope.organizationId} ORDER BY a.id`,
  );
  const organization = rows[0];
  if (organization === undefined) throw notFound('Organization', scope.organizationId);
  return {
    scope,
    organizationId: scope.organizationId,
    currency: organization.currency,
    ratesVersion: organization.rates_version,
    hasRates: organization.has_rates,
    accounts: rows.flatMap(accountOf),
    virtualTags: new Map(
      (organization.virtual_tags ?? []).map(({ key, slot, ...tag }) => [
        key,
        { ...tag, rollup: virtualRollup(slot, tag.revision) },
      ]),
    ),
  };
}

interface LedgerRow extends QueryResultRow {
  currency: string;
  rates_version: number;
  virtual_tags: { id: string; key: string; slot: number; revision: number; splits: string }[] | null;
  has_rates: boolean;
  id: string | null;
  name: string;
  version: number;
  is_connected: boolean;
  data_from: Day | null;
  data_to: Day | null;
  complete_through: Day | null;
}

function accountOf(row: LedgerRow): CostAccount[] {
  if (row.id === null) return [];
  return [
    {
      id: row.id,
      name: row.name,
      version: row.version,
      isConnected: row.is_connected,
      dataFrom: row.data_from,
      dataTo: row.data_to,
      completeThrough: row.complete_through,
    },
  ];
}

/** Dependencies of cost answers. */
export type CostDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** A resolved question with the versions of everything its answer depends on. */
export interface Prepared<Question> {
  readonly question: Question;
  readonly ledger: Ledger;
  /** The accounts that are in both the caller's scope and the question. */
  readonly accounts: readonly CostAccount[];
  /** Equal keys have equal answers: the cache key and the ETag. */
  readonly key: string;
}

/** Selects the accounts of a question. Ids outside the scope leave no trace, not even in the key, so that they are
 *  indistinguishable from ids that never existed. */
export function prepare<Question extends { readonly query: CostQuery; readonly includesShared?: boolean }>(
  ledger: Ledger,
  asked: Question,
): Prepared<Question> {
  const { organizationId, currency, ratesVersion } = ledger;
  const accounts = ledger.accounts.filter(({ id }) => passes(asked.query, 'account', id));
  const question = { ...asked, query: { ...asked.query, ...withoutFilters(asked.query, 'account') } };
  const virtualTags = virtualKeysOf(question.query).map((name) => [name, ledger.virtualTags.get(name) ?? null]);
  // Shared costs are split by the costs of all accounts in the scope, including those that the question leaves out.
  const sharing = asked.includesShared ? ledger.accounts : [];
  const parts = [organizationId, currency, ratesVersion, accounts, sharing, question, ...virtualTags];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);
  return { question, ledger, accounts, key };
}

/** Checks that the virtual tags of a query exist.
 *  @param parameter the parameter that names them, if it is one that also takes tags; null: named as in `costs`
 *  @throws {AppError} VALIDATION_ERROR naming the parameter */
export function requireVirtualTags(ledger: Ledger, query: CostQuery, parameter: string | null): void {
  for (const name of virtualKeysOf(query)) {
    if (ledger.virtualTags.has(name)) continue;
    const dimension = `virtual:${name}`;
    const isIn = (filters: CostQuery['include']) => filters.some((filter) => filter.dimension === dimension);
    const inFilter = isIn(query.include) ? 'virtual' : 'exclude_virtual';
    const isGroup = query.dimensions.some((each) => each === dimension);
    const at = parameter
      ? arg(parameter, dimension)
      : isGroup
        ? arg('group_by', dimension)
        : arg('filters', name, inFilter);
    throw invalid`${at} is not an enabled virtual tag of the organization${fix}use a key from ${operation('GET /virtual-tags')}`;
  }
}

/** The caller of an answer; a request context is one. */
export interface Caller {
  /** Called with the key before the answer is computed; throws if the client already has the answer. */
  readonly dependsOn?: ((key: string) => void) | undefined;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/** Creates the function that answers one kind of question and caches its answers.
 *  @param work its signal is aborted when no caller waits for the answer any longer */
export function answering<Question extends { readonly query: CostQuery }, Answer extends object>(
  work: (deps: CostDeps, prepared: Prepared<Question>, signal: AbortSignal) => Promise<Answer>,
) {
  const cache = new AnswerCache<Answer>();
  return async (
    deps: CostDeps,
    scope: OrgScope,
    question: Question,
    { dependsOn, signal }: Caller,
  ): Promise<Answer> => {
    const ledger = await readLedger(deps.pool, scope);
    requireVirtualTags(ledger, question.query, 'view' in question ? 'tag_key' : null);
    const prepared = prepare(ledger, question);
    dependsOn?.(prepared.key);
    return cache.get(deps.pool, prepared.key, (shared) => work(deps, prepared, shared), signal);
  };
}

/** Lists the days of a range without billing data: some account whose bills had begun by then has loaded neither the month
 *  nor a bill of another month that covers the day. */
export async function listMissingDays(
  pool: Pool,
  { organizationId }: Pick<Ledger, 'organizationId'>,
  accountIds: readonly string[],
  { start, end }: DayRange,
): Promise<Day[]> {
  const { rows } = await pool.query<{ day: Day }>(
    `/* costs: missing days */ WITH months AS MATERIALIZED (
  SELECT a.id, greatest(a.data_from, $3::date) AS first, month::date AS month
  FROM accounts a, generate_series(date_trunc('month', greatest(a.data_from, $3::date)::timestamp), $4::timestamp - interval '1 day', '1 month') month
  WHERE a.organization_id = $1 AND a.id = ANY($2) AND NOT EXISTS (SELECT FROM billing_periods b
    WHERE b.account_id = a.id AND b.organization_id = $1 AND b.period = month::date)
), days AS (
  SELECT id, day::date AS day FROM months,
    generate_series(greatest(month, first)::timestamp, least(month::timestamp + interval '1 month', $4::timestamp) - interval '1 day', '1 day') day
)
SELECT DISTINCT to_char(day, 'YYYY-MM-DD') AS day FROM days WHERE NOT EXISTS (SELECT FROM billing_periods b
  WHERE b.account_id = id AND b.organization_id = $1 AND b.period < $4 AND day BETWEEN b.data_from AND b.data_to)`,
    [organizationId, accountIds, start, end],
  );
  return rows.map(({ day }) => day);
}

/** A foreign currency whose charges of a month are converted at a rate that can still change: that of an earlier month, or the
 *  average of a month that has not ended. */
export interface ProvisionalRate {
  readonly currency: string;
  readonly month: Month;
  /** The month that the rate is of. */
  readonly rateMonth: Month;
}

/** Lists the months of ranges with a provisional rate, for the currencies in the bills of these accounts. */
export async function listProvisionalRates(
  pool: Pool,
  { organizationId, currency, accountIds, hasRates }: LedgerSlice & Pick<Ledger, 'hasRates'>,
  ...ranges: readonly DayRange[]
): Promise<ProvisionalRate[]> {
  if (!hasRates) return [];
  return run<ProvisionalRate & QueryResultRow>(
    pool,
    Prisma.sql`/* costs: provisional rates */ WITH known AS (
  SELECT DISTINCT currency, date AS month FROM cost_rollups
  WHERE ${ownership({ organizationId, accountIds })} AND rollup = ${rollups.total.code} AND grain = ${grainCodes.month}
  AND date = ANY(${ranges.flatMap(monthsIn).map(firstDay)}::date[]) AND currency <> ${currency}
)
SELECT known.currency, to_char(known.month, 'YYYY-MM') AS month, to_char(rates.since, 'YYYY-MM') AS "rateMonth"
FROM known JOIN ${monthlyRates(organizationId)} AS rates ON rates.currency = known.currency
  AND rates.to_currency = ${currency} AND ${holdsIn('rates', 'known.month')} AND ${isProvisionalIn('rates', 'known.month')}
ORDER BY known.currency, known.month`,
  );
}

/** A month without a bill of an account that has bills of months before and after it. */
export interface MissingBill {
  readonly month: Month;
  readonly accountId: string;
  readonly accountName: string;
}

/** Lists the missing bills of accounts in ranges. An account without bills in at least half of its months is not expected to have
 *  one each month.
 *  @param filters of the question; bills of a cloud that they exclude are not missing */
async function listMissingBills(
  pool: Pool,
  { organizationId, accountIds }: Pick<LedgerSlice, 'organizationId' | 'accountIds'>,
  filters: Filters,
  ...ranges: readonly DayRange[]
): Promise<MissingBill[]> {
  const clouds = (['aws', 'azure', 'gcp'] as const).filter((cloud) => passes(filters, 'provider', cloud));
  const months = [...new Set(ranges.flatMap(monthsIn))].map(firstDay);
  return run<MissingBill & QueryResultRow>(
    pool,
    Prisma.sql`/* costs: missing bills */ WITH billed AS (
  SELECT account_id, array_agg(period) AS periods, min(period) AS first, max(period) AS last
  FROM billing_periods WHERE ${ownership({ organizationId, accountIds })} GROUP BY account_id
)
SELECT to_char(month, 'YYYY-MM') AS month, a.id AS "accountId", a.name AS "accountName"
FROM billed JOIN accounts a ON a.id = billed.account_id AND a.organization_id = ${organizationId} AND a.provider = ANY(${[...clouds, 'focus']})
JOIN unnest(${months}::date[]) AS month ON month > first AND month < last AND month <> ALL(periods)
WHERE extract(year FROM age(last, first)) * 12 + extract(month FROM age(last, first)) + 1 < 2 * cardinality(periods)
ORDER BY month, a.name, a.id`,
  );
}

/** What the figures of an answer lack, or can still change. */
export interface Caveats {
  readonly provisionalRates: readonly ProvisionalRate[];
  readonly missingBills: readonly MissingBill[];
}

/** Reads the caveats of an answer about ranges.
 *  @param filters of the question */
export async function readCaveats(
  pool: Pool,
  slice: LedgerSlice & Pick<Ledger, 'hasRates'>,
  filters: Filters,
  ...ranges: readonly DayRange[]
): Promise<Caveats> {
  const [provisionalRates, missingBills] = await Promise.all([
    listProvisionalRates(pool, slice, ...ranges),
    listMissingBills(pool, slice, filters, ...ranges),
  ]);
  return { provisionalRates, missingBills };
}

/** Lists those of the currencies that have an exchange rate in any month. */
export async function listRatedCurrencies(
  pool: Pool,
  { organizationId, currency }: Pick<Ledger, 'organizationId' | 'currency'>,
  from: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ currency: string }>(
    `/* costs: rated currencies */ SELECT DISTINCT from_currency AS currency FROM exchange_rates
WHERE organization_id = $1 AND to_currency = $2 AND from_currency = ANY($3)`,
    [organizationId, currency, from],
  );
  return new Set(rows.map((row) => row.currency));
}
