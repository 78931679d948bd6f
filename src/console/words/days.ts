// Arithmetic on days of the bills: `YYYY-MM-DD`, in UTC.

const dayMs = 86_400_000;

/** Today in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The day that many days later, or earlier. */
export function addDays(day: string, by: number): string {
  return new Date(Date.parse(day) + by * dayMs).toISOString().slice(0, 10);
}

/** How many days from one to the other, both counted. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;
}

/** The first day of the day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of the day's month. */
export function monthEnd(day: string): string {
  return addDays(addMonths(monthStart(day), 1), -1);
}

/** The first day of the month that many months later, or earlier. */
export function addMonths(day: string, by: number): string {
  const at = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + by);
  return at.toISOString().slice(0, 10);
}

/** Whether a text is a day that the calendar has. */
export function isDay(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(parsed) && new Date(parsed).toISOString().startsWith(text);
}
