import { addDays, addMonths, lastDay, monthOf, parseDay, type Day } from '../../kit/time/period.ts';
import type { CommitmentName, Region, Service } from './line-item.ts';

/** A commitment of the sample organization. It covers the meters that name its key, in order, until its daily amount
 *  is used up; the remainder is unused commitment. */
export interface Commitment {
  readonly key: string;
  readonly named: CommitmentName;
  readonly service: Service;
  readonly region: Region | null;
  /** Committed amount per day, decimal text in the billing currency. */
  readonly perDay: string;
  /** Price of covered usage in thousandths of its list price. */
  readonly rate: number;
  /** `daily` and `monthly`: paid as it runs. `upfront`: paid for a year at once, on the date in `paidOn`. */
  readonly payment: 'daily' | 'monthly' | 'upfront';
  /** `MM-DD`, for `upfront`. */
  readonly paidOn?: string;
  /** Months from the running month to the month it ends in. Omitted for `upfront`, which ends on its next payment
   *  date. */
  readonly endsInMonths?: number;
  readonly description: string;
}

/** Last day of a commitment that is active today. */
export function endOf({ paidOn, endsInMonths = 0 }: Commitment, today: Day): Day {
  if (paidOn === undefined) return lastDay(addMonths(monthOf(today), endsInMonths));
  const year = Number(today.slice(0, 4));
  const next = [year, year + 1].map((each) => parseDay(`${each}-${paidOn}`)).find((day) => day !== null && day > today);
  return next ? addDays(next, -1) : today;
}
