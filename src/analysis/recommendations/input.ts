import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { parseProviders } from '../../facts/provider.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { parseDecimal } from '../../kit/money.ts';
import { wordFilter } from '../../kit/stored-word.ts';
import type { ReasonInput } from '../status-reason.ts';
import type { AssigneeFilter, ReadCondition, TriageInput } from '../triage.ts';
import { recommendationTypes } from './detectors/all.ts';

/** Filters of a list or summary; null means any. */
export interface FilterInput extends AssigneeFilter {
  status?: readonly RecommendationStatus[] | null;
  type?: readonly string[] | null;
  accountId?: readonly string[] | null;
  provider?: readonly string[] | null;
  resourceId?: string | null;
  minSavings?: number | null;
  includeSnoozed?: boolean | null;
}

/** Changes to recommendations: absent fields stay unchanged. */
export interface Changes extends ReasonInput, TriageInput {
  status?: RecommendationStatus | null;
  snoozedUntil?: Date | null;
  snoozeDays?: number | null;
}

/** Changes to a recommendation. */
export interface ChangeInput extends Changes, ReadCondition {
  id: string;
}

/** Bounds of the minimum savings filter. */
export const savingsRule = { minimum: -999_999_999_999_999, maximum: 999_999_999_999_999 } as const;
/** Bounds of a snooze in days. */
export const snoozeRule = { minimum: 1, maximum: 365 } as const;
const msPerDay = 86_400_000;

/** Parsed filters; null means any. */
export type RecommendationFilter = ReturnType<typeof filterOf>;

/** Parses the filters. An invalid id matches nothing. */
export function filterOf(input: FilterInput, now: Date) {
  const { status = null, minSavings = null, resourceId = null } = input;
  return {
    statuses: status,
    types: input.type ? wordFilter(recommendationTypes, input.type) : null,
    accountIds: input.accountId?.filter(isUuid) ?? null,
    providers: parseProviders(input.provider),
    assignees: input.assigneeId || input.unassigned === true ? input : null,
    /** Inventory ids. */
    resourceIds: resourceId === null ? null : [resourceId].filter(isUuid),
    /** Minimum monthly saving, decimal text in the organization's currency. */
    minSavings: minSavings === null ? null : parseSavings(minSavings),
    /** Time of the request; excludes recommendations snoozed then. Null: includes them. */
    awakeAt: input.includeSnoozed === true ? null : now,
  };
}

function parseSavings(value: number): string {
  if (Math.abs(value) > savingsRule.maximum) {
    const bound = savingsRule.maximum.toLocaleString('en-US');
    throw invalid`${arg('min_savings', value)} must be -${bound} to ${bound}`;
  }
  return parseDecimal(value, 'min_savings');
}

/** Returns when the snooze of a recommendation ends. Undefined: unchanged; null: now.
 *  @throws {AppError} VALIDATION_ERROR if both fields are given, or the time is not within a year */
export function snoozeOf({ snoozedUntil, snoozeDays }: Changes, now: Date): Date | null | undefined {
  if (snoozedUntil !== undefined && snoozeDays !== undefined && (snoozedUntil !== null || snoozeDays !== null))
    throw invalid`${arg('snoozed_until')} and ${mention('snooze_days')} cannot be combined${fix}leave one out`;
  if (snoozeDays !== undefined && snoozeDays !== null) {
    if (snoozeDays < snoozeRule.minimum || snoozeDays > snoozeRule.maximum)
      throw invalid`${arg('snooze_days', snoozeDays)} must be 1 to ${snoozeRule.maximum}`;
    return new Date(now.getTime() + snoozeDays * msPerDay);
  }
  if (snoozedUntil instanceof Date) {
    const last = new Date(now.getTime() + snoozeRule.maximum * msPerDay);
    if (snoozedUntil <= now || snoozedUntil > last)
      throw invalid`${arg('snoozed_until', snoozedUntil.toISOString())} must be later than now and at most ${snoozeRule.maximum} days ahead`;
    return snoozedUntil;
  }
  return snoozedUntil === null || snoozeDays === null ? null : undefined;
}
