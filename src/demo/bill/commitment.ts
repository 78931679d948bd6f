import { addDays, addMonths, lastDay, monthOf, parseDay, type Day } from '../../kit/time/period.ts';
import type { CommitmentName, Region, Service } from './line-item.ts';

/** A commitment of the sample organization. It covers, in order, the meters that name its key, until its daily amount is
 *  used up; what they do not use of it is unused commitment. */
export interface Commitment {
  readonly key: string;
  readonly named: CommitmentName;
  readonly service: Service;
  readonly region: Region | null;
  /** Committed a day, decimal text in the billing currency. */
  readonly perDay: string;
  /** What covered usage costs, in thousandths of its list price. */
  readonly rate: number;
  /** `daily` and `monthly`: paid as it runs. `upfront`: a year at once, on the day of the year that `paidOn` names. */
  readonly payment: 'daily' | 'monthly' | 'upfront';
  /** `MM-DD`, for `upfront`. */
  readonly paidOn?: string;
  /** It ends with the month that is so many after the running one. Left out for `upfront`: it ends when it is paid again. */
  readonly endsInMonths?: number;
  readonly description: string;
}

/** Last day of a commitment that runs today. */
export function endOf({ paidOn, endsInMonths = 0 }: Commitment, today: Day): Day {
  if (paidOn === undefined) return lastDay(addMonths(monthOf(today), endsInMonths));
  const year = Number(today.slice(0, 4));
  const next = [year, year + 1].map((each) => parseDay(`${each}-${paidOn}`)).find((day) => day !== null && day > today);
  return next ? addDays(next, -1) : today;
}
