import { z } from 'zod';
import { addDays, addMonths, type Day, dayOf, firstDay, lastDay, monthOf, parseDay } from '../kit/time/period.ts';
import { BadArguments } from './api/failure.ts';

const mostValues = 50;

/** One value or several of a filter. What is refused is told when it comes: in each tool's schema it would cost more. */
export const several = z
  .array(z.string())
  .refine((values) => values.length > 0 && values.length <= mostValues, `Use 1 to ${mostValues} values`)
  .refine((values) => !values.includes(''), 'Omit empty values')
  .optional();

/** Which costs are meant; each takes one or several values. */
export const costFilters = {
  account_id: several.describe('Ids from list_accounts'),
  provider: several.describe('Such as aws, azure, gcp'),
  service: several.describe('Names from get_cost_breakdown'),
  region: several.describe('Names from get_cost_breakdown'),
};

/** Which page of a list; its rows are long. */
export const pageInput = {
  page: z.int().min(1).optional(),
  per_page: z.int().min(1).max(50).optional().describe('Default 20'),
};

/** An id that a list gave. The API's own words, such as `summary`, stand where its ids do, so that they would ask for something
 *  else. */
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

/** Arguments that choose the days of a question. */
export const periodInput = {
  period: z.enum(presets).optional().describe('Default last_30_days; or start_date and end_date'),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional().describe('Inclusive; days are UTC'),
};

/** Some of them, as they came. */
export type PeriodArguments = { readonly [Name in keyof typeof periodInput]?: string | undefined };

/** First and last day, both inclusive. */
export interface Days {
  readonly start_date: Day;
  readonly end_date: Day;
}

/** Periods of so many days, which end with the last complete one. */
const trailing: ReadonlySet<string> = new Set(['last_7_days', 'last_30_days', 'last_90_days']);

/** Whether the arguments ask for the last so many days, which end with the last complete one. */
export function isTrailing({ period, start_date: start, end_date: end }: PeriodArguments): boolean {
  return (start ?? end) === undefined && trailing.has(period ?? 'last_30_days');
}

/** The days that the arguments choose: a day that is not given follows from the other one.
 *  @param last the day that the last so many days end with: today by default
 *  @throws {BadArguments} when a name and days were given, or the end lies before the start */
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

/** Presets of running periods end today. `last_12_months` are the eleven whole months before this one, and this one. */
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
