/** Cost Explorer keeps days of the current month and the thirteen before it. */
const monthsKept = 14;
/** AWS closes a month in its first days and may restate it for two weeks. */
const lastRestatedDay = 15;

/** The months that Cost Explorer tells days of, `YYYY-MM`, oldest first. */
export function monthsAt(now: Date): string[] {
  const months = Array.from({ length: monthsKept }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
  return months.toReversed();
}

/** Changes as often as a month is worth asking for again, because each request costs money: the current one twice a day, the
 *  one before once a day while AWS may restate it, others never. */
export function monthToken(month: string, now: Date): string {
  const [previous, current] = monthsAt(now).slice(-2);
  const day = now.toISOString().slice(0, 10);
  if (month === current) return halfDay(now);
  return month === previous && now.getUTCDate() <= lastRestatedDay ? day : 'closed';
}

/** `2026-11-21 am` */
export function halfDay(now: Date): string {
  return `${now.toISOString().slice(0, 10)} ${now.getUTCHours() < 12 ? 'am' : 'pm'}`;
}

/** Days of a month as Cost Explorer takes them: the end is the first day that is not asked for, tomorrow at the latest. */
export function daysOf(first: string, last: string, now: Date): { Start: string; End: string } {
  const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10);
  const end = nextMonth(last);
  return { Start: `${first}-01`, End: end < tomorrow ? end : tomorrow };
}

/** First day of the month after. */
export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
}
