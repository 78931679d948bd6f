/** Scale that makes the median absolute deviation of a normal distribution its standard deviation. */
const madToSigma = 1.4826;

/** The middle value; of an even number of values, the mean of the middle two. What is not a number (a day without a known
 *  cost) is left out. NaN of none. */
export function median(values: ArrayLike<number>): number {
  const known = knownOf(values);
  const middle = known.length >> 1;
  const upper = select(known, middle);
  if (known.length % 2 === 1) return upper;
  // What is selected leaves everything smaller before it.
  return known.length === 0 ? NaN : (upper + known.subarray(0, middle).reduce((a, b) => Math.max(a, b))) / 2;
}

/** Standard deviation as the median distance from the median tells it: half of the values may be anything. NaN of none. */
export function robustSigma(values: ArrayLike<number>): number {
  const middle = median(values);
  return madToSigma * median(Array.from(values, (value) => Math.abs(value - middle)));
}

/** The value that a share of them does not exceed, interpolated between neighbours (Hyndman and Fan 1996, type 7). What is
 *  not a number is left out. NaN of none.
 *  @param share between 0 and 1 */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(knownOf(values).sort(), share);
}

/** As `quantile`, of known values in ascending order. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
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
 *  do not move far. 0 where there are no two. */
export function theilSenSlope(values: ArrayLike<number>): number {
  const at: number[] = [];
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) at.push(index);
  if (at.length < 2) return 0;
  const slopes = new Float64Array((at.length * (at.length - 1)) / 2);
  let count = 0;
  for (const [rank, right] of at.entries())
    for (let other = 0; other < rank; other++) {
      const left = at[other] ?? 0;
      slopes[count++] = ((values[right] ?? 0) - (values[left] ?? 0)) / (right - left);
    }
  return select(slopes, slopes.length >> 1);
}

/** The median of the values around each, as far as there are any; NaN where none of them is known.
 *  @param reach how many on either side belong to it */
export function rollingMedian(values: readonly number[], reach: number): number[] {
  return values.map((_, at) => median(values.slice(Math.max(0, at - reach), at + reach + 1)));
}

function knownOf(values: ArrayLike<number>): Float64Array {
  const known = new Float64Array(values.length);
  let count = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN;
    if (!Number.isNaN(value)) known[count++] = value;
  }
  return known.subarray(0, count);
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
