import { z } from 'zod';
import * as shapes from '../../schema/rest.ts';
import { type Micros, microsToNumber } from '../kit/money.ts';

// Parts of answers that tools have in common.

export const pagination = shapes.Pagination;

/** Said where an answer is empty: what to try instead. */
export const hint = z.string().optional();

/** The instant at which the API answered. */
export const asOf = z.string();

/** A page of the API's list.
 *  @param row picks what is wanted of each entry */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), pagination });
}

/** Costs that no figure holds, because their currency has no exchange rate; absent if there are none. */
export const unconverted = z.array(shapes.UnconvertedCost).optional();

/** Said wherever there are some, before all else: what cannot be converted must not look like nothing. */
export const rateIsMissing = 'The unconverted costs are excluded from all amounts: an exchange rate is missing.';

/** The same, as it is answered. */
export function unconvertedOf<Cost>(costs: readonly Cost[]): { unconverted?: Cost[] } {
  return costs.length === 0 ? {} : { unconverted: [...costs] };
}

/** What to say of a page without rows; nothing where it has some.
 *  @param nothing what to try instead, where the whole list is empty */
export function emptyHint(
  page: z.output<typeof pagination>,
  rows: readonly unknown[],
  nothing: string,
): { hint?: string } {
  if (rows.length > 0) return {};
  return { hint: page.total === 0 ? nothing : `Page ${page.page} is after the last one, ${page.total_pages}` };
}

/** Money as the API answers it, a number of at most 6 decimals, as whole millionths: those add up exactly. */
export function microsOf(money: number): Micros {
  return BigInt(Math.round(money * 1e6));
}

/** What sums of money add up to, exact to the sixth decimal. */
export function sumOf(money: Iterable<number>): number {
  let sum = 0n;
  for (const one of money) sum += microsOf(one);
  return microsToNumber(sum);
}

/** How many percent one figure is of another, 2 decimals; null where there is nothing to divide by. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
}
