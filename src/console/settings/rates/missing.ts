import { addMonths, monthStart, today } from '../../words/days.ts';
import type { Rate } from './queries.ts';

/** How many months are looked at for costs that no rate converts: what the API answers at once. */
const monthsBack = 35;

/** The first day that is looked at. */
export function lookedAtFrom(now = today()): string {
  return addMonths(monthStart(now), -monthsBack);
}

/** Months since the first that has a rate for the pair, or of the last twelve, that have none; newest first. */
export function monthsWithout(rates: readonly Rate[], from: string, to: string, now = today()): string[] {
  const known = new Set(rates.filter((rate) => rate.from === from && rate.to === to).map(({ month }) => month));
  const [earliest] = [...known].toSorted();
  const months = Array.from({ length: monthsBack + 1 }, (_, back) => addMonths(monthStart(now), -back).slice(0, 7));
  const since = earliest ?? months[11] ?? '';
  return months.filter((month) => month >= since && !known.has(month));
}
