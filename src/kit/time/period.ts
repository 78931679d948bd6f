/** A UTC calendar day, `YYYY-MM-DD`. Days compare as strings. */
export type Day = `${number}-${number}-${number}`;

/** A UTC calendar month, `YYYY-MM`. Months compare as strings. */
export type Month = `${number}-${number}`;

/** The days from `start` (inclusive) to `end` (exclusive). */
export interface DayRange {
  readonly start: Day;
  readonly end: Day;
}

/** The months from `start` (inclusive) to `end` (exclusive). */
export interface MonthRange {
  readonly start: Month;
  readonly end: Month;
}

const msPerDay = 86_400_000;
/** Keeps years at four digits after any date arithmetic, so that days compare as strings. */
const firstYear = 1000;
const lastYear = 9990;

/** Parses `YYYY-MM-DD`, strictly: an existing calendar day in the years 1000 to 9990. Null for anything else. */
export function parseDay(text: string): Day | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return null;
  const year = Number(parts[1]);
  const date = new Date(Date.UTC(year, Number(parts[2]) - 1, Number(parts[3])));
  const isReal = year >= firstYear && year <= lastYear && date.toISOString().slice(0, 10) === text;
  return isReal ? (text as Day) : null;
}

/** Parses `YYYY-MM`, strictly, in the years 1000 to 9990. Null for anything else. */
export function parseMonth(text: string): Month | null {
  return parseDay(`${text}-01`) === null ? null : (text as Month);
}

/** The UTC day of an instant. */
export function dayOf(instant: Date): Day {
  return instant.toISOString().slice(0, 10) as Day;
}

/** The UTC month of an instant. */
export function monthAt(instant: Date): Month {
  return instant.toISOString().slice(0, 7) as Month;
}

/** Midnight UTC at the start of the day. */
export function instantOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** The month of a day. */
export function monthOf(day: Day): Month {
  return day.slice(0, 7) as Month;
}

/** The first day of a month. */
export function firstDay(month: Month): Day {
  return `${month}-01` as Day;
}

/** The last day of a month. */
export function lastDay(month: Month): Day {
  return addDays(firstDay(addMonths(month, 1)), -1);
}

/** Adds days; subtracts them if negative. */
export function addDays(day: Day, days: number): Day {
  return dayOf(new Date(instantOf(day).getTime() + days * msPerDay));
}

/** Returns the earlier of two days. */
export function earlierDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

/** Returns the later of two days. */
export function laterDay(a: Day, b: Day): Day {
  return a > b ? a : b;
}

/** Adds months; subtracts them if negative. */
export function addMonths(month: Month, months: number): Month {
  const [year, number] = month.split('-').map(Number);
  return monthAt(new Date(Date.UTC(year ?? 0, (number ?? 1) - 1 + months, 1)));
}

/** Number of days from `start` to `end`: 0 for the same day. */
export function daysBetween(start: Day, end: Day): number {
  return (instantOf(end).getTime() - instantOf(start).getTime()) / msPerDay;
}

/** Every day of a range, in order. */
export function daysIn(range: DayRange): Day[] {
  return Array.from({ length: Math.max(0, daysBetween(range.start, range.end)) }, (_, index) =>
    addDays(range.start, index),
  );
}

/** Every month that a range of days touches, in order. */
export function monthsIn(range: DayRange): Month[] {
  const months: Month[] = [];
  for (let month = monthOf(range.start); firstDay(month) < range.end; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** A range split into its whole months and the remaining days at both ends. */
export interface SplitRange {
  /** Null if the range contains no whole month. */
  readonly months: MonthRange | null;
  /** At most two ranges, neither empty. */
  readonly ends: readonly DayRange[];
}

/** Splits a range into whole months and partial ends, so that whole months can be read at month grain. */
export function splitRange(range: DayRange): SplitRange {
  const startsMonth = range.start === firstDay(monthOf(range.start));
  const start = startsMonth ? monthOf(range.start) : addMonths(monthOf(range.start), 1);
  const end = monthOf(range.end);
  if (start >= end) return { months: null, ends: range.start < range.end ? [range] : [] };
  const ends = [
    { start: range.start, end: firstDay(start) },
    { start: firstDay(end), end: range.end },
  ];
  return { months: { start, end }, ends: ends.filter((each) => each.start < each.end) };
}
