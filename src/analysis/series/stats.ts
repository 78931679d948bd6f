/** Scale that makes the median absolute deviation of a normal distribution its standard deviation. */
const madToSigma = 1.4826;

/** The middle value; of an even number of values, the mean of the middle two. What is not a number (a day without a known
 *  cost) is left out. NaN of none. */
export function median(values: ArrayLike<number>): number {
  return values.length <= few ? medianOfFew(knownOf(values, room)) : medianOf(knownOf(values));
}

/** Standard deviation as the median distance from the median tells it: half of the values may be anything. NaN of none. */
export function robustSigma(values: ArrayLike<number>): number {
  const middle = median(values);
  const distances = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) distances[at] = Math.abs((values[at] ?? NaN) - middle);
  return madToSigma * median(distances);
}

/** The value that a share of them does not exceed, interpolated between neighbours (Hyndman and Fan 1996, type 7). What is
 *  not a number is left out. NaN of none.
 *  @param share between 0 and 1 */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(knownOf(values).sort(), share);
}

/** As `quantile`, of known values in ascending order. */
function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const rank = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = Math.floor(rank);
  const lower = sorted[below] ?? NaN;
  return lower + (rank - below) * ((sorted[below + 1] ?? lower) - lower);
}

/** The mean; what is not a number is left out. NaN of none. */
export function mean(values: ArrayLike<number>): number {
  const known = knownOf(values);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Change per step: the median of the slopes between all pairs of values (Theil 1950, Sen 1968), which up to 29 % of outliers
 *  do not move far. 0 where there are no two.
 *  @param reach pairs that are further apart, in known values, are left out: then a change of level moves it little, as few
 *    pairs lie across it */
export function theilSenSlope(values: ArrayLike<number>, reach: number = values.length): number {
  const at: number[] = [];
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) at.push(index);
  if (at.length < 2) return 0;
  const slopes = new Float64Array(at.length * Math.min(reach, at.length));
  let count = 0;
  for (const [rank, right] of at.entries())
    for (let other = Math.max(0, rank - reach); other < rank; other++) {
      const left = at[other] ?? 0;
      slopes[count++] = ((values[right] ?? 0) - (values[left] ?? 0)) / (right - left);
    }
  return select(slopes.subarray(0, count), count >> 1);
}

/** The median of the values around each, as far as there are any; NaN where none of them is known.
 *  @param reach how many on either side belong to it */
export function rollingMedian(values: readonly number[], reach: number): number[] {
  const all = Float64Array.from(values);
  return values.map((_, at) => median(all.subarray(Math.max(0, at - reach), at + reach + 1)));
}

/** Windows are medians of so few that sorting them in place costs least: most of the time of a forecast goes into them. */
const few = 32;
const room = new Float64Array(few);

function knownOf(values: ArrayLike<number>, into: Float64Array = new Float64Array(values.length)): Float64Array {
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN;
    if (!Number.isNaN(value)) into[count++] = value;
  }
  return into.subarray(0, count);
}

/** By insertion sort; reorders the values. */
function medianOfFew(known: Float64Array): number {
  for (let at = 1; at < known.length; at++) {
    const value = known[at] ?? NaN;
    let free = at;
    for (; free > 0 && (known[free - 1] ?? NaN) > value; free--) known[free] = known[free - 1] ?? NaN;
    known[free] = value;
  }
  return quantileOfSorted(known, 0.5);
}

/** By selection; reorders the values. */
function medianOf(known: Float64Array): number {
  const middle = known.length >> 1;
  const upper = select(known, middle);
  if (known.length % 2 === 1) return upper;
  // What is selected leaves everything smaller before it.
  return (upper + known.subarray(0, middle).reduce((a, b) => Math.max(a, b), -Infinity)) / 2;
}

/** The value of a rank (0 is the smallest), by Hoare's quickselect; reorders the values. NaN of none. */
function select(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? NaN;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? NaN) < pivot) left++;
      while ((values[right] ?? NaN) > pivot) right--;
      if (left > right) break;
      const swapped = values[left] ?? NaN;
      values[left++] = values[right] ?? NaN;
      values[right--] = swapped;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? NaN;
}
