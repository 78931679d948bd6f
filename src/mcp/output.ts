import { z } from 'zod';

// Parts of answers that tools have in common.

/** Where a list was cut. */
export const pagination = z.object({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  total_pages: z.int(),
});

/** Said where an answer is empty: what to try instead. */
export const hint = z.string().optional();

/** The instant at which the API answered. */
export const asOf = z.string();

/** A page of the API's list.
 *  @param row picks what is wanted of each entry */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), pagination });
}

/** Costs that no figure holds, because their currency has no exchange rate, as the API tells them. */
export const unconvertedCosts = z.array(z.object({ currency: z.string(), cost: z.number() }));

/** The same in the answer of a tool: absent where there are none. */
export const unconverted = unconvertedCosts.optional();

/** Said wherever there are some, before all else: what cannot be converted must not look like nothing. */
export const rateIsMissing = 'The unconverted costs are excluded from all amounts: an exchange rate is missing.';

/** The same, as it is answered. */
export function unconvertedOf<Cost>(costs: readonly Cost[]): { unconverted?: Cost[] } {
  return costs.length === 0 ? {} : { unconverted: [...costs] };
}
