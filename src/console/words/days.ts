// Date arithmetic on billing days: `YYYY-MM-DD`, in UTC.

const dayMs = 86_400_000;

/** Today in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Day of an instant in the user's time zone; default: today. */
export function localDay(at = new Date()): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Adds days to a day; negative values subtract. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);
}

/** Number of days in a range, including both ends. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** First day of the day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** Last day of the day's month. */
export function monthEnd(day: string): string {
  return addDays(addMonths(monthStart(day), 1), -1);
}

/** First day of the month that is `by` months later; negative values go back. */
export function addMonths(day: string, by: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + by);
  return at.toISOString().slice(0, 10);
}

/** Whether a text is a valid calendar day. */
export function isDay(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(parsed) && new Date(parsed).toISOString().startsWith(text);
}
