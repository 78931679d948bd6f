import { z } from 'zod';
import { addDays, addMonths, type Day, dayOf, firstDay, lastDay, monthOf, parseDay } from '../kit/time/period.ts';
import { BadArguments } from './api/failure.ts';

const mostValues = 50;

/** One or more values of a filter. Limits are checked at runtime: repeating them in each tool's schema would cost
 *  tokens. */
export const several = z
  .array(z.string())
  .refine((values) => values.length > 0 && values.length <= mostValues, `Use 1 to ${mostValues} values`)
  .refine((values) => !values.includes(''), 'Omit empty values')
  .optional();

/** Cost filters; each takes one or more values. */
export const costFilters = {
  account_id: several.describe('Ids from list_accounts'),
  provider: several.describe('aws, azure, gcp, …'),
  service: several.describe('Names from get_cost_breakdown'),
  region: several.describe('Names from get_cost_breakdown'),
};

/** Paging arguments; rows are long, so pages are small. */
export const pageInput = {
  page: z.int().min(1).optional(),
  per_page: z.int().min(1).max(50).optional().describe('Default 20'),
};

/** An id from a list. Path words of the API, such as `summary`, are rejected because they would address another
 *  endpoint. */
export const idInput = z.string().refine((id) => /^[\w-]{1,64}$/.test(id) && id !== 'summary', {
  error: 'This is not a valid id: use one from a list',
});

const presets = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'year_to_date',
  'last_12_months',
] as const;

type Preset = (typeof presets)[number];

/** Arguments for the period of a query. */
export const periodInput = {
  period: z.enum(presets).optional().describe('Default last_30_days; or start and end'),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional().describe('Inclusive; days are UTC'),
};

/** The raw values of period arguments; each can be absent. */
export type PeriodArguments = { readonly [Name in keyof typeof periodInput]?: string | undefined };

/** First and last day, both inclusive. */
export interface Days {
  readonly start_date: Day;
  readonly end_date: Day;
}

/** Trailing periods of a fixed number of days, ending with the last complete day. */
const trailing: ReadonlySet<string> = new Set(['last_7_days', 'last_30_days', 'last_90_days']);

/** Whether the arguments select a trailing period that ends with the last complete day. */
export function isTrailing({ period, start_date: start, end_date: end }: PeriodArguments): boolean {
  return (start ?? end) === undefined && trailing.has(period ?? 'last_30_days');
}

/** Resolves the period of a query; a missing start or end is derived from the other.
 *  @param last last day of trailing periods; today by default
 *  @throws {BadArguments} if both a period name and days are given, or the end is before the start */
export function daysOf(
  args: PeriodArguments,
  now: Date,
  fallback: Preset = 'last_30_days',
  last: Day = dayOf(now),
): Days {
  const { period, start_date: start, end_date: end } = args;
  if (period !== undefined && (start ?? end) !== undefined)
    throw new BadArguments(
      `period "${period}" cannot be combined with start_date or end_date: use either one`,
      'period',
    );
  if (start === undefined && end === undefined) return daysOfPreset(presetOf(period) ?? fallback, now, last);
  const until = dayIn('end_date', end) ?? dayOf(now);
  const first = dayIn('start_date', start) ?? addDays(until, -29);
  if (first > until)
    throw new BadArguments(`end_date ${until} is before start_date ${first}: swap the days`, 'end_date');
  return { start_date: first, end_date: until };
}

function presetOf(name: string | undefined): Preset | undefined {
  return presets.find((preset) => preset === name);
}

function dayIn(name: string, text: string | undefined): Day | null {
  if (text === undefined) return null;
  const day = parseDay(text);
  if (!day) throw new BadArguments(`${name} "${text}" is not a valid date: use YYYY-MM-DD`, name);
  return day;
}

function lastDays(count: number, last: Day): Days {
  return { start_date: addDays(last, 1 - count), end_date: last };
}

/** Presets of current periods end today. `last_12_months` is the current month and the eleven before it. */
function daysOfPreset(preset: Preset, now: Date, last: Day): Days {
  const today = dayOf(now);
  const month = monthOf(today);
  const quarter = addMonths(month, -((Number(month.slice(5)) - 1) % 3));
  const since = (start: Day): Days => ({ start_date: start, end_date: today });
  switch (preset) {
    case 'last_7_days':
      return lastDays(7, last);
    case 'last_30_days':
      return lastDays(30, last);
    case 'last_90_days':
      return lastDays(90, last);
    case 'this_month':
      return since(firstDay(month));
    case 'last_month':
      return { start_date: firstDay(addMonths(month, -1)), end_date: lastDay(addMonths(month, -1)) };
    case 'this_quarter':
      return since(firstDay(quarter));
    case 'last_quarter':
      return { start_date: firstDay(addMonths(quarter, -3)), end_date: lastDay(addMonths(quarter, -1)) };
    case 'year_to_date':
      return since(firstDay(`${month.slice(0, 4)}-01` as typeof month));
    case 'last_12_months':
      return since(firstDay(addMonths(month, -11)));
  }
}
