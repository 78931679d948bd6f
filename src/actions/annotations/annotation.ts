import type { Annotation as AnnotationRow } from '../../../prisma/generated/client/client.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { blank, endBeforeStart } from '../../kit/errors/refusals.ts';
import { clearable, given, required, type RecordChange, type RecordInput } from '../../kit/record-fields.ts';
import { addDays, daysBetween, type Day } from '../../kit/time/period.ts';
import { unprintable, visibleLineRule } from '../../tenancy/login/input.ts';

/** An annotation. */
export type Annotation = Omit<AnnotationRow, 'startDate' | 'endDate'> & Days;

/** Days of an annotation, both inclusive. */
export interface Days {
  readonly startDate: Day;
  readonly endDate: Day;
}

/** Maximum length of the range, in days. */
const mostDays = 366;
/** Bounds of a text. */
const textRule = { ...visibleLineRule, minLength: 1, maxLength: 500 } as const;

/** The fields of an annotation that clients set. */
export const annotationFields = {
  startDate: required(given<Day>),
  endDate: clearable(null, given<Day>),
  text: required(parseText, textRule),
  accountId: clearable(null, given<string>),
};

export type AnnotationInput = RecordInput<typeof annotationFields>;
export type AnnotationChange = RecordChange<typeof annotationFields>;

/** Parses a text: trimmed, 1 to 500 characters on one line.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
function parseText(value: string, field: string): string {
  const text = value.trim();
  const { length } = [...text];
  if (length === 0) throw blank(arg(field));
  if (length > textRule.maxLength)
    throw invalid`${arg(field)} can have at most ${textRule.maxLength} characters, not ${length}`;
  if (!text.isWellFormed() || unprintable.test(text))
    throw invalid`${arg(field)} must be on one line, without control characters`;
  return text;
}

/** Checks the days of an annotation; without a last day, it is about the first one only.
 *  @param isEndKept the last day is the stored one, and the request has another first day
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function daysOf(startDate: Day, endDate: Day | null, isEndKept = false): Days {
  const end = endDate ?? startDate;
  if (end < startDate && isEndKept)
    throw invalid`${arg('start_date', startDate)} is after ${mention('end_date')} ${end}${fix}change ${mention('end_date')}, too`;
  if (end < startDate) throw endBeforeStart(end, startDate);
  const isTooLong = daysBetween(startDate, end) >= mostDays;
  if (isTooLong && isEndKept)
    throw invalid`${arg('start_date', startDate)} and ${mention('end_date')} ${end} are more than ${mostDays - 1} days apart${fix}use ${addDays(end, 1 - mostDays)} or a later day`;
  if (isTooLong)
    throw invalid`${arg('end_date', end)} and ${mention('start_date')} ${startDate} are more than ${mostDays - 1} days apart${fix}use ${addDays(startDate, mostDays - 1)} or an earlier day`;
  return { startDate, endDate: end };
}
