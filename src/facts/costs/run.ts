import { dayOf } from '../../kit/time/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import {
  composeByAccount,
  composeByRegion,
  composeByService,
  composeByTag,
  composeDaily,
  composeSummary,
  composeTrend,
  subAccountKey,
  type AnswerFacts,
} from './compose.ts';
import type { CostAnswer } from './graphql-types.ts';
import {
  answering,
  readCaveats,
  prepare,
  readLedger,
  requireVirtualTags,
  type Caller,
  type CostDeps,
  type Prepared,
} from './ledger.ts';
import { resolveQuestion, type CostQuestion, type CostRequest, type View } from './question.ts';
import { readSubAccountNames } from './reading/labels.ts';
import { readCells } from './reading/read.ts';

/** Resolves a request and reads the versions it depends on, in one query.
 *  @throws {AppError} VALIDATION_ERROR for invalid parameters */
export async function prepareCosts(
  { pool, clock }: Pick<CostDeps, 'pool' | 'clock'>,
  scope: OrgScope,
  request: CostRequest,
): Promise<Prepared<CostQuestion>> {
  const question = resolveQuestion(request, dayOf(clock.now()));
  const ledger = await readLedger(pool, scope);
  requireVirtualTags(ledger, question.query, 'tag_key');
  return prepare(ledger, question);
}

/** Creates the function that answers a view. It throws a VALIDATION_ERROR for invalid parameters. */
function view<Answer extends CostAnswer>(
  name: View,
  compose: (facts: AnswerFacts, signal: AbortSignal) => Answer | Promise<Answer>,
) {
  const answer = answering(async (deps, prepared: Prepared<CostQuestion>, signal) =>
    compose(await readFacts(deps, prepared, signal), signal),
  );
  return async (deps: CostDeps, scope: OrgScope, args: Omit<CostRequest, 'view'>, caller: Caller = {}) =>
    answer(deps, scope, resolveQuestion({ ...args, view: name }, dayOf(deps.clock.now())), caller);
}

async function readFacts(deps: CostDeps, prepared: Prepared<CostQuestion>, signal: AbortSignal): Promise<AnswerFacts> {
  const { question, ledger, accounts } = prepared;
  const slice = { ...ledger, accountIds: accounts.map((account) => account.id) };
  const { query } = question;
  const [cells, caveats, subAccountNames] = await Promise.all([
    readCells(deps, slice, query, signal),
    readCaveats(deps.pool, slice, query, query.range),
    question.view === 'by-account' ? readSubAccountNames(deps.pool, slice, subAccountKey) : new Map<string, string>(),
  ]);
  return { ...prepared, ...caveats, cells, subAccountNames };
}

/** Total spend per day or month. */
export const costsSummary = view('summary', composeSummary);
/** Spend by service. */
export const costsByService = view('by-service', composeByService);
/** Spend by account and sub-account. */
export const costsByAccount = view('by-account', composeByAccount);
/** Spend by region. */
export const costsByRegion = view('by-region', composeByRegion);
/** Spend by the values of a tag key. */
export const costsByTag = view('by-tag', composeByTag);
/** Spend per day, optionally split by a dimension. */
export const costsDaily = view('daily', composeDaily);
/** Spend per month with the change from the previous month. */
export const costsTrend = view('trend', composeTrend);
