import { channelFields } from '../../analysis/budgets/channels.ts';
import { arg, choice, fix, invalid, mention } from '../../kit/errors/errors.ts';
import {
  clearable,
  defaulted,
  given,
  parseChange,
  parseRecord,
  required,
  type RecordChange,
  type RecordInput,
} from '../../kit/record-fields.ts';
import { emailRule, nameRule, parseEmail, parseName } from '../../tenancy/login/input.ts';
import { parseValue } from '../../facts/allocation/rules.ts';
import type { Filters } from '../reports/filters.ts';
import type { ReportFormat, ReportType } from '../reports/kinds.ts';
import { parseTimeZone, type Frequency, type ScheduleValues, type Timing, type ValueRecipients } from './schedule.ts';

/** Limits of schedules. */
export const scheduleLimits = { recipients: 50, values: 200 } as const;

const defaultHour = 8;
const lastDays = { daily: 0, weekly: 7, monthly: 31 } as const;

/** Bounds of a schedule's timing and recipients. */
const dayRule = { minimum: 1, maximum: lastDays.monthly } as const;
const hourRule = { minimum: 0, maximum: 23 } as const;
export const recipientsRule = { maxItems: scheduleLimits.recipients, items: emailRule } as const;
const valuesRule = { maxItems: scheduleLimits.values } as const;

/** The fields of a schedule that clients set. Its filters depend on the caller, and its timing is parsed as a whole. */
export const scheduleFields = {
  name: required(parseName, nameRule),
  type: required(given<ReportType>),
  format: required(given<ReportFormat>),
  filters: clearable<Filters, Filters, Filters>({}, given),
  frequency: required(given<Frequency>),
  day: clearable(null, given<number>, dayRule),
  hour: defaulted(defaultHour, given<number>, hourRule),
  timeZone: defaulted('UTC', given<string>),
  recipients: clearable([], (addresses: readonly string[]) => parseRecipients(addresses), recipientsRule),
  valueRecipients: clearable([], parseValueRecipients, valuesRule),
  slack: defaulted(false, given<boolean>),
  ...channelFields,
  enabled: defaulted(true, given<boolean>),
};

export type ScheduleInput = RecordInput<typeof scheduleFields>;
export type ScheduleChange = RecordChange<typeof scheduleFields>;

/** Parses the input of a schedule, except for its filters.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseSchedule(input: ScheduleInput): ScheduleValues {
  const values = parseRecord(scheduleFields, input);
  requireShowback(values);
  return { ...values, ...parseTiming(values) };
}

/** Applies a change to a schedule. The previous day does not carry over to another frequency.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function changedSchedule(before: ScheduleValues, change: ScheduleChange): ScheduleValues {
  const changes = parseChange(scheduleFields, change);
  const isKept = (changes.frequency ?? before.frequency) === before.frequency;
  const after = { ...before, ...(isKept ? {} : { day: null }), ...changes };
  requireShowback(after);
  return { ...after, ...parseTiming(after) };
}

function parseTiming({ frequency, day, hour, timeZone }: Timing): Timing {
  const last = lastDays[frequency];
  if (day !== null && last === 0) throw invalid`${arg('day')} must be omitted for a daily schedule`;
  if (day !== null && !(day >= dayRule.minimum && day <= last))
    throw frequency === 'weekly'
      ? invalid`${arg('day', day)} must be 1 (Monday) to 7 (Sunday) for a weekly schedule`
      : invalid`${arg('day', day)} must be 1 to 31 for a monthly schedule`;
  if (!(hour >= hourRule.minimum && hour <= hourRule.maximum)) throw invalid`${arg('hour', hour)} must be 0 to 23`;
  const zone = parseTimeZone(timeZone);
  if (zone === null)
    throw invalid`${arg('time_zone', timeZone)} is not an IANA time zone${fix}use a name such as "Europe/Berlin" or "UTC"`;
  return { frequency, day: last === 0 ? null : (day ?? 1), hour, timeZone: zone };
}

/** Checks that only a showback has recipients of values: no other report has a file for each value.
 *  @throws {AppError} VALIDATION_ERROR */
function requireShowback({ type, valueRecipients }: ScheduleValues): void {
  if (type !== 'showback' && valueRecipients.length > 0)
    throw invalid`${arg('value_recipients')} must be empty unless ${mention('type')} is ${choice('type', 'showback')}`;
}

function parseValueRecipients(listed: readonly ValueRecipients[]): ValueRecipients[] {
  if (listed.length > valuesRule.maxItems)
    throw invalid`${arg('value_recipients')} takes at most ${valuesRule.maxItems} values, not ${listed.length}`;
  const seen = new Set<string>();
  return listed.map(({ value, recipients }, index) => {
    const at = `value_recipients[${index}]`;
    const of = parseValue(value, `${at}.value`);
    if (seen.has(of)) throw invalid`${arg(`${at}.value`, of)} is given twice`;
    seen.add(of);
    if (recipients.length === 0) throw invalid`${arg(`${at}.recipients`)} must contain at least one address`;
    return { value: of, recipients: parseRecipients(recipients, `${at}.recipients`) };
  });
}

function parseRecipients(recipients: readonly string[], at = 'recipients'): string[] {
  const most = recipientsRule.maxItems;
  if (recipients.length > most)
    throw invalid`${arg(at)} takes at most ${most} addresses, not ${recipients.length}${fix}use a mailing list`;
  return [...new Set(recipients.map((email, index) => parseEmail(email, `${at}[${index}]`)))];
}
