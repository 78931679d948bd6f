import type { Deps } from '../../../kit/deps.ts';
import type { Amount } from '../../../kit/money.ts';
import type { Day, DayRange } from '../../../kit/time/period.ts';
import { AnswerCache } from '../../../kit/answer-cache.ts';
import { amountsBy, convertedOf, costOf, unconvertedBy, unconvertedOf, type CostCell } from '../cells.ts';
import { completeThrough } from '../compose.ts';
import { filtersOf, type Bucket, type CostMetric, type CostQuery, type TagFilter } from '../query.ts';
import { readCells } from '../reading/read.ts';
import { readCaveats, prepare, type Caveats, type Ledger } from '../ledger.ts';

/** Dependencies of exact answers. */
export type ExactDeps = Pick<Deps, 'pool' | 'engine'>;

/** A question whose answer is compared rather than displayed, so nothing is rounded. Null lists do not filter. */
export interface ExactRequest {
  /** Charge days, half-open. */
  readonly range: DayRange;
  /** ISO 4217: currency of the answer. */
  readonly currency: string;
  readonly costMetric: CostMetric;
  readonly accountIds: readonly string[] | null;
  readonly providers: readonly string[] | null;
  readonly services: readonly string[] | null;
  readonly subAccountIds?: readonly string[] | null;
  readonly tag?: TagFilter | null;
}

/** Fields common to all exact answers. */
interface ExactAnswer extends Caveats {
  /** Exact costs without an exchange rate, by their currency. Not included in any other figure. */
  readonly unconverted: ReadonlyMap<string, Amount>;
  /** Last day for which the bills of all used accounts are complete; null without any. */
  readonly completeThrough: Day | null;
}

/** Exact cost. */
export interface ExactSpend extends ExactAnswer {
  readonly amount: Amount;
}

/** Exact cost per day. Days without charges are absent. */
export interface ExactDays extends ExactAnswer {
  readonly days: ReadonlyMap<Day, Amount>;
  /** The costs of `unconverted` by day, then currency. */
  readonly unconvertedDays: ReadonlyMap<Day, ReadonlyMap<string, Amount>>;
}

interface Read extends Caveats {
  readonly cells: readonly CostCell[];
}

const cache = new AnswerCache<Read>();

/** Returns the exact cost in the ledger's scope, in the request's currency. */
export async function exactSpendOf(deps: ExactDeps, ledger: Ledger, request: ExactRequest): Promise<ExactSpend> {
  const { cells, ...rest } = await answer(deps, ledger, request, 'none');
  return { ...rest, amount: costOf(convertedOf(cells)) };
}

/** Returns the exact cost per day in the ledger's scope, in the request's currency. */
export async function exactDaysOf(deps: ExactDeps, ledger: Ledger, request: ExactRequest): Promise<ExactDays> {
  const { cells, ...rest } = await answer(deps, ledger, request, 'day');
  const days = amountsBy(convertedOf(cells), ({ period }) => period);
  return { ...rest, days, unconvertedDays: unconvertedBy(cells, ({ period }) => period ?? request.range.start) };
}

async function answer(
  deps: ExactDeps,
  ledger: Ledger,
  request: ExactRequest,
  bucket: Bucket,
): Promise<ExactAnswer & Read> {
  const asked = prepare({ ...ledger, currency: request.currency }, { query: exactQuery(request, bucket) });
  const slice = { ...asked.ledger, accountIds: asked.accounts.map(({ id }) => id) };
  const read = async (): Promise<Read> => {
    const [cells, caveats] = await Promise.all([
      readCells(deps, slice, asked.question.query),
      readCaveats(deps.pool, slice, asked.question.query, request.range),
    ]);
    return { cells, ...caveats };
  };
  const facts = await cache.get(deps.pool, asked.key, read);
  return {
    ...facts,
    unconverted: unconvertedOf(facts.cells),
    completeThrough: completeThrough(asked.accounts, request.range),
  };
}

/** Builds the cost query of an exact request. */
export function exactQuery(request: Omit<ExactRequest, 'currency'>, bucket: Bucket): CostQuery {
  const { range, costMetric, accountIds, providers, services, subAccountIds = null, tag } = request;
  const lists = { account: accountIds, provider: providers, service: services, sub_account: subAccountIds };
  const filters = filtersOf(lists, tag);
  return { range, costMetric, bucket, dimensions: [], ...filters };
}
