import { parseCronItem } from 'graphile-worker';

const minuteMs = 60_000;
/** Longest time that is searched: a leap year, because a cron expression can name a day of the year. */
const searchedMinutes = 366 * 24 * 60;

/** The first minute after an instant at which a cron expression is due, in UTC; null if it is not due within a year.
 *  @param match five cron fields
 *  @throws {Error} if they are invalid */
export function nextDue(match: string, after: Date): Date | null {
  const { match: isDue } = parseCronItem({ task: 'any', match });
  const start = Math.floor(after.getTime() / minuteMs) + 1;
  for (let minute = start; minute < start + searchedMinutes; minute++) {
    const at = new Date(minute * minuteMs);
    if (isDue(digestOf(at))) return at;
  }
  return null;
}

/** Shape in which the library compares times. */
function digestOf(at: Date) {
  const [month, dow] = [at.getUTCMonth() + 1, at.getUTCDay()];
  return { min: at.getUTCMinutes(), hour: at.getUTCHours(), date: at.getUTCDate(), month, dow };
}
