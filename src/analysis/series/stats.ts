/** Factor that converts the median absolute deviation of a normal distribution to its standard deviation. */
const madToSigma = 1.4826;

/** Returns the median; for an even number of values, the mean of the middle two. NaN values (days with unknown cost) are
 *  left out. NaN without values. */
export function median(values: ArrayLike<number>): number {
  return values.length <= few ? medianOfFew(knownOf(values, room)) : medianOf(knownOf(values));
}

/** Estimates the standard deviation from the median absolute deviation, which tolerates up to half of the values being
 *  outliers. NaN without values. */
export function robustSigma(values: ArrayLike<number>): number {
  const middle = median(values);
  const distances = new Float64Array(values.length);
  for (let at = 0; at < values.length; at++) distances[at] = Math.abs((values[at] ?? NaN) - middle);
  return madToSigma * median(distances);
}

/** Returns a quantile, interpolated between neighbours (Hyndman and Fan 1996, type 7). NaN values are left out. NaN without
 *  values.
 *  @param share between 0 and 1 */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(knownOf(values).sort(), share);
}

/** Same as `quantile`, for known values in ascending order. */
function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const rank = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const below = Math.floor(rank);
  const lower = sorted[below] ?? NaN;
  return lower + (rank - below) * ((sorted[below + 1] ?? lower) - lower);
}

/** Returns the mean; NaN values are left out. NaN without values. */
export function mean(values: ArrayLike<number>): number {
  const known = knownOf(values);
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Returns the change per step: the median of the slopes between all pairs of values (Theil 1950, Sen 1968), robust to up to
 *  29% of outliers. 0 with fewer than two values.
 *  @param reach pairs further apart, in known values, are left out: a change of level then has little effect, because few
 *    pairs span it */
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

/** Returns the rolling median of the available values around each one; NaN if none of them is known.
 *  @param reach number of values on either side */
export function rollingMedian(values: readonly number[], reach: number): number[] {
  const window = new SortedWindow(values, reach);
  return values.map((_, at) => window.moveTo(at).median());
}

/** The known values around each value of a series, in ascending order. Moving it to the next value takes an insertion and a
 *  removal instead of a sort. */
export class SortedWindow {
  readonly #values: readonly number[];
  readonly #reach: number;
  readonly #sorted: Float64Array;
  #count = 0;
  /** The values it holds, half-open. */
  #start = 0;
  #end = 0;

  /** @param reach number of values on either side */
  constructor(values: readonly number[], reach: number) {
    this.#values = values;
    this.#reach = reach;
    this.#sorted = new Float64Array(2 * reach + 2);
  }

  /** Moves the window to the values around a position, never backwards. */
  moveTo(at: number): this {
    const end = Math.min(this.#values.length, at + this.#reach + 1);
    while (this.#end < end) this.#insert(this.#values[this.#end++] ?? NaN);
    while (this.#start < at - this.#reach) this.#remove(this.#values[this.#start++] ?? NaN);
    return this;
  }

  /** Returns the median; NaN without known values. */
  median(): number {
    return quantileOfSorted(this.#known(), 0.5);
  }

  /** Same as the function `robustSigma`. */
  robustSigma(): number {
    const known = this.#known();
    const middle = quantileOfSorted(known, 0.5);
    const distances = room.subarray(0, known.length);
    let above = known.findIndex((value) => value > middle);
    if (above < 0) above = known.length;
    let below = above - 1;
    for (let rank = 0; rank < known.length; rank++) {
      const down = middle - (known[below] ?? -Infinity);
      const up = (known[above] ?? Infinity) - middle;
      distances[rank] = Math.min(down, up);
      if (down <= up) below--;
      else above++;
    }
    return madToSigma * quantileOfSorted(distances, 0.5);
  }

  #known(): Float64Array {
    return this.#sorted.subarray(0, this.#count);
  }

  #insert(value: number): void {
    if (Number.isNaN(value)) return;
    let free = this.#count++;
    for (; free > 0 && (this.#sorted[free - 1] ?? NaN) > value; free--)
      this.#sorted[free] = this.#sorted[free - 1] ?? NaN;
    this.#sorted[free] = value;
  }

  #remove(value: number): void {
    if (Number.isNaN(value)) return;
    this.#sorted.copyWithin(this.#sorted.indexOf(value), this.#sorted.indexOf(value) + 1, this.#count--);
  }
}

/** Number of values up to which sorting in place is cheapest. */
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

/** Returns the median by insertion sort; reorders the values. */
function medianOfFew(known: Float64Array): number {
  for (let at = 1; at < known.length; at++) {
    const value = known[at] ?? NaN;
    let free = at;
    for (; free > 0 && (known[free - 1] ?? NaN) > value; free--) known[free] = known[free - 1] ?? NaN;
    known[free] = value;
  }
  return quantileOfSorted(known, 0.5);
}

/** Returns the median by selection; reorders the values. */
function medianOf(known: Float64Array): number {
  const middle = known.length >> 1;
  const upper = select(known, middle);
  if (known.length % 2 === 1) return upper;
  // Selection moves all smaller values before the selected one.
  return (upper + known.subarray(0, middle).reduce((a, b) => Math.max(a, b), -Infinity)) / 2;
}

/** Returns the value of a rank (0 is the smallest), by Hoare's quickselect; reorders the values. NaN without values. */
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
