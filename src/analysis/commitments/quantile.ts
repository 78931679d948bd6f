/** Cost of demand that a commitment covers up to a level, and on demand above it.
 *  @param demand on-demand cost of each hour
 *  @param level on-demand cost an hour that the commitment covers
 *  @param discount off the on-demand price, between 0 and 1
 *  @returns the cost of all hours: the commitment is paid in each, used or not */
export function costOf(demand: readonly number[], level: number, discount: number): number {
  let above = 0;
  for (const hour of demand) above += Math.max(0, hour - level);
  return demand.length * level * (1 - discount) + above;
}

/** The level at which the commitment costs least. Raising it by a dollar costs (1 - discount) in every hour and saves a
 *  dollar in the hours above it; so it pays until the share of hours above is down to 1 - discount: the optimum is the
 *  quantile of demand at the discount. Of equal ones, the lowest: it commits to least.
 *  @param demand on-demand cost of each hour, in ascending order, none negative
 *  @param discount off the on-demand price, between 0 and 1 */
export function bestLevel(demand: readonly number[], discount: number): number {
  // 1 - 0.7 is a little more than 0.3: a billionth of an hour must not become a whole one.
  const hours = Math.ceil(demand.length * discount - 1e-9);
  return hours < 1 ? 0 : (demand[hours - 1] ?? 0);
}

/** On-demand cost of a day. */
export interface DayDemand {
  readonly cost: number;
  /** The part without hourly data that ran all 24 hours. */
  readonly steady: number;
  /** The part of it that is known by the hour, in each of the day; none where it is left out. */
  readonly hourly?: readonly number[];
  /** The part of `hourly` that is spread over the hours in which it ran, but need not have been the same in each. */
  readonly uneven?: number;
  /** On-demand cost of what commitments cover beside it, is not known by the hour, and did not run all 24 of them. None
   *  where it is left out. */
  readonly coveredUnsteady?: number;
}

/** How far hours swing around their day's mean where bills do not tell: half of it at night, half again at noon. */
export const assumedDailySwing = 0.5;

export const hoursPerDay = 24;
/** In ascending order. */
const swings = Array.from(
  { length: hoursPerDay },
  (_, hour) => 1 + assumedDailySwing * Math.cos((2 * Math.PI * (hour + 0.5)) / hoursPerDay),
).sort((a, b) => a - b);

/** The hours of days, in ascending order: as the bill tells them, and where it has days, as they are assumed. */
export function hoursOf(days: readonly DayDemand[]): number[] {
  return days.flatMap(hoursOfDay).sort((a, b) => a - b);
}

/** Where in the day it is that assumed hours swing is not known: they are taken to be low where the known ones are, so that
 *  no commitment is made to a level that only the two together would hold. */
function hoursOfDay(day: DayDemand): number[] {
  const known = knownHours(day);
  const assumed = assumedHours(day);
  return known.map((hour, rank) => hour + (assumed[rank] ?? 0));
}

/** In ascending order. A day's cost was spread over the hours in which something ran. What of it is uneven is taken to swing
 *  too; the sum stays the same. */
function knownHours({ hourly = [], uneven = 0 }: DayDemand): number[] {
  const hours = swings.map((_, hour) => Math.max(0, hourly[hour] ?? 0)).sort((a, b) => a - b);
  const whole = total(hours);
  if (whole === 0 || uneven <= 0) return hours;
  const share = Math.min(1, uneven / whole);
  const swung = hours.map((hour, rank) => hour * (1 - share + share * (swings[rank] ?? 1)));
  return swung.map((hour) => (hour * whole) / total(swung));
}

/** In ascending order, of what is not known by the hour: a day's mean hides the hours in which little runs, and a commitment
 *  up to it would idle at night. What ran all day is level; the rest is taken to swing, together with what commitments
 *  cover of it: they take each hour from its bottom, so that what they leave is more of the peaks than of the nights. */
function assumedHours({ cost, steady, hourly = [], coveredUnsteady = 0 }: DayDemand): number[] {
  const whole = Math.max(0, cost - total(hourly));
  const level = Math.min(whole, Math.max(0, steady));
  const covered = Math.max(0, coveredUnsteady);
  const usage = swings.map((swing) => ((whole - level + covered) * swing) / hoursPerDay);
  const filled = fillLevel(usage, covered);
  return usage.map((hour) => level / hoursPerDay + Math.max(0, hour - filled));
}

function total(hours: readonly number[]): number {
  return hours.reduce((sum, hour) => sum + hour, 0);
}

/** The level that takes an amount away from the bottom of hours. */
function fillLevel(hours: readonly number[], amount: number): number {
  let left = amount;
  const ascending = hours.toSorted((a, b) => a - b);
  for (const [at, hour] of ascending.entries()) {
    const even = left / (ascending.length - at);
    if (even <= hour) return even;
    left -= hour;
  }
  return ascending.at(-1) ?? 0;
}
