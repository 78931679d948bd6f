/** What demand costs that is covered by a commitment up to a level, and on demand above it.
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
  /** The part of it that ran all 24 hours. */
  readonly steady: number;
  /** On-demand cost of what commitments cover beside it, and did not run all 24 hours. None where it is left out. */
  readonly coveredUnsteady?: number;
}

/** How far hours swing around their day's mean, of what did not run all day: half of it at night, half again at noon. */
export const assumedDailySwing = 0.5;

const hoursPerDay = 24;
const swings = Array.from(
  { length: hoursPerDay },
  (_, hour) => 1 + assumedDailySwing * Math.cos((2 * Math.PI * (hour + 0.5)) / hoursPerDay),
);

/** The hours of days, in ascending order. Bills have days, whose mean hides the hours in which little runs: a commitment up
 *  to the mean would idle at night. What ran all day is level; the rest is taken to swing, together with what commitments
 *  cover of it: they take each hour from its bottom, so that what they leave is more of the peaks than of the nights. */
export function hoursOf(days: readonly DayDemand[]): number[] {
  const hours = days.flatMap(({ cost, steady, coveredUnsteady = 0 }) => {
    const whole = Math.max(0, cost);
    const level = Math.min(whole, Math.max(0, steady));
    const covered = Math.max(0, coveredUnsteady);
    const usage = swings.map((swing) => ((whole - level + covered) * swing) / hoursPerDay);
    const filled = fillLevel(usage, covered);
    return usage.map((hour) => level / hoursPerDay + Math.max(0, hour - filled));
  });
  return hours.sort((a, b) => a - b);
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
