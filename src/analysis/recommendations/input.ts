import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { arg, invalid, mention } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { RecommendationFilter } from './conditions.ts';

/** What a list or summary is asked for; null means any. */
export interface FilterInput {
  status?: readonly RecommendationStatus[] | null;
  type?: readonly string[] | null;
  accountId?: readonly string[] | null;
  provider?: readonly string[] | null;
  resourceId?: string | null;
  minSavings?: number | null;
  includeSnoozed?: boolean | null;
}

/** What changes of a recommendation; what is absent stays. */
export interface ChangeInput {
  id: string;
  status?: RecommendationStatus | null;
  statusReason?: string | null;
  /** The old name of `statusReason`. */
  reason?: string | null;
  snoozedUntil?: Date | null;
  snoozeDays?: number | null;
}

/** Bounds of the least savings asked for. */
export const savingsRule = { minimum: -999_999_999_999_999, maximum: 999_999_999_999_999 } as const;
/** Bounds of a snooze in days. */
export const snoozeRule = { minimum: 1, maximum: 365 } as const;
/** Bounds of a reason. */
export const reasonRule = { maxLength: 500 } as const;
const msPerDay = 86_400_000;

/** Reads the filters. An id that is none matches nothing. */
export function filterOf(input: FilterInput, now: Date): RecommendationFilter {
  const once = <T>(values: readonly T[] | null | undefined) => (values ? [...new Set(values)] : null);
  return {
    statuses: once(input.status),
    types: once(input.type),
    accountIds: once(input.accountId)?.filter(isUuid) ?? null,
    providers: once(input.provider),
    resourceIds: typeof input.resourceId === 'string' ? [input.resourceId].filter(isUuid) : null,
    minSavings: input.minSavings === null || input.minSavings === undefined ? null : decimalOf(input.minSavings),
    awakeAt: input.includeSnoozed === true ? null : now,
  };
}

/** A number as decimal text without an exponent, to 6 decimals: what is compared is not rounded finer. */
function decimalOf(value: number): string {
  if (Math.abs(value) > savingsRule.maximum) throw invalid`${arg('min_savings')} must be below 10^15, not ${value}`;
  return value.toFixed(6);
}

/** When a recommendation is to wake again. Undefined: that does not change; null: it wakes now.
 *  @throws {AppError} VALIDATION_ERROR when both ways of saying it are there, or it is not within a year */
export function snoozeOf({ snoozedUntil, snoozeDays }: ChangeInput, now: Date): Date | null | undefined {
  if (snoozedUntil !== undefined && snoozeDays !== undefined && (snoozedUntil !== null || snoozeDays !== null))
    throw invalid`${arg('snoozed_until')} and ${mention('snooze_days')} cannot be combined: leave one out`;
  if (snoozeDays !== undefined && snoozeDays !== null) {
    if (snoozeDays < snoozeRule.minimum || snoozeDays > snoozeRule.maximum)
      throw invalid`${arg('snooze_days')} must be 1 to ${snoozeRule.maximum}, not ${snoozeDays}`;
    return new Date(now.getTime() + snoozeDays * msPerDay);
  }
  if (snoozedUntil instanceof Date) {
    const last = new Date(now.getTime() + snoozeRule.maximum * msPerDay);
    if (snoozedUntil <= now || snoozedUntil > last)
      throw invalid`${arg('snoozed_until')} must be later than now and at most ${snoozeRule.maximum} days ahead, not ${snoozedUntil.toISOString()}`;
    return snoozedUntil;
  }
  return snoozedUntil === null || snoozeDays === null ? null : undefined;
}

/** Reads a reason: text without surrounding blanks, null where there is none.
 *  @throws {AppError} VALIDATION_ERROR when it is too long, or comes without a status */
export function reasonOf({ statusReason, reason, status }: ChangeInput): string | null {
  if (statusReason && reason)
    throw invalid`${arg('reason')} is a deprecated alias of ${mention('status_reason')}: send only ${mention('status_reason')}`;
  const name = statusReason ? 'status_reason' : 'reason';
  const text = (statusReason ?? reason)?.trim() ?? '';
  if (text === '') return null;
  if (!status) throw invalid`${arg(name)} explains a change of status: send it with status`;
  const { length } = [...text];
  if (length > reasonRule.maxLength)
    throw invalid`${arg(name)} must be at most ${reasonRule.maxLength} characters, not ${length}`;
  return text;
}
