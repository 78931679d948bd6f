import { calendarFrom, type CalendarDay, type DailySeries } from './calendar.ts';
import { chargedOn, findCharges, positionsOf, type Charge } from './charges.ts';
import { mean, median, robustSigma, rollingMedian, SortedWindow } from './stats.ts';

/** Decomposition of a series: cost = level × weekday + charges + residual. */
export interface Adjusted {
  /** Without weekdays, charges and outliers; one value per day. */
  readonly values: readonly number[];
  /** The same, including weekdays. */
  readonly weekly: readonly number[];
  readonly weekdays: WeekdayFactors;
  readonly charges: readonly Charge[];
  /** The days of the series. */
  readonly calendar: readonly CalendarDay[];
}

const levelReach = 10;
/** Minimum known days around a day: with fewer, next to a gap in the bills, its level would be that of a single day. */
const leastKnown = 4;
const iterations = 3;
/** A charge stands out from the noise by this many standard deviations, and from the level by this fraction. */
const chargeSigmas = 3;
const leastChargeShare = 0.1;
/** Minimum weekday factor from which the level can be derived: on other weekdays hardly anything is spent. */
const leastFactor = 0.1;

/** Decomposes a series into the part explained by the calendar and the rest: the most important factor for forecast quality
 *  (measured: a third less error, for every model).
 *  @param series at most a year: older data misleads */
export function adjust(series: DailySeries): Adjusted {
  const calendar = calendarFrom(series.start, series.values.length);
  const positions = positionsOf(calendar);
  let weekdays = usualWeek(series.values, calendar);
  let charges: readonly Charge[] = [];
  let base: readonly number[] = series.values;
  for (let iteration = 0; iteration < iterations; iteration++) {
    weekdays = weekdayFactors(base, levelOf(base, weekdays, calendar), calendar);
    const level = levelOf(base, weekdays, calendar);
    const expected = level.map((value, at) => value * factorOn(calendar[at], weekdays));
    const excess = series.values.map((value, at) => value - (expected[at] ?? 0));
    const sigma = robustSigma(excess.map((each, at) => each / (level[at] || NaN)));
    const share = Math.max(leastChargeShare, chargeSigmas * (sigma || 0));
    const found = findCharges(
      excess,
      level.map((value) => share * value),
      positions,
    );
    charges = found.charges;
    base = series.values.map((value, at) => value - (found.charged[at] ?? 0));
  }
  const values = withoutOutliers(filled(base, weekdays, calendar));
  const weekly = values.map((value, at) => value * factorOn(calendar[at], weekdays));
  return { values, weekly, weekdays, charges, calendar };
}

/** Returns the cost of a day with its weekday and charges, never negative. */
export function calendarCost(level: number, day: CalendarDay, { weekdays, charges }: Adjusted): number {
  return Math.max(0, level * factorOn(day, weekdays)) + chargedOn(day, charges);
}

/** Returns the usage of days without the weekdays of a decomposition; NaN on days with a charge, and on weekdays when hardly
 *  anything is spent. */
export function usageOf(
  values: readonly number[],
  calendar: readonly CalendarDay[],
  { weekdays, charges }: Pick<Adjusted, 'weekdays' | 'charges'>,
): number[] {
  const usage = values.map((value, at) => (chargedOn(calendar[at] as CalendarDay, charges) === 0 ? value : NaN));
  return withoutWeekdays(usage, weekdays, calendar);
}

function factorOn(day: CalendarDay | undefined, weekdays: WeekdayFactors): number {
  return weekdays[day?.weekday ?? 0] ?? 1;
}

/** Removes the weekday pattern; NaN on weekdays when hardly anything is spent. */
function withoutWeekdays(values: readonly number[], weekdays: WeekdayFactors, calendar: readonly CalendarDay[]) {
  return values.map((value, at) => {
    const factor = factorOn(calendar[at], weekdays);
    return factor < leastFactor ? NaN : value / factor;
  });
}

function levelOf(values: readonly number[], weekdays: WeekdayFactors, calendar: readonly CalendarDay[]): number[] {
  return carried(levelsIn(withoutWeekdays(values, weekdays, calendar), values));
}

/** Returns the level of each day; NaN if too few of the days around it are known. */
function levelsIn(flat: readonly number[], values: readonly number[]): readonly number[] {
  const level = rollingMedian(flat, levelReach);
  if (!values.some(Number.isNaN)) return level;
  const isKnown = values.map((value) => !Number.isNaN(value));
  const isEnough = values.map(
    (_, at) => isKnown.slice(Math.max(0, at - levelReach), at + levelReach + 1).filter(Boolean).length >= leastKnown,
  );
  return isEnough.some(Boolean) ? level.map((value, at) => (isEnough[at] ? value : NaN)) : level;
}

function filled(values: readonly number[], weekdays: WeekdayFactors, calendar: readonly CalendarDay[]): number[] {
  const flat = withoutWeekdays(values, weekdays, calendar);
  const level = carried(levelsIn(flat, values));
  return flat.map((value, at) => (Number.isNaN(value) ? (level[at] ?? 0) : value));
}

/** Fills unknown values with the last known one, and leading ones with the first; 0 if none is known. */
function carried(values: readonly number[]): number[] {
  let last = values.find((value) => !Number.isNaN(value)) ?? 0;
  return values.map((value) => {
    if (!Number.isNaN(value)) last = value;
    return last;
  });
}

/** Ratio to the level by weekday, Sunday first; their mean is 1. */
export type WeekdayFactors = readonly number[];

const evenWeek: WeekdayFactors = [1, 1, 1, 1, 1, 1, 1];

/** Returns the initial estimate of the weekday factors. If most days cost hardly anything, their median does not show the
 *  pattern of the others: the factors are then those of the median of each weekday. */
function usualWeek(values: readonly number[], calendar: readonly CalendarDay[]): WeekdayFactors {
  const recent = values.slice(-weeks * 7);
  if (!(median(recent) < leastFactor * mean(recent))) return evenWeek;
  const days = calendar.slice(0, values.length).slice(-weeks * 7);
  const middles = evenWeek.map((_, weekday) => median(recent.filter((__, at) => days[at]?.weekday === weekday)) || 0);
  const average = mean(middles);
  return average > 0 ? middles.map((middle) => Math.max(0, middle / average)) : evenWeek;
}

const weeks = 13;
/** Minimum gap between the ratios of alternate weeks that shows a job that runs every second week. */
const fortnightly = 0.25;
/** Standard error of a median, in standard errors of the mean: √(π/2). */
const medianError = 1.2533;

/** Computes weekday factors: the median ratio to the level over the newest 13 weeks, shrunk towards 1 as far as chance can
 *  explain it. Uses uncleaned costs: with cleaned ones, a new weekly job would never be learned.
 *  @param level of each day, without weekdays; days are left out unless it is above 0 */
function weekdayFactors(
  values: readonly number[],
  level: readonly number[],
  calendar: readonly CalendarDay[],
): WeekdayFactors {
  const ratios: number[][] = evenWeek.map(() => []);
  // By parity of the week.
  const halves: number[][][] = [evenWeek.map(() => []), evenWeek.map(() => [])];
  for (let at = Math.max(0, values.length - weeks * 7); at < values.length; at++) {
    const ratio = (values[at] ?? NaN) / (level[at] ?? NaN);
    if (!((level[at] ?? 0) > 0) || Number.isNaN(ratio)) continue;
    const { weekday = 0, number = 0 } = calendar[at] ?? {};
    ratios[weekday]?.push(ratio);
    halves[Math.floor(number / 7) % 2]?.[weekday]?.push(ratio);
  }
  const medians = ratios.map((ratio) => (ratio.length < 2 ? 1 : median(ratio)));
  const sigma = robustSigma(ratios.flatMap((ratio, weekday) => ratio.map((each) => each - (medians[weekday] ?? 1))));
  const middles = medians.map((middle, weekday) => {
    const [low = [], high = []] = halves.map((half) => half[weekday] ?? []).sort((a, b) => median(a) - median(b));
    const gap = Math.min(...high) - Math.max(...low);
    // A job that runs every second week is a charge, not a weekday pattern.
    return low.length > 1 && high.length > 1 && gap > Math.max(fortnightly, sigmas * sigma) ? median(low) : middle;
  });
  const shrunk = middles.map((middle, weekday) => {
    const error = (medianError * sigma) / Math.sqrt(ratios[weekday]?.length ?? 1);
    const distance = middle - 1;
    return distance === 0 ? 1 : 1 + distance ** 3 / (distance ** 2 + error ** 2);
  });
  const average = shrunk.reduce((sum, factor) => sum + factor, 0) / 7;
  return average > 0 ? shrunk.map((factor) => Math.max(0, factor / average)) : evenWeek;
}

const reach = 7;
const sigmas = 4;

/** Replaces outliers and unknown days with the median of the week before and the week after (Hampel filter). */
export function withoutOutliers(values: readonly number[]): number[] {
  const window = new SortedWindow(values, reach);
  return values.map((value, at) => {
    const middle = window.moveTo(at).median();
    return Math.abs(value - middle) <= sigmas * window.robustSigma() ? value : middle;
  });
}
