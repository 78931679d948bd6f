import { sumAmounts, type Amount } from '../../../kit/money.ts';
import { addDays, daysIn, type Day, type DayRange } from '../../../kit/time/period.ts';

/** A day on which the bills of additional accounts begin. */
export interface Link {
  readonly day: Day;
  /** Cost of all accounts from that day on, as a multiple of the cost of only the earlier accounts. */
  readonly ratio: number;
}

/** Daily cost of one account: at least the first `comparedDays`, and the rest of the month it began in. */
export interface AccountDays {
  readonly dataFrom: Day;
  readonly costs: ReadonlyMap<Day, Amount>;
}

/** Days over which new accounts are compared with existing ones, from their first day on. */
export const comparedDays = 28;
/** Maximum ratio of a link, up or down: beyond it, the history restarts instead of being linked. */
const mostRatio = 2;

/** Finds the days on which bills of more accounts begin, and the step in cost that they cause. Chain-links the
 *  history, as price indexes do when their basket changes.
 *  @param totals cost of all accounts by day
 *  @param late accounts whose bills begin inside the range
 *  @returns the links, earliest first, and the `start` of the usable history: if the days before a link are no guide to
 *    those after it, the history restarts there */
export function linksOf(
  range: DayRange,
  totals: ReadonlyMap<Day, Amount>,
  late: readonly AccountDays[],
): { start: Day; links: Link[] } {
  let start = range.start;
  let links: Link[] = [];
  for (const day of [...new Set(late.map(({ dataFrom }) => dataFrom))].sort()) {
    const after = addDays(day, comparedDays);
    const days = daysIn({ start: day, end: after < range.end ? after : range.end });
    const sum = (costs: ReadonlyMap<Day, Amount>) => sumAmounts(days.map((each) => costs.get(each) ?? 0n));
    const sumOf = (accounts: readonly AccountDays[]) => sumAmounts(accounts.map(({ costs }) => sum(costs)));
    const fresh = sumOf(late.filter(({ dataFrom }) => dataFrom === day));
    const before = sum(totals) - fresh - sumOf(late.filter(({ dataFrom }) => dataFrom > day));
    const ratio = Number(before + fresh) / Number(before);
    if (fresh === 0n) continue;
    if (before > 0n && ratio > 1 / mostRatio && ratio <= mostRatio) links.push({ day, ratio });
    else [start, links] = [day, []];
  }
  return { start, links };
}

/** Returns the factor that makes a day's cost comparable with that of the last day. */
export function linkedFactor(links: readonly Link[], day: Day): number {
  return links.reduce((factor, link) => (day < link.day ? factor * link.ratio : factor), 1);
}
