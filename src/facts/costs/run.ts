import type { Deps } from '../../kit/deps.ts';
import { dayOf } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { AnswerFacts, CostAnswer } from './answer.ts';
import {
  composeByAccount,
  composeByRegion,
  composeByService,
  composeByTag,
  composeDaily,
  composeSummary,
  composeTrend,
} from './compose.ts';
import { AnswerCache, answerKey } from './cache.ts';
import { subAccountKey } from './compose.ts';
import { readSubAccountNames } from './reading/labels.ts';
import type { CostArgs, CostQuestion, CostRequest, DailyGroup, Granularity } from './question.ts';
import { queryOf, resolveQuestion } from './question.ts';
import { readCells } from './reading/read.ts';
import type { CostAccount, Ledger } from './store.ts';
import { readLedger } from './store.ts';

/** What cost answers need of the outside world. */
export type CostDeps = Pick<Deps, 'pool' | 'clock' | 'engine'>;

/** A resolved question and the versions of everything it will be answered from. */
export interface PreparedCosts {
  readonly question: CostQuestion;
  readonly ledger: Ledger;
  /** The accounts in the caller's scope and question. */
  readonly accounts: readonly CostAccount[];
  /** Equal keys have equal answers: the cache goes by it, and it is the ETag. */
  readonly key: string;
}

/** Resolves a request and reads the versions it stands on, in one query.
 *  @throws {AppError} VALIDATION_ERROR when the request cannot be asked */
export async function prepareCosts(
  deps: Pick<CostDeps, 'pool' | 'clock'>,
  scope: OrgScope,
  request: CostRequest,
): Promise<PreparedCosts> {
  const question = resolveQuestion(request, dayOf(deps.clock.now()));
  const ledger = await readLedger(deps.pool, scope);
  // An id outside the scope is dropped here, so that nothing later can tell it from one that never existed.
  const asked = question.accountIds === null ? null : new Set(question.accountIds);
  const accounts = ledger.accounts.filter((account) => asked === null || asked.has(account.id));
  return { question, ledger, accounts, key: answerKey(question, ledger, accounts) };
}

/** Makes the two ways to one view's answer: from a request, and from what was prepared from one. */
function view<Answer extends CostAnswer>(compose: (facts: AnswerFacts) => Answer) {
  const cache = new AnswerCache<Answer>();
  return async (deps: CostDeps, prepared: PreparedCosts, signal?: AbortSignal): Promise<Answer> =>
    cache.get(deps.pool, prepared.key, async (shared) => compose(await readFacts(deps, prepared, shared)), signal);
}

async function readFacts(deps: CostDeps, prepared: PreparedCosts, signal: AbortSignal): Promise<AnswerFacts> {
  const { question, ledger, accounts } = prepared;
  const books = { ...ledger, accountIds: accounts.map((account) => account.id) };
  const query = queryOf(question);
  const [cells, subAccountNames] = await Promise.all([
    readCells(deps, books, query, signal),
    question.view === 'by-account' ? readSubAccountNames(deps.pool, books, subAccountKey) : new Map<string, string>(),
  ]);
  return { question, query, ledger, accounts, cells, subAccountNames };
}

/** The answer of each view to a prepared question of that view. */
export const costAnswers = {
  summary: view(composeSummary),
  byService: view(composeByService),
  byAccount: view(composeByAccount),
  byRegion: view(composeByRegion),
  byTag: view(composeByTag),
  daily: view(composeDaily),
  trend: view(composeTrend),
} as const;

/** Total spend per day or month.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsSummary(
  deps: CostDeps,
  scope: OrgScope,
  args: CostArgs & { granularity?: Granularity | null },
) {
  return costAnswers.summary(deps, await prepareCosts(deps, scope, { ...args, view: 'summary' }));
}

/** Spend by service.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsByService(deps: CostDeps, scope: OrgScope, args: CostArgs) {
  return costAnswers.byService(deps, await prepareCosts(deps, scope, { ...args, view: 'by-service' }));
}

/** Spend by account and sub-account.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsByAccount(deps: CostDeps, scope: OrgScope, args: CostArgs) {
  return costAnswers.byAccount(deps, await prepareCosts(deps, scope, { ...args, view: 'by-account' }));
}

/** Spend by region.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsByRegion(deps: CostDeps, scope: OrgScope, args: CostArgs) {
  return costAnswers.byRegion(deps, await prepareCosts(deps, scope, { ...args, view: 'by-region' }));
}

/** Spend by the values of a tag key.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsByTag(deps: CostDeps, scope: OrgScope, args: CostArgs) {
  return costAnswers.byTag(deps, await prepareCosts(deps, scope, { ...args, view: 'by-tag' }));
}

/** Spend per day, split by a dimension when asked.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsDaily(deps: CostDeps, scope: OrgScope, args: CostArgs & { groupBy?: DailyGroup | null }) {
  return costAnswers.daily(deps, await prepareCosts(deps, scope, { ...args, view: 'daily' }));
}

/** Spend per month with the change from the month before.
 *  @throws {AppError} VALIDATION_ERROR when the parameters cannot be asked */
export async function costsTrend(deps: CostDeps, scope: OrgScope, args: CostArgs) {
  return costAnswers.trend(deps, await prepareCosts(deps, scope, { ...args, view: 'trend' }));
}
