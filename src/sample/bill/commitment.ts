import { z } from 'zod';
import { addDays, addMonths, lastDay, monthOf, parseDay, type Day } from '../../kit/time/period.ts';
import { type Cost, price } from './amount.ts';
import type { CommitmentName, CommitmentUse, Region, Service } from './line-item.ts';
import type { Places } from './meter.ts';
import { entryOf, readTable } from './table.ts';

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
  /** Months from the current month to the month it ends in. Omitted for `upfront`, which ends on its next payment
   *  date. */
  readonly endsInMonths?: number;
  readonly description: string;
}

/** A row of `commitments.tsv`. */
const row = z.object({
  key: z.string(),
  name: z.string(),
  category: z.enum(['Usage', 'Spend']),
  type: z.string(),
  service: z.string(),
  /** Empty: no region. */
  place: z.string(),
  perDay: z.string(),
  rate: z.coerce.number(),
  payment: z.enum(['daily', 'monthly', 'upfront']),
  paidOn: z.string(),
  endsInMonths: z.string(),
  id: z.string(),
  description: z.string(),
});

/** Reads a cloud's commitments.
 *  @throws {Error} if a cell is invalid, or names an unknown place or service */
export function readCommitments(table: URL, places: Places, services: Readonly<Record<string, Service>>): Commitment[] {
  return readTable(table, row).map(({ id, name, category, type, place, paidOn, endsInMonths, ...read }) => ({
    ...read,
    named: { id, name, category, type },
    service: entryOf(services, read.service),
    region: place === '' ? null : entryOf(places, place).region,
    ...(paidOn !== '' && { paidOn }),
    ...(endsInMonths !== '' && { endsInMonths: Number(endsInMonths) }),
  }));
}

/** The part of a commitment that an amount of its cost pays for: hours of a reservation, or the amount of a savings plan. Used
 *  and unused parts add up to the purchased quantity. */
export function useOf({ named, perDay }: Commitment, cost: Cost, status: CommitmentUse['status']): CommitmentUse {
  const daily = price(perDay) * 10_000n;
  const quantity = named.category === 'Usage' ? (cost * 24n * 10_000n) / daily : cost / 100_000_000n;
  return { ...named, status, quantity };
}

/** Last day of a commitment that is active today. */
export function endOf({ paidOn, endsInMonths = 0 }: Commitment, today: Day): Day {
  if (paidOn === undefined) return lastDay(addMonths(monthOf(today), endsInMonths));
  const year = Number(today.slice(0, 4));
  const next = [year, year + 1].map((each) => parseDay(`${each}-${paidOn}`)).find((day) => day !== null && day > today);
  return next ? addDays(next, -1) : today;
}
