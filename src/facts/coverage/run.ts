import type { Deps } from '../../kit/deps.ts';
import { addDays, dayOf, type Day, type DayRange } from '../../kit/period.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { AnswerCache, answerKey } from '../costs/cache.ts';
import type { CostQuestion } from '../costs/question.ts';
import { readLedger, type CostAccount, type Ledger } from '../costs/store.ts';
import type { Coverage, CoverageDaily, CoverageGap, CoveragePlanner } from './answer.ts';
import { composeCoverage, composeDaily, type CoverageFacts } from './compose.ts';
import { refreshCoverageDays, replaceFlagged } from './days-store.ts';
import { composeGaps, gapSortFields } from './gaps.ts';
import { currentRules } from './lines.ts';
import { composePlanner, expiringWithinDays } from './planner.ts';
import { asked, dailyDays, lastDays, plannerDays, resolveCoverage, type CoverageArgs } from './question.ts';
import { readCoverage, type Reading } from './store.ts';

/** Dependencies of answers on coverage. */
export type CoverageDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** A resolved question and the versions of everything it will be answered from. */
export interface PreparedCoverage {
  readonly scope: OrgScope;
  readonly question: CostQuestion;
  readonly ledger: Ledger;
  readonly accounts: readonly CostAccount[];
  /** Equal keys have equal answers: the cache goes by it, and it is the ETag. */
  readonly key: string;
}

/** Resolves a request of a range of days and reads the versions it stands on.
 *  @throws {AppError} VALIDATION_ERROR when the request cannot be asked */
export async function prepareCoverage(deps: CoverageDeps, scope: OrgScope, args: CoverageArgs) {
  return prepare(deps, scope, args, (accounts, today) => resolveCoverage(args, accounts, today).range);
}

/** As `prepareCoverage`, for the history of days that needs no dates.
 *  @throws {AppError} VALIDATION_ERROR when the request cannot be asked */
export async function prepareHistory(deps: CoverageDeps, scope: OrgScope, args: CoverageArgs) {
  return prepare(deps, scope, args, (accounts, today) => lastDays(dailyDays, accounts, today));
}

async function prepare(
  deps: CoverageDeps,
  scope: OrgScope,
  args: CoverageArgs,
  rangeOf: (accounts: readonly CostAccount[], today: Day) => DayRange,
): Promise<PreparedCoverage> {
  const today = dayOf(deps.clock.now());
  const ledger = await readLedger(deps.pool, scope);
  const resolved = resolveCoverage(args, ledger.accounts, today);
  const accounts = asked(resolved, ledger.accounts);
  const question = { ...resolved, range: rangeOf(accounts, today) };
  return { scope, question, ledger, accounts, key: `${answerKey(question, ledger, accounts)}-${currentRules}` };
}

async function factsOf(deps: CoverageDeps, prepared: PreparedCoverage, reading: Reading): Promise<CoverageFacts> {
  const { scope, question, ledger, accounts } = prepared;
  const { organizationId, currency } = ledger;
  const books = { organizationId, currency, accountIds: accounts.map(({ id }) => id) };
  const cells = accounts.length === 0 ? [] : await readCoverage(deps, { scope, books, filter: question, reading });
  return { range: question.range, ledger, accounts, cells };
}

const splits = new AnswerCache<Coverage>();
const histories = new AnswerCache<CoverageDaily>();
const gapLists = new AnswerCache<readonly CoverageGap[]>();

/** How spend is split, and how much of what commitments can cover they do. */
export async function readSplit(deps: CoverageDeps, prepared: PreparedCoverage): Promise<Coverage> {
  return splits.get(deps.pool, prepared.key, async () =>
    composeCoverage(await factsOf(deps, prepared, { grouping: 'split' })),
  );
}

/** The split of each of the last 90 days. */
export async function readDaily(deps: CoverageDeps, prepared: PreparedCoverage): Promise<CoverageDaily> {
  return histories.get(deps.pool, prepared.key, async () =>
    composeDaily(await factsOf(deps, prepared, { grouping: 'daily' })),
  );
}

/** A page of the services and regions whose usage commitments could cover, the largest saving first. */
export async function pageGaps(
  deps: CoverageDeps,
  prepared: PreparedCoverage,
  { sortBy, skip, take }: { sortBy: SortBy<typeof gapSortFields> | null | undefined; skip: number; take: number },
): Promise<{ rows: readonly CoverageGap[]; total: number }> {
  const sort = parseSort(sortBy, gapSortFields);
  const gaps = await gapLists.get(deps.pool, `${prepared.key}-${sort?.field}-${sort?.direction}`, async () =>
    composeGaps(await factsOf(deps, prepared, { grouping: 'gaps' }), sort),
  );
  return { rows: gaps.slice(skip, skip + take), total: gaps.length };
}

/** Commitments that would save money, after those that there are.
 *  @throws {AppError} VALIDATION_ERROR when the request cannot be asked */
export async function readPlanner(deps: CoverageDeps, scope: OrgScope, args: CoverageArgs): Promise<CoveragePlanner> {
  const today = dayOf(deps.clock.now());
  const prepared = await prepare(deps, scope, args, (accounts, day) => lastDays(plannerDays, accounts, day));
  const reading = { grouping: 'planner', expiringBy: addDays(today, expiringWithinDays) } as const;
  const facts = await factsOf(deps, prepared, reading);
  const flagged = await factsOf(deps, prepared, { ...reading, isFlagged: true });
  return composePlanner(facts, flagged.cells);
}

/** Marks resources of an account that are to be stopped or deleted: no commitment is planned for their on-demand usage.
 *  @param resourceIds ids (`idOf`), as decimal texts; resources marked before and not listed are unmarked */
export async function flagUsage(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
  resourceIds: readonly string[],
): Promise<void> {
  await replaceFlagged(deps, scope, accountId, { days: plannerDays, resourceIds });
}

/** Adds up an account's new loads for the answers above, which are the same without it, but slower.
 *  @returns how many billing months were added up */
export async function refreshCoverage(
  deps: Pick<Deps, 'pool' | 'engine'>,
  scope: OrgScope,
  accountId: string,
): Promise<number> {
  return refreshCoverageDays(deps, scope, accountId);
}
