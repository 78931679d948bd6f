import type { Day, DayRange } from '../../kit/period.ts';
import { addDays } from '../../kit/period.ts';
import { resolveQuestion, type CostQuestion } from '../costs/question.ts';
import type { CostAccount } from '../costs/store.ts';

/** What a client asks: the contract's parameters, by their GraphQL names. Absent and null mean the same. */
export interface CoverageArgs {
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  readonly accountId?: readonly string[] | null;
  readonly provider?: readonly string[] | null;
  readonly service?: readonly string[] | null;
  readonly region?: readonly string[] | null;
}

/** The daily history, in days. */
export const dailyDays = 90;
/** What the planner looks back on, in days: as far as AWS's own analysis does. */
export const plannerDays = 60;
const defaultDays = 30;

/** Resolves defaults and refuses what cannot be asked, as cost questions are. Without dates, the last 30 days that bills
 *  are complete for: later days would show less covered than there is.
 *  @param accounts those in the caller's scope
 *  @throws {AppError} VALIDATION_ERROR that names the parameter */
export function resolveCoverage(args: CoverageArgs, accounts: readonly CostAccount[], today: Day): CostQuestion {
  const question = resolveQuestion({ ...args, view: 'daily', costMetric: 'effective' }, today);
  const hasDates = (args.startDate ?? args.endDate ?? null) !== null;
  return hasDates ? question : { ...question, range: lastDays(defaultDays, asked(question, accounts), today) };
}

/** The accounts that are asked for. An id outside the scope is dropped, so that nothing later can tell it from one that
 *  never existed. */
export function asked(question: CostQuestion, accounts: readonly CostAccount[]): CostAccount[] {
  const ids = question.accountIds === null ? null : new Set(question.accountIds);
  return accounts.filter((account) => ids === null || ids.has(account.id));
}

/** So many days, up to the last one that the bills of any account are complete for; up to today, where none are. */
export function lastDays(days: number, accounts: readonly CostAccount[], today: Day): DayRange {
  const complete = accounts.flatMap((account) => account.completeThrough ?? []).sort();
  const end = addDays(complete.at(-1) ?? today, 1);
  return { start: addDays(end, -days), end };
}
