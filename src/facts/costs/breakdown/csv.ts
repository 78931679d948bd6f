import { z } from 'zod';
import type { CsvLayout } from '../../../kit/spreadsheet.ts';
import { isLabelled } from '../dimensions.ts';
import { distinctNames, seriesTable, totalTable, valueName, type NamedSeries } from '../series-csv.ts';

const point = z.object({ date: z.string(), cost: z.number() });
const figures = {
  cost: z.number(),
  percentage: z.number().nullable(),
  previous_cost: z.number().nullable(),
  change: z.number().nullable(),
  change_percent: z.number().nullable(),
  points: z.array(point).nullable(),
};
const answer = z.object({
  currency: z.string(),
  group_by: z.array(z.string()),
  rows: z.array(
    z.object({
      keys: z.record(z.string(), z.string().nullable()),
      labels: z.record(z.string(), z.string().nullable()),
      quantity: z.number().nullable(),
      unit: z.string().nullable(),
      ...figures,
    }),
  ),
  other: z.object({ count: z.number(), ...figures }),
});

type Answer = z.output<typeof answer>;
type Cells = readonly (string | number | null)[];

/** The rows of `GET /costs` as CSV, with names as the console shows them: a line for each row, or a series with a line for
 *  each date and group; what is not shown is the last row. A wide series has a column for each group. */
export function breakdownCsv(json: unknown, layout: CsvLayout): Cells[] {
  const value = answer.parse(json);
  const isSeries = [...value.rows, value.other].some(({ points }) => points !== null);
  if (!isSeries) return plain(value);
  if (value.group_by.length > 0) return seriesTable(named(value), value.currency, layout);
  return totalTable(value.rows[0]?.points ?? [], value.currency);
}

function named({ rows, other, group_by: groups }: Answer): NamedSeries[] {
  const textOf = (nameOf: (dimension: string, value: string | null, label: string | null) => string) =>
    rows.map(({ keys, labels }) =>
      groups.map((each) => nameOf(each, keys[each] ?? null, labels[each] ?? null)).join(' / '),
    );
  const ids = textOf((dimension, value) => valueName(dimension, value));
  const names = distinctNames(textOf(valueName), ids);
  return [
    ...rows.map(({ points }, index) => ({ name: names[index] ?? '', points: points ?? [] })),
    ...(other.count === 0 ? [] : [{ name: otherName(other.count), points: other.points ?? [] }]),
  ];
}

function otherName(count: number): string {
  return `Other (${count} rows)`;
}

function plain(value: Answer): Cells[] {
  const { rows, other, currency, group_by: groups } = value;
  const figuresOf = (row: Answer['rows'][number] | Answer['other']) => [
    row.cost,
    row.percentage,
    row.previous_cost,
    row.change,
    row.change_percent,
  ];
  const header = ['cost', 'percentage', 'previous_cost', 'change', 'change_percent', 'quantity', 'unit', 'currency'];
  return [
    [...columnsOf(groups), ...header],
    ...rows.map((row) => [...cellsOf(row, groups), ...figuresOf(row), row.quantity, row.unit, currency]),
    ...(other.count === 0 ? [] : [[...restCells(groups, other.count), ...figuresOf(other), null, null, currency]]),
  ];
}

/** A dimension whose values have names gets a column for them. Columns are called as in the CSV of the other cost views. */
function columnsOf(groups: readonly string[]): string[] {
  const idOf = (name: string) => (name === 'region' ? name : `${name}_id`);
  return groups.flatMap((name) => (isLabelled(name) ? [idOf(name), `${name}_name`] : [name]));
}

function cellsOf({ keys, labels }: Answer['rows'][number], groups: readonly string[]): Cells {
  return groups.flatMap((name) => {
    const value = keys[name] ?? null;
    return isLabelled(name) ? [value, valueName(name, value, labels[name] ?? null)] : [valueName(name, value)];
  });
}

function restCells(groups: readonly string[], count: number): Cells {
  return columnsOf(groups).map((_, index) => (index === 0 ? otherName(count) : null));
}
