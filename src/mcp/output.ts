import { z } from 'zod';
import * as shapes from '../../schema/rest.ts';
import { cut, fit, trimRow, type Limits } from './fit.ts';
import { type Micros, microsToNumber } from '../kit/money.ts';
import { missingBillsText } from '../kit/text/missing-bills.ts';

// Shared parts of tool responses.

export const pagination = shapes.Pagination;

/** Set on an empty response: what to try instead. */
export const hint = z.string().optional();

/** A page of an API list.
 *  @param row selects the fields of each entry */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), pagination });
}

/** Output fields of a tool that lists rows. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return { data: z.array(row), pagination, truncated: z.boolean().optional(), hint };
}

/** A page of rows within the size limit.
 *  @param nothing what to try instead if the whole list is empty
 *  @param view truncates a row */
export function listAnswer<Row extends object, Shown extends object = Row>(
  { data, pagination: page }: { readonly data: readonly Row[]; readonly pagination: z.output<typeof pagination> },
  nothing: string,
  // Without a view, rows keep their type.
  view: (row: Row, limits: Limits) => Shown = trimRow as never,
) {
  return {
    ...fit((limits) => ({ data: data.map((row) => view(row, limits)) })),
    pagination: page,
    ...emptyHint(page, data, nothing),
  };
}

/** Costs not included in any figure because their currency has no exchange rate; absent if there are none. */
export const unconverted = z.array(shapes.UnconvertedCost).optional();

/** Replaces hints about missing costs, so that unconverted costs do not look like zero. */
export const rateIsMissing = 'The unconverted costs are excluded from all amounts: an exchange rate is missing.';

/** The hints about missing bills and exchange rates, then the tool's own one, which a missing rate replaces. */
export function rateHint(
  {
    unconverted: lacking,
    provisional_rates: rates,
    missing_bills: missing = [],
  }: Pick<z.output<typeof shapes.Coverage>, 'unconverted' | 'provisional_rates'> &
    Partial<Pick<z.output<typeof shapes.Coverage>, 'missing_bills'>>,
  own: { readonly hint?: string },
): { hint?: string } {
  return joined(missingHint(missing), provisionalHint(rates), lacking.length > 0 ? rateIsMissing : own.hint);
}

/** Joins hints; none if there are none. */
export function joined(...hints: readonly (string | false | undefined)[]): { hint?: string } {
  const text = hints.filter(Boolean).join(' ');
  return text === '' ? {} : { hint: text };
}

/** The hint about provisional exchange rates; undefined if there are none. */
export function provisionalHint(rates: readonly { readonly currency: string }[]): string | undefined {
  if (rates.length === 0) return undefined;
  const currencies = [...new Set(rates.map(({ currency }) => currency))].join(', ');
  return `Amounts converted from ${currencies} are provisional: some months have no final exchange rate.`;
}

/** A hint that names missing bills. */
export function missingHint(
  bills: readonly { readonly account_name: string; readonly month: string }[],
): string | undefined {
  const named = bills.map(({ account_name: name, month }) => ({ accountName: cut(name, 60), month }));
  const text = missingBillsText(named, String);
  return text === null ? undefined : `There is ${text}: these costs are unknown.`;
}

/** Unconverted costs for the response. */
export function unconvertedOf<Cost>(costs: readonly Cost[]): { unconverted?: Cost[] } {
  return costs.length === 0 ? {} : { unconverted: [...costs] };
}

/** The hint for a page without rows; none if it has some.
 *  @param nothing what to try instead if the whole list is empty */
function emptyHint(page: z.output<typeof pagination>, rows: readonly unknown[], nothing: string): { hint?: string } {
  if (rows.length > 0) return {};
  return { hint: page.total === 0 ? nothing : `Page ${page.page} is after the last one, ${page.total_pages}` };
}

/** Converts money from the API, a number of at most 6 decimals, to integer micros, which add up exactly. */
export function microsOf(money: number): Micros {
  return BigInt(Math.round(money * 1e6));
}

/** Sums money, exact to the sixth decimal. */
export function sumOf(money: Iterable<number>): number {
  let sum = 0n;
  for (const one of money) sum += microsOf(one);
  return microsToNumber(sum);
}

/** A part as a percentage of a whole, 2 decimals; null if the whole is 0. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
}
