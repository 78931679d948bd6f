import { rest } from '../../charts/colours.ts';
import { nameMatches } from '../../../kit/text/service-aliases.ts';
import { isChangeBase } from '../../../kit/time/compared-days.ts';
import { type Dimension, valueLabel } from '../dimensions.ts';
import type { CostsAnswer } from '../queries.ts';
import { unknownChange } from '../unknown-change.ts';

/** Dimension value of a row; null is a charge without one. */
export interface RowKey {
  readonly dimension: Dimension;
  readonly value: string | null;
  readonly label: string;
}

/** Table row: a group or a bar of the chart, beside the comparison period. */
export interface Row {
  readonly key: string;
  /** One per dimension; empty for a bar. */
  readonly keys: readonly RowKey[];
  /** Text of the first column. */
  readonly name: string;
  /** Days of a bar, inclusive. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Chart colour of the first value. */
  readonly colour: string;
  /** With the shared costs, if they are included. */
  readonly cost: number;
  /** Cost of the row's own charges, and what splits add to it; null unless shared costs are included. */
  readonly direct: number | null;
  readonly shared: number | null;
  /** Percentage of the total; null if the total is 0. */
  readonly share: number | null;
  /** Cost in the comparison period; null without a comparison, and instead of 0 if costs are incomplete. */
  readonly before: number | null;
  readonly change: number | null;
  /** Percentage of the previous cost; null unless that is above 0 and the costs of both periods are complete. */
  readonly changePercent: number | null;
  /** FOCUS ConsumedQuantity in `unit`; null if units differ. */
  readonly quantity: number | null;
  readonly unit: string | null;
  /** ID for the link to the resource page. */
  readonly resourceId: string | null;
}

/** Converts an answer to rows in its order.
 *  @param colours chart colours by value */
export function groupRows(
  answer: CostsAnswer,
  dimensions: readonly Dimension[],
  colours: ReadonlyMap<string, string>,
): Row[] {
  const { totalCost } = answer;
  const isUnknown = unknownChange(answer) !== null;
  return answer.rows.map((row) => {
    const keys = row.keyList.flatMap(({ value, label }, index): RowKey[] => {
      const dimension = dimensions[index];
      return dimension === undefined ? [] : [{ dimension, value, label: valueLabel(dimension, value, label) }];
    });
    const { cost, previousCost, change, directCost, sharedCost, quantity, unit, resourceId } = row;
    const shown = {
      key: JSON.stringify(keys.map(({ value }) => value)),
      keys,
      name: keys[0]?.label ?? '',
      days: null,
      colour: (cost !== 0 && colours.get(seriesKey(keys[0]?.value ?? null))) || rest,
      cost,
      direct: directCost,
      shared: sharedCost,
      // The percentages of the API are rounded: rounded again, they would differ from those of the totals.
      share: shareOf(cost, totalCost),
      before: previousCost,
      change,
      changePercent: previousCost === null ? null : changeOf(cost, previousCost),
      quantity,
      unit,
      resourceId,
    };
    return isUnknown ? withoutChange(shown) : shown;
  });
}

/** Removes the change if costs are incomplete, which would look like savings or growth, and also earlier costs of 0: the row would look
 *  new. */
export function withoutChange(row: Row): Row {
  return { ...row, change: null, changePercent: null, ...(row.before === 0 && { before: null }) };
}

/** Series key of a value. */
export function seriesKey(value: string | null): string {
  return value === null ? 'none' : `=${value}`;
}

/** Sort keys of the table; a leading `-` sorts descending. */
export const sorts = ['name', 'direct', 'shared', 'cost', 'before', 'change', 'changePercent'] as const;
export type Sort = (typeof sorts)[number];

/** Sorts rows. `name` sorts days by date. */
export function sorted(rows: readonly Row[], sort: string): readonly Row[] {
  const isDown = sort.startsWith('-');
  const field = sorts.find((one) => one === (isDown ? sort.slice(1) : sort));
  if (field === undefined) return rows;
  const up = isDown ? -1 : 1;
  if (field === 'name') {
    const keyed = rows.map((row) => ({ row, name: row.days ? row.key : row.name.toLowerCase() }));
    keyed.sort((one, other) => up * (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    return keyed.map(({ row }) => row);
  }
  // Unknown values come last in both directions.
  const valueOf = (row: Row) => row[field];
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return up * (a - b);
  });
}

/** Rows with a name that contains the text, ignoring case, or a service that it abbreviates. */
export function found(rows: readonly Row[], text: string): readonly Row[] {
  const isFound = ({ name, keys }: Row) =>
    [name, ...keys.map(({ label }) => label)].some((one) => nameMatches(one, text));
  return text === '' ? rows : rows.filter(isFound);
}

// Costs are numbers with 6 decimals. Summing whole millionths makes sums match the API's exactly.

/** Converts a cost to millionths. */
export function micros(cost: number): number {
  return Math.round(cost * 1_000_000);
}

/** Converts millionths to a cost. */
export function fromMicros(value: number): number {
  return value / 1_000_000;
}

/** Exact sum of costs. */
export function sumOf(costs: Iterable<number>): number {
  let sum = 0;
  for (const cost of costs) sum += micros(cost);
  return fromMicros(sum);
}

/** Percentage of a whole; null if the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

/** Percentage change; null unless the previous value is above 0. */
export function changeOf(now: number, before: number): number | null {
  return isChangeBase(before) ? ((now - before) / before) * 100 : null;
}
