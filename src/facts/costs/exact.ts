import type { Deps } from '../../kit/deps.ts';
import { sumAmounts, type Amount } from '../../kit/money.ts';
import type { Day, DayRange } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache } from './cache.ts';
import { completeThrough } from './compose.ts';
import { prepare } from './prepared.ts';
import { filtersOf, type Bucket, type CostMetric, type CostQuery, type TagFilter } from './query.ts';
import { readCells } from './reading/read.ts';
import { readLedger, type Ledger } from './store.ts';

/** What exact answers need of the outside world. */
export type ExactDeps = Pick<Deps, 'pool' | 'engine'>;

/** A question whose answer is compared, not shown: nothing of it is rounded. Null lists do not filter. */
export interface ExactRequest {
  /** Charge days, half-open. */
  readonly range: DayRange;
  /** ISO 4217: what the answer is in. */
  readonly currency: string;
  readonly costMetric: CostMetric;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly tag?: TagFilter | null;
}

/** What every exact answer says beside its amounts. */
interface ExactAnswer {
  /** What has no exchange rate to the currency, exactly, by the currency that it is in. No other figure holds it. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** The last day up to which the bills of all accounts used are complete; null without any. */
  readonly completeThrough: Day | null;
}

/** What was spent, exactly. */
export interface ExactSpend extends ExactAnswer {
  readonly amount: Amount;
}

/** What was spent on each day, exactly. A day without charges is absent. */
export interface ExactDays extends ExactAnswer {
  readonly days: ReadonlyMap<Day, Amount>;
}

/** Cells as the cache can weigh them: period, currency without a rate, amount. */
type KeptCells = readonly (readonly [Day | null, string | null, string])[];

const cache = new AnswerCache<KeptCells>();

/** What was spent in the scope, in the currency of the request.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function exactSpend(deps: ExactDeps, scope: OrgScope, request: ExactRequest): Promise<ExactSpend> {
  return exactSpendOf(deps, await readLedger(deps.pool, scope), request);
}

/** As `exactSpend`, where the scope's ledger was read already. */
export async function exactSpendOf(deps: ExactDeps, ledger: Ledger, request: ExactRequest): Promise<ExactSpend> {
  const { cells, ...rest } = await answer(deps, ledger, request, 'none');
  return { ...rest, amount: sumAmounts(cells.map(([, amount]) => amount)) };
}

/** What was spent on each day in the scope of the ledger, in the currency of the request. */
export async function exactDaysOf(deps: ExactDeps, ledger: Ledger, request: ExactRequest): Promise<ExactDays> {
  const { cells, ...rest } = await answer(deps, ledger, request, 'day');
  const days = new Map<Day, Amount>();
  for (const [day, amount] of cells) if (day !== null) days.set(day, (days.get(day) ?? 0n) + amount);
  return { ...rest, days };
}

async function answer(
  deps: ExactDeps,
  ledger: Ledger,
  request: ExactRequest,
  bucket: Bucket,
): Promise<ExactAnswer & { cells: [Day | null, Amount][] }> {
  const prepared = prepare({ ...ledger, currency: request.currency }, { query: exactQuery(request, bucket) });
  const { question, accounts, key } = prepared;
  const kept = await cache.get(deps.pool, key, async () => {
    const books = { ...prepared.ledger, accountIds: accounts.map(({ id }) => id) };
    const cells = await readCells(deps, books, question.query);
    return cells.map((cell) => [cell.period, cell.unconverted, cell.cost.toString()] as const);
  });
  const unconverted = new Map<string, Amount>();
  const cells: [Day | null, Amount][] = [];
  for (const [day, currency, cost] of kept)
    if (currency === null) cells.push([day, BigInt(cost)]);
    else unconverted.set(currency, (unconverted.get(currency) ?? 0n) + BigInt(cost));
  return { cells, unconverted, completeThrough: completeThrough(accounts, request.range) };
}

/** What is read for an exact request. */
export function exactQuery(request: Omit<ExactRequest, 'currency'>, bucket: Bucket): CostQuery {
  const { range, costMetric, accountIds, providers, services, tag } = request;
  const filters = filtersOf({ account: accountIds, provider: providers, service: services }, tag);
  return { range, costMetric, bucket, dimensions: [], ...filters };
}
