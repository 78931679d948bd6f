import { median, robustSigma } from './stats.ts';

const reach = 7;
const sigmas = 4;

/** Replaces outliers, and days that are not known, by the median of the week before and the week after (Hampel's filter). */
export function withoutOutliers(values: readonly number[]): number[] {
  const all = Float64Array.from(values);
  return values.map((value, at) => {
    const around = all.subarray(Math.max(0, at - reach), at + reach + 1);
    const middle = median(around);
    return Math.abs(value - middle) <= sigmas * robustSigma(around) ? value : middle;
  });
}
