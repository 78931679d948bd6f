import { sumAmounts, type Amount } from '../../kit/money.ts';
import { addDays, daysIn, type Day, type DayRange } from '../../kit/period.ts';

/** A day on which the bills of more accounts begin. */
export interface Link {
  readonly day: Day;
  /** What all accounts cost from then on, as a multiple of what those before cost without the new ones. */
  readonly ratio: number;
}

/** Cost of one account by day: at least of the first `comparedDays`, and of the rest of the month that it began in. */
export interface AccountDays {
  readonly dataFrom: Day;
  readonly costs: ReadonlyMap<Day, Amount>;
}

/** Over so many days from the first on, new accounts are compared with those before. */
export const comparedDays = 28;
/** New accounts that cost more than this many times what those before do are no growth of theirs. */
const mostRatio = 2;

/** Where the bills of accounts begin, and by how much costs rise there without anything costing more: chain-linked, as price
 *  indexes are when their basket changes.
 *  @param totals cost of all accounts by day
 *  @param late accounts whose bills begin inside the range
 *  @returns the links, the earliest first, from `start` on: where what came before says nothing of what came after, a history
 *    begins anew */
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

/** What a cost of a day is to be multiplied by to be comparable with those of the last. */
export function linkedFactor(links: readonly Link[], day: Day): number {
  return links.reduce((factor, link) => (day < link.day ? factor * link.ratio : factor), 1);
}
