import { type Day, daysBetween, instantOf } from '../../kit/time/period.ts';
import { chance } from '../random.ts';

/** Names of the weekly rhythms. */
export const rhythms = ['always_on', 'steady', 'shopping', 'business', 'office_hours'] as const;

/** A weekly rhythm. */
export type Rhythm = (typeof rhythms)[number];

/** Relative usage by weekday, Sunday first. 1 is an ordinary working day. */
const weeks: Readonly<Record<Rhythm, readonly number[]>> = {
  /** Machines that run around the clock, without jitter. */
  always_on: [1, 1, 1, 1, 1, 1, 1],
  steady: [1, 1, 1, 1, 1, 1, 1],
  /** Peaks on weekends. */
  shopping: [1.34, 0.94, 0.92, 0.95, 1, 1.16, 1.38],
  /** Drops on weekends. */
  business: [0.46, 1, 1.05, 1.06, 1.03, 0.94, 0.5],
  /** Switched off outside working hours. */
  office_hours: [0, 1, 1, 1, 1, 1, 0],
};

const jitter: Record<Rhythm, number> = { always_on: 0, steady: 0.02, shopping: 0.06, business: 0.07, office_hours: 0 };

/** Start of linear growth, so that the sample stays in proportion for years. */
const growthEpoch: Day = '2025-11-01';

/** Usage of a day relative to an ordinary working day at the growth epoch.
 *  @param name name of the meter, so that each has its own noise
 *  @param yearlyGrowth 0.3 for 30% more after a year */
export function usageFactor(name: string, day: Day, rhythm: Rhythm, yearlyGrowth: number): number {
  const week = weeks[rhythm][instantOf(day).getUTCDay()] ?? 1;
  const noise = 1 + (chance(name, day) * 2 - 1) * jitter[rhythm];
  const growth = Math.max(0.25, 1 + (yearlyGrowth * daysBetween(growthEpoch, day)) / 365);
  return week * noise * growth;
}

/** Share of a day's usage that the provider has reported, in thousandths: the last two days are incomplete. */
export function reportedThousandths(day: Day, today: Day): number {
  const age = daysBetween(day, today);
  return age >= 2 ? 1000 : age === 1 ? 820 : 310;
}
