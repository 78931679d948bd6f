import { daysIn, firstDay, monthsIn, type Day } from '../../kit/time/period.ts';
import type { CostQuery } from './query.ts';

/** A day or month of a query. */
interface BucketStart {
  /** First day of the day or month. */
  readonly start: Day;
  /** First of its days inside the range. */
  readonly shown: Day;
}

/** Returns every day or month of a query, in order; none without a bucket. */
export function bucketStarts({ bucket, range }: Pick<CostQuery, 'bucket' | 'range'>): readonly BucketStart[] {
  if (bucket === 'none') return [];
  if (bucket === 'day') return daysIn(range).map((day) => ({ start: day, shown: day }));
  return monthsIn(range).map((month) => {
    const start = firstDay(month);
    return { start, shown: start < range.start ? range.start : start };
  });
}
