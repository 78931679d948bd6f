import { addDays, daysBetween, type Day } from '../../../../kit/period.ts';
import type { Subject, Window } from '../../subject.ts';

/** Days without use after which something is idle, not merely quiet over a holiday. */
export const idleDays = 14;

/** Whether it has been billed for so long that the last 14 days say how it is used. */
export function isOldEnough(subject: Subject, window: Window): boolean {
  return window.days >= idleDays && subject.firstSeen <= addDays(window.end, -idleDays);
}

/** Whole days from a day or instant to the day after the last complete one. */
export function ageInDays(since: string, window: Window): number {
  return daysBetween(since.slice(0, 10) as Day, window.end);
}
