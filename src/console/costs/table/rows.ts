import { rest } from '../../charts/legend.tsx';
import { type Dimension, valueLabel } from '../dimensions.ts';
import type { CostsAnswer } from '../queries.ts';
import type { Chart } from '../stacks.ts';

/** A value of a dimension that a row is about; null is a charge without one. */
export interface RowKey {
  readonly dimension: Dimension;
  readonly value: string | null;
  readonly label: string;
}

/** A row of the table: a group, or a bar of the chart, beside the period before. */
export interface Row {
  readonly key: string;
  /** One for each dimension; a bar has none. */
  readonly keys: readonly RowKey[];
  /** What the first column says. */
  readonly name: string;
  /** The days of a bar, both included. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Colour of its first value in the chart. */
  readonly colour: string;
  readonly cost: number;
  /** In percent of all; null where the total is 0. */
  readonly share: number | null;
  /** Cost of the period before; null when it is not compared. */
  readonly before: number | null;
  readonly change: number | null;
  /** In percent of the cost before; null where that is 0. */
  readonly changePercent: number | null;
  /** FOCUS ConsumedQuantity in `unit`, where one unit holds. */
  readonly quantity: number | null;
  readonly unit: string | null;
  /** Id of the resource's page. */
  readonly resourceId: string | null;
}

/** The rows of an answer in its order.
 *  @param colours of the chart's series, by their values */
export function groupRows(
  { rows }: CostsAnswer,
  dimensions: readonly Dimension[],
  colours: ReadonlyMap<string, string>,
): Row[] {
  return rows.map((row) => {
    const keys = row.keyList.flatMap(({ value, label }, index): RowKey[] => {
      const dimension = dimensions[index];
      return dimension === undefined ? [] : [{ dimension, value, label: valueLabel(dimension, value, label) }];
    });
    const { cost, percentage, previousCost, change, changePercent, quantity, unit, resourceId } = row;
    return {
      key: JSON.stringify(keys.map(({ value }) => value)),
      keys,
      name: keys[0]?.label ?? '',
      days: null,
      colour: (cost !== 0 && colours.get(seriesKey(keys[0]?.value ?? null))) || rest,
      cost,
      share: percentage,
      before: previousCost,
      change,
      changePercent,
      quantity,
      unit,
      resourceId,
    };
  });
}

/** The key of a value's series in the chart. */
export function seriesKey(value: string | null): string {
  return value === null ? 'none' : `=${value}`;
}

/** The bars of a chart as rows.
 *  @param total of all bars
 *  @param before the bars of the period before; null when it is not compared */
export function barRows({ stacks, series }: Chart, total: number, before: readonly (number | null)[] | null): Row[] {
  return stacks.map(({ key, title, days, parts }, index) => {
    const cost = sumOf(parts);
    const was = before === null ? null : (before[index] ?? 0);
    return {
      key,
      keys: [],
      name: title,
      days,
      colour: series[0]?.colour ?? rest,
      cost,
      share: shareOf(cost, total),
      before: was,
      change: was === null ? null : fromMicros(micros(cost) - micros(was)),
      changePercent: was === null ? null : changeOf(cost, was),
      quantity: null,
      unit: null,
      resourceId: null,
    };
  });
}

/** What the table can be sorted by; with `-` before it, descending. */
export const sorts = ['name', 'cost', 'before', 'change', 'changePercent'] as const;
export type Sort = (typeof sorts)[number];

/** Sorts rows. Days sort by their date under `name`. */
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
  // Unknown values stand last in either direction.
  const valueOf = (row: Row) => row[field];
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return up * (a - b);
  });
}

/** The rows with a text in one of their names, whatever its case. */
export function found(rows: readonly Row[], text: string): readonly Row[] {
  const asked = text.toLowerCase();
  const isFound = ({ name, keys }: Row) =>
    [name, ...keys.map(({ label }) => label)].some((one) => one.toLowerCase().includes(asked));
  return asked === '' ? rows : rows.filter(isFound);
}

// Costs come as numbers with 6 decimals. They are added up in whole millionths, so that sums end where the API's do.

/** A cost in millionths. */
export function micros(cost: number): number {
  return Math.round(cost * 1_000_000);
}

/** A cost from millionths. */
export function fromMicros(value: number): number {
  return value / 1_000_000;
}

/** What costs add up to, exactly. */
export function sumOf(costs: Iterable<number>): number {
  let sum = 0;
  for (const cost of costs) sum += micros(cost);
  return fromMicros(sum);
}

/** A part of a whole in percent; null where there is nothing to divide by. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (part / whole) * 100;
}

/** A change in percent of what was; null where that is nothing. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / Math.abs(before)) * 100;
}
