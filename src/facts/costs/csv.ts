import { z } from 'zod';
import { providerName } from '../../kit/text/provider-name.ts';
import type { CsvLayout } from '../../kit/text/spreadsheet.ts';
import { isLabelled } from './dimensions.ts';

type Cells = readonly (string | number | null)[];

/** A series of a group, with its display name. */
interface NamedSeries {
  readonly name: string;
  readonly points: readonly { readonly date: string; readonly cost: number }[];
}

/** Returns the console's display text of a dimension value; null is a charge without one.
 *  @param label its display name, if it has one */
export function valueName(dimension: string, value: string | null, label: string | null = null): string {
  if (value === null || (value === '' && dimension === 'region'))
    return dimension.startsWith('tag:') ? 'Untagged' : `No ${dimension.replaceAll('_', ' ')}`;
  if (value === '') return '(empty)';
  if (dimension === 'provider') return providerName(value);
  if (dimension === 'charge_category' || dimension === 'pricing_category' || dimension === 'commitment_status')
    return value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');
  return label || value;
}

/** Formats series as a table: `long` has a row per date and group, `wide` a row per date and a column per group. */
function seriesTable(series: readonly NamedSeries[], currency: string, layout: CsvLayout): Cells[] {
  const dates = [...new Set(series.flatMap(({ points }) => points.map(({ date }) => date)))].toSorted();
  const groups = series.map(({ name, points }) => {
    const costs = new Map(points.map(({ date, cost }) => [date, cost]));
    return { name, costOn: (date: string) => costs.get(date) ?? 0 };
  });
  if (layout === 'wide')
    return [
      ['date', ...groups.map(({ name }) => name), 'currency'],
      ...dates.map((date) => [date, ...groups.map(({ costOn }) => costOn(date)), currency]),
    ];
  return [
    ['date', 'group', 'cost', 'currency'],
    ...dates.flatMap((date) => groups.map(({ name, costOn }) => [date, name, costOn(date), currency])),
  ];
}

/** Formats an ungrouped series as a table with a row per date. */
function totalTable(points: NamedSeries['points'], currency: string): Cells[] {
  return [['date', 'cost', 'currency'], ...points.map(({ date, cost }) => [date, cost, currency])];
}

/** Makes group names distinct by appending a distinction to those that several groups share.
 *  @param distinctions one for each name */
function distinctNames(names: readonly string[], distinctions: readonly string[]): string[] {
  const shared = Map.groupBy(names, (name) => name);
  return names.map((name, index) => ((shared.get(name)?.length ?? 0) > 1 ? `${name} (${distinctions[index]})` : name));
}

const group = z.object({
  service: z.string().nullable(),
  account_id: z.string().nullable(),
  account_name: z.string().nullable(),
  region: z.string().nullable(),
  provider: z.string().nullable(),
  cost: z.number(),
});
const daily = z.object({
  currency: z.string(),
  group_by: z.enum(['service', 'account', 'region', 'provider']).nullable(),
  days: z.array(z.object({ date: z.string(), cost: z.number(), groups: z.array(group).nullable() })),
});

type Daily = z.output<typeof daily>;
type Group = z.output<typeof group>;

/** Formats `GET /costs/daily` as CSV: a row per day and group, or with `wide` a column per group; without groups, a row per
 *  day. */
export function dailyCsv(json: unknown, layout: CsvLayout): Cells[] {
  const answer = daily.parse(json);
  const { currency, days, group_by: by } = answer;
  return by === null ? totalTable(days, currency) : seriesTable(seriesOf(answer, by), currency, layout);
}

/** Returns every group with its cost for each day, largest first. */
function seriesOf({ days }: Daily, by: NonNullable<Daily['group_by']>): NamedSeries[] {
  const groups = new Map<string, Group>();
  const costs = days.map(({ groups: own }) => new Map((own ?? []).map((each) => [keyOf(each), each.cost])));
  for (const each of days.flatMap(({ groups: own }) => own ?? [])) groups.set(keyOf(each), each);
  const nameOf = (each: Group) =>
    by === 'account' ? valueName(by, each.account_id, each.account_name) : valueName(by, each[by]);
  // The same service or region at two providers makes two groups.
  const names = distinctNames(
    [...groups.values()].map(nameOf),
    [...groups.values()].map((each) => distinction(each, by)),
  );
  const series = [...groups.keys()].map((key, index) => {
    const points = days.map(({ date }, day) => ({ date, cost: costs[day]?.get(key) ?? 0 }));
    return { name: names[index] ?? '', points, sum: points.reduce((total, { cost }) => total + cost, 0) };
  });
  return series.toSorted((one, other) => other.sum - one.sum || (one.name < other.name ? -1 : 1));
}

function keyOf({ service, account_id: account, region, provider }: Group): string {
  return JSON.stringify([service, account, region, provider]);
}

function distinction({ account_id: account, provider }: Group, by: string): string {
  return by === 'account' ? (account ?? '') : valueName('provider', provider);
}

const byTag = z.object({
  currency: z.string(),
  groups: z.array(z.object({ tag_value: z.string().nullable(), cost: z.number(), percentage: z.number().nullable() })),
});

/** Formats `GET /costs/by-tag` as CSV. */
export function byTagCsv(json: unknown): Cells[] {
  const { currency, groups } = byTag.parse(json);
  return [
    ['tag_value', 'cost', 'percentage', 'currency'],
    ...groups.map(({ tag_value: value, cost, percentage }) => [valueName('tag:', value), cost, percentage, currency]),
  ];
}

const point = z.object({ date: z.string(), cost: z.number() });
const figures = {
  cost: z.number(),
  direct_cost: z.number().nullable(),
  shared_cost: z.number().nullable(),
  percentage: z.number().nullable(),
  previous_cost: z.number().nullable(),
  change: z.number().nullable(),
  change_percent: z.number().nullable(),
  points: z.array(point).nullable(),
};
const breakdown = z.object({
  currency: z.string(),
  group_by: z.array(z.string()),
  skipped_splits: z.array(z.object({})).nullable(),
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

type Breakdown = z.output<typeof breakdown>;

/** Formats the rows of `GET /costs` as CSV, with display names: a line per row, or for series a line per date and group. The
 *  remainder is the last row. With `wide`, a series has a column per group. */
export function breakdownCsv(json: unknown, layout: CsvLayout): Cells[] {
  const value = breakdown.parse(json);
  const isSeries = [...value.rows, value.other].some(({ points }) => points !== null);
  if (!isSeries) return plain(value);
  if (value.group_by.length > 0) return seriesTable(named(value), value.currency, layout);
  return totalTable(value.rows[0]?.points ?? [], value.currency);
}

function named({ rows, other, group_by: groups }: Breakdown): NamedSeries[] {
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
  return `Other (${count} ${count === 1 ? 'row' : 'rows'})`;
}

function plain(value: Breakdown): Cells[] {
  const { rows, other, currency, group_by: groups } = value;
  const isShared = value.skipped_splits !== null;
  const figuresOf = (row: Breakdown['rows'][number] | Breakdown['other']) => [
    row.cost,
    ...(isShared ? [row.direct_cost, row.shared_cost] : []),
    row.percentage,
    row.previous_cost,
    row.change,
    row.change_percent,
  ];
  const costs = isShared ? ['cost', 'direct_cost', 'shared_cost'] : ['cost'];
  const header = ['percentage', 'previous_cost', 'change', 'change_percent', 'quantity', 'unit', 'currency'];
  return [
    [...columnsOf(groups), ...costs, ...header],
    ...rows.map((row) => [...cellsOf(row, groups), ...figuresOf(row), row.quantity, row.unit, currency]),
    ...(other.count === 0 ? [] : [[...restCells(groups, other.count), ...figuresOf(other), null, null, currency]]),
  ];
}

/** Adds a name column for dimensions whose values have display names. Column names match the CSV of the other cost views. */
function columnsOf(groups: readonly string[]): string[] {
  const idOf = (name: string) => (name === 'region' ? name : `${name}_id`);
  return groups.flatMap((name) => (isLabelled(name) ? [idOf(name), `${name}_name`] : [name]));
}

function cellsOf({ keys, labels }: Breakdown['rows'][number], groups: readonly string[]): Cells {
  return groups.flatMap((name) => {
    const value = keys[name] ?? null;
    return isLabelled(name) ? [value, valueName(name, value, labels[name] ?? null)] : [valueName(name, value)];
  });
}

function restCells(groups: readonly string[], count: number): Cells {
  return columnsOf(groups).map((_, index) => (index === 0 ? otherName(count) : null));
}
