import { addDays, instantOf } from '../../../kit/time/period.ts';
import { amountOf, times } from './figures.ts';
import { tagOf, type Subject, type Usage, type Window } from './subject.ts';

const keys = ['environment', 'env', 'stage', 'lifecycle'];
const nonProduction =
  /^(dev|develop|development|test|testing|tst|qa|stage|staging|stg|sandbox|uat|(?:non|pre)[-_ ]?prod(?:uction)?|demo|lab)\b/;

/** Returns the value of a subject's environment tag if it marks non-production; null otherwise. */
export function nonProductionTag(subject: Subject): string | null {
  for (const key of keys) {
    const value = tagOf(subject, key);
    if (value !== null && nonProduction.test(value.trim().toLowerCase())) return value;
  }
  return null;
}

/** Saving on a machine that runs 10 hours per working day, 50 of a week's 168 hours, in percent: 1 - 50 / 168, rounded down. */
export const officeHoursSaving = 70;

/** Minimum days of a window; shorter ones do not show weekly patterns. */
const leastDays = 14;

/** Returns whether usage was the same on weekends as on other days, on every day of the window. */
export function runsAllWeek({ days, quantity, weekendQuantity }: Usage, window: Window): boolean {
  if (window.days < leastDays || days < window.days || quantity <= 0n) return false;
  // 95% leaves room for a restart.
  return weekendQuantity * BigInt(window.days) >= times(quantity, amountOf('0.95')) * BigInt(weekendDays(window));
}

/** Counts the Saturdays and Sundays of the window. */
export function weekendDays({ start, days }: Window): number {
  return Array.from({ length: days }, (_, index) => instantOf(addDays(start, index)).getUTCDay()).filter(
    (weekday) => weekday === 0 || weekday === 6,
  ).length;
}
