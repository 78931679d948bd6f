import { addDays, instantOf } from '../../../kit/period.ts';
import { amountOf, times } from '../figures.ts';
import type { Usage, Window } from '../subject.ts';

/** What is saved of a machine that runs 10 hours on each working day, 50 of a week's 168, in percent: 1 - 50 / 168, cut. */
export const officeHoursSaving = 70;

/** Days of the window below which nothing is said of its weeks. */
const leastDays = 14;

/** Whether it ran on Saturdays and Sundays as on other days, every day of the window: then it is on all week. */
export function runsAllWeek({ days, quantity, weekendQuantity }: Usage, window: Window): boolean {
  if (window.days < leastDays || days < window.days || quantity <= 0n) return false;
  // 95 % leaves room for a restart.
  return weekendQuantity * BigInt(window.days) >= times(quantity, amountOf('0.95')) * BigInt(weekendDays(window));
}

/** Saturdays and Sundays of the window. */
export function weekendDays({ start, days }: Window): number {
  return Array.from({ length: days }, (_, index) => instantOf(addDays(start, index)).getUTCDay()).filter(
    (weekday) => weekday === 0 || weekday === 6,
  ).length;
}
