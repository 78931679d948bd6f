import type { RecommendationStatus } from '../../../prisma/generated/client/enums.ts';
import { invalid } from '../../kit/errors.ts';
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
  reason?: string | null;
  snoozedUntil?: Date | null;
  snoozeDays?: number | null;
}

const mostSnoozeDays = 365;
const mostReasonCharacters = 500;
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
  if (Math.abs(value) >= 1e15) throw invalid(`min_savings must be below 10^15, not ${value}`);
  return value.toFixed(6);
}

/** When a recommendation is to wake again. Undefined: that does not change; null: it wakes now.
 *  @throws {AppError} VALIDATION_ERROR when both ways of saying it are there, or it is not within a year */
export function snoozeOf({ snoozedUntil, snoozeDays }: ChangeInput, now: Date): Date | null | undefined {
  if (snoozedUntil !== undefined && snoozeDays !== undefined && (snoozedUntil !== null || snoozeDays !== null))
    throw invalid('Give snoozed_until or snooze_days, not both');
  if (snoozeDays !== undefined && snoozeDays !== null) {
    if (snoozeDays < 1 || snoozeDays > mostSnoozeDays)
      throw invalid(`snooze_days must be 1 to ${mostSnoozeDays}, not ${snoozeDays}`);
    return new Date(now.getTime() + snoozeDays * msPerDay);
  }
  if (snoozedUntil instanceof Date) {
    const last = new Date(now.getTime() + mostSnoozeDays * msPerDay);
    if (snoozedUntil <= now || snoozedUntil > last)
      throw invalid(
        `snoozed_until must be later than now and at most ${mostSnoozeDays} days ahead, not ${snoozedUntil.toISOString()}`,
      );
    return snoozedUntil;
  }
  return snoozedUntil === null || snoozeDays === null ? null : undefined;
}

/** Reads a reason: text without surrounding blanks, null where there is none.
 *  @throws {AppError} VALIDATION_ERROR when it is too long, or comes without a status */
export function reasonOf({ reason, status }: ChangeInput): string | null {
  const text = reason?.trim() ?? '';
  if (text === '') return null;
  if (!status) throw invalid('reason says why the status changes: give it with status');
  if (text.length > mostReasonCharacters)
    throw invalid(`reason must be at most ${mostReasonCharacters} characters, not ${text.length}`);
  return text;
}
