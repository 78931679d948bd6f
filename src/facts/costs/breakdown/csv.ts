import { z } from 'zod';
import { isLabelled } from '../dimensions.ts';

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

/** The rows of `GET /costs` as CSV: a line for each row, or for each row and date; what is not shown is the last row. */
export function breakdownCsv(json: unknown): Cells[] {
  const value = answer.parse(json);
  const isSeries = [...value.rows, value.other].some(({ points }) => points !== null);
  return isSeries ? series(value) : plain(value);
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

function series({ rows, other, currency, group_by: groups }: Answer): Cells[] {
  const lines = (cells: Cells, points: Answer['other']['points']) =>
    (points ?? []).map(({ date, cost }) => [date, ...cells, cost, currency]);
  return [
    ['date', ...columnsOf(groups), 'cost', 'currency'],
    ...rows.flatMap((row) => lines(cellsOf(row, groups), row.points)),
    ...(other.count === 0 ? [] : lines(restCells(groups, other.count), other.points)),
  ];
}

/** A dimension whose values have names gets a column for them. */
function columnsOf(groups: readonly string[]): string[] {
  return groups.flatMap((name) => (isLabelled(name) ? [name, `${name}_name`] : [name]));
}

function cellsOf({ keys, labels }: Answer['rows'][number], groups: readonly string[]): Cells {
  return groups.flatMap((name) => {
    const value = keys[name] ?? null;
    if (isLabelled(name)) return [value, labels[name] ?? null];
    return [value === null && name.startsWith('tag:') ? 'Untagged' : value];
  });
}

function restCells(groups: readonly string[], count: number): Cells {
  return columnsOf(groups).map((_, index) => (index === 0 ? `Other (${count} rows)` : null));
}
