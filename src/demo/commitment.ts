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
  readonly description: string;
}
