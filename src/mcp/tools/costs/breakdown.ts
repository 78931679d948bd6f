import { z } from 'zod';
import { microsToNumber, sumAmounts } from '../../../kit/money.ts';
import type { Query } from '../../api/api.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { cut } from '../../cut.ts';
import type { Days } from '../../input/period.ts';
import { percentOf, microsOf, sumOf } from '../../micros.ts';
import { costBasis } from './answer.ts';
import { changeFields, changeOf } from './comparison.ts';

const changes = z.object(changeFields).partial().shape;
const figures = {
  cost: z.number(),
  percentage: z.number().nullable(),
  previous_cost: z.number().nullable(),
};

/** What the API answers to a question over any dimensions. */
export const breakdown = z.object({
  ...costBasis,
  previous: z.object({ start_date: z.string(), end_date: z.string(), total_cost: z.number() }).nullable(),
  rows: z.array(
    z.object({
      ...figures,
      keys: z.record(z.string(), z.string().nullable()),
      labels: z.record(z.string(), z.string().nullable()),
      resource_id: z.string().nullable(),
      quantity: z.number().nullable(),
      unit: z.string().nullable(),
      points: z.array(z.object({ date: z.string(), cost: z.number() })).nullable(),
    }),
  ),
  other: z.object({ ...figures, count: z.int() }),
});

type Answer = z.output<typeof breakdown>;

/** A row as the tool answers it. */
export const breakdownRow = z.object({
  keys: z.record(z.string(), z.string().nullable()).describe('null without a value, such as untagged'),
  names: z.record(z.string(), z.string()).optional().describe('Readable names of ids'),
  resource_id: z.string().optional().describe('Inventory id'),
  cost: z.number(),
  percentage: z.number().nullable(),
  ...changes,
  quantity: z.number().optional(),
  unit: z.string().optional(),
});

type Row = z.output<typeof breakdownRow>;

/** Filters of the tool: values by dimension. */
export type DimensionValues = Readonly<Record<string, readonly string[]>>;

/** The dimensions that the API groups and filters by, beside tags. */
const dimensions = [
  'account',
  'sub_account',
  'provider',
  'service',
  'service_category',
  'region',
  'availability_zone',
  'resource',
  'resource_type',
  'sku',
  'meter',
  'charge_category',
  'pricing_category',
  'commitment',
  'publisher',
  'invoice',
] as const;

/** The parameters of the API for filters.
 *  @throws {BadArguments} when a filter is of no dimension: the API could take it as another parameter */
export function filterQuery(filters: DimensionValues, exclude: DimensionValues): Query {
  return { ...sideOf(filters, ''), ...sideOf(exclude, 'exclude_') };
}

function sideOf(filters: DimensionValues, prefix: string): Record<string, readonly string[]> {
  const query: Record<string, readonly string[]> = {};
  for (const [dimension, values] of Object.entries(filters)) {
    if (dimension !== 'tag' && !dimension.startsWith('tag:') && !dimensions.some((name) => name === dimension)) {
      const at = prefix === '' ? 'filters' : 'exclude';
      const name = `${at}.${cut(dimension, 80)}`;
      throw new BadArguments(`${name} is not a dimension: use ${dimensions.join(', ')} or tag:KEY`, name);
    }
    const key = dimension.startsWith('tag:') ? dimension.slice('tag:'.length).replaceAll(':', '\\:') : null;
    const name = `${prefix}${key === null ? dimension : 'tag'}`;
    query[name] = [...(query[name] ?? []), ...values.map((value) => (key === null ? value : `${key}:${value}`))];
  }
  return query;
}

/** Longer ones are none of a cloud; the answer has an end whatever a bill says. */
const longestName = 300;
/** So that an answer has an end, however long the names are. */
const mostCharacters = 45_000;

/** Rows of the API as the tool answers them; rows that are too long count as other. */
export function rowsOf({ rows, other, previous, total_cost: total }: Answer) {
  const isCompared = previous !== null;
  const figuresOf = ({
    cost,
    percentage,
    previous_cost: before,
  }: Pick<Row, 'cost' | 'percentage'> & { previous_cost: number | null }) => ({
    cost,
    percentage,
    ...(isCompared ? changeOf(microsOf(cost), microsOf(before ?? 0)) : {}),
  });
  let characters = 0;
  const shown = rows
    .map((row): Row => ({ ...namesOf(row), ...figuresOf(row), ...quantityOf(row) }))
    .filter((row) => (characters += JSON.stringify(row).length) <= mostCharacters);
  const rest = [...rows.slice(shown.length), other];
  const count = rows.length - shown.length + other.count;
  if (count === 0) return { groups: shown };
  const cost = sumOf(rest.map((row) => row.cost));
  const before = microsToNumber(sumAmounts(rest.map((row) => microsOf(row.previous_cost ?? 0))));
  const percentage = rest.length === 1 ? other.percentage : percentOf(cost, total);
  return {
    groups: shown,
    other: { count, ...figuresOf({ cost, percentage, previous_cost: before }) },
    truncated: true,
  };
}

function namesOf({
  keys,
  labels,
  resource_id: resource,
}: Answer['rows'][number]): Pick<Row, 'keys' | 'names' | 'resource_id'> {
  const short = (texts: Readonly<Record<string, string | null>>) =>
    Object.entries(texts).map(([name, text]) => [name, text === null ? null : cut(text, longestName)] as const);
  const known = short(labels).filter(
    (entry): entry is readonly [string, string] => entry[1] !== null && entry[1] !== keys[entry[0]],
  );
  return {
    keys: Object.fromEntries(short(keys)),
    ...(known.length > 0 && { names: Object.fromEntries(known) }),
    ...(resource !== null && { resource_id: resource }),
  };
}

function quantityOf({ quantity, unit }: Answer['rows'][number]): Pick<Row, 'quantity' | 'unit'> {
  return quantity === null || unit === null ? {} : { quantity, unit };
}

/** The months of a range by themselves, from an answer with monthly points and no groups. */
export function monthsOf({ rows }: Answer, { start_date: start }: Days): { period_start: string; cost: number }[] {
  const points = rows[0]?.points ?? [{ date: start, cost: 0 }];
  return points.map(({ date, cost }) => ({ period_start: date, cost }));
}
