/** Returns the cost of demand that a commitment covers up to a level, with on-demand usage above it.
 *  @param demand on-demand cost of each hour
 *  @param level on-demand cost per hour that the commitment covers
 *  @param discount off the on-demand price, between 0 and 1
 *  @returns the cost of all hours: the commitment is paid in each, used or not */
export function costOf(demand: readonly number[], level: number, discount: number): number {
  let above = 0;
  for (const hour of demand) above += Math.max(0, hour - level);
  return demand.length * level * (1 - discount) + above;
}

/** Returns the level at which the commitment costs least. Raising it by a dollar costs (1 - discount) in every hour and
 *  saves a dollar in the hours above it, so it pays off until the share of hours above is down to 1 - discount: the optimum
 *  is the quantile of demand at the discount. Ties go to the lowest level, which commits to least.
 *  @param demand on-demand cost of each hour, in ascending order, none negative
 *  @param discount off the on-demand price, between 0 and 1 */
export function bestLevel(demand: readonly number[], discount: number): number {
  // 1 - 0.7 is slightly more than 0.3: a billionth of an hour must not be rounded up to a whole one.
  const hours = Math.ceil(demand.length * discount - 1e-9);
  return hours < 1 ? 0 : (demand[hours - 1] ?? 0);
}

/** On-demand cost of a day. */
export interface DayDemand {
  readonly cost: number;
  /** The part without hourly data that ran all 24 hours. */
  readonly steady: number;
  /** The part with hourly data, for each hour of the day; default: none. */
  readonly hourly?: readonly number[];
  /** The part of `hourly` that is spread over the hours in which it ran, but may have differed between them. */
  readonly uneven?: number;
  /** On-demand cost of the covered part of the usage that has no hourly data and did not run all 24 hours. Default: none. */
  readonly coveredUnsteady?: number;
}

/** Assumed swing of hours around their day's mean, if bills do not have hours: half as much at night, one and a half times
 *  as much at noon. */
export const assumedDailySwing = 0.5;

export const hoursPerDay = 24;
/** Assumed usage in each hour of a day, as a multiple of the day's mean, in ascending order. */
const swings = Array.from(
  { length: hoursPerDay },
  (_, hour) => 1 + assumedDailySwing * Math.cos((2 * Math.PI * (hour + 0.5)) / hoursPerDay),
).sort((a, b) => a - b);

/** Returns the hours of days, in ascending order: from hourly bills, or assumed for daily ones. */
export function hoursOf(days: readonly DayDemand[]): number[] {
  return days.flatMap(hoursOfDay).sort((a, b) => a - b);
}

/** Combines known and assumed hours. The bill does not show in which hours assumed usage is low: it is assumed to be low when
 *  known usage is, so that no commitment depends on the two compensating each other. */
function hoursOfDay(day: DayDemand): number[] {
  const known = knownHours(day);
  const assumed = assumedHours(day);
  return known.map((hour, rank) => hour + (assumed[rank] ?? 0));
}

/** Returns hours with data, in ascending order. A day's cost was spread over the hours in which something ran. The uneven
 *  part is assumed to swing too; the sum stays the same. */
function knownHours({ hourly = [], uneven = 0 }: DayDemand): number[] {
  const hours = swings.map((_, hour) => Math.max(0, hourly[hour] ?? 0)).sort((a, b) => a - b);
  const whole = total(hours);
  if (whole === 0 || uneven <= 0) return hours;
  const share = Math.min(1, uneven / whole);
  const swung = hours.map((hour, rank) => hour * (1 - share + share * (swings[rank] ?? 1)));
  return swung.map((hour) => (hour * whole) / total(swung));
}

/** Returns assumed hours of usage without hourly data, in ascending order. A day's mean hides the hours with little usage,
 *  and a commitment up to it would idle at night. Usage that ran all day is level; the rest is assumed to swing, together
 *  with its covered part. Commitments cover each hour from the bottom, so that the rest consists more of peaks than of
 *  nights. */
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

/** Returns the level at which the parts of hours below it add up to an amount. */
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
