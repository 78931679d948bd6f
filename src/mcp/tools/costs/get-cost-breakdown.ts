import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import type { Query } from '../../api/client.ts';
import { BadArguments } from '../../api/failure.ts';
import { costFilters, type Days, periodInput, several } from '../../input.ts';
import { type Caller, defineTool } from '../tool.ts';
import { basisOf, costAnswer, costDaysOf, costMetric } from './question.ts';
import { changeOf, comparableDays, compare, comparison, unknownChange } from './comparison.ts';
import { figures, other as otherRow } from './ranking.ts';
import { microsToNumber, sumAmounts } from '../../../kit/money.ts';
import { cut, fitting, longestName } from '../../fit.ts';
import { microsOf, percentOf, sumOf } from '../../output.ts';

type Answer = z.output<typeof shapes.Costs>;

/** A row of the tool's response. */
const breakdownRow = z.object({
  keys: z.record(z.string(), z.string().nullable()).describe('null: no value'),
  names: z.record(z.string(), z.string()).optional().describe('Names of ids'),
  resource_id: z.string().optional().describe('Inventory id'),
  ...figures,
  direct_cost: z.number().optional(),
  shared_cost: z.number().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
});

type Row = z.output<typeof breakdownRow>;

/** Filters of the tool: values by dimension. */
type DimensionValues = Readonly<Record<string, readonly string[]>>;

/** The dimensions that the API groups and filters by, besides tags. */
const dimensions = [
  'account',
  'sub_account',
  'billing_account',
  'provider',
  'service',
  'service_category',
  'region',
  'availability_zone',
  'resource',
  'allocated_resource',
  'resource_type',
  'sku',
  'meter',
  'charge_category',
  'pricing_category',
  'commitment',
  'commitment_status',
  'publisher',
  'invoice',
  'cluster',
  'namespace',
  'workload',
] as const;

/** Converts filters to API parameters.
 *  @throws {BadArguments} for an unknown dimension, which the API could take for another parameter */
function filterQuery(filters: DimensionValues, exclude: DimensionValues): Query {
  return { ...sideOf(filters, ''), ...sideOf(exclude, 'exclude_') };
}

function sideOf(filters: DimensionValues, prefix: string): Record<string, readonly string[]> {
  const query: Record<string, readonly string[]> = {};
  for (const [dimension, values] of Object.entries(filters)) {
    const [, kind = dimension, written = null] = /^(tag|virtual):(.*)$/su.exec(dimension) ?? [];
    if (dimension !== 'tag' && written === null && !dimensions.some((name) => name === dimension)) {
      const at = prefix === '' ? 'filters' : 'exclude';
      const name = `${at}.${cut(dimension, 80)}`;
      throw new BadArguments(`${name} is not a dimension: use ${dimensions.join(', ')}, tag:KEY or virtual:KEY`, name);
    }
    const key = written?.replaceAll(':', '\\:') ?? null;
    const name = `${prefix}${kind}`;
    query[name] = [...(query[name] ?? []), ...values.map((value) => (key === null ? value : `${key}:${value}`))];
  }
  return query;
}

/** Converts API rows to the tool's rows; rows that are too long count as other. */
function rowsOf(answer: Answer) {
  const { rows, other, previous, total_cost: total } = answer;
  const isComparable = previous !== null && unknownChange(answer, previous) === null;
  const figuresOf = ({
    cost,
    percentage,
    previous_cost: before,
  }: Pick<Row, 'cost' | 'percentage'> & { previous_cost: number | null }) => ({
    cost,
    percentage,
    ...(previous ? changeOf(microsOf(cost), microsOf(before ?? 0), isComparable) : {}),
  });
  const shown = fitting(
    rows.map((row): Row => ({ ...namesOf(row), ...figuresOf(row), ...sharedOf(row), ...quantityOf(row) })),
  );
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

function sharedOf({
  direct_cost: direct,
  shared_cost: shared,
}: Answer['rows'][number]): Pick<Row, 'direct_cost' | 'shared_cost'> {
  return direct === null || shared === null ? {} : { direct_cost: direct, shared_cost: shared };
}

function quantityOf({ quantity, unit }: Answer['rows'][number]): Pick<Row, 'quantity' | 'unit'> {
  return quantity === null || unit === null ? {} : { quantity, unit };
}

const values = z.record(z.string(), several.unwrap());

const input = z.strictObject({
  group_by: z
    .array(z.string())
    .min(1)
    .max(3)
    .describe(
      `1 to 3 of ${dimensions.join(', ').replace('sub_account', '$& (subscription or project)')}, tag:KEY ` +
        '(see get_tag_compliance), virtual:KEY',
    ),
  ...periodInput,
  ...costFilters,
  filters: values.optional().describe('By dimension: {"tag:team": ["web"]}; ab* is a prefix, (none) no value'),
  exclude: values.optional().describe('Like filters, but excludes'),
  cost_metric: costMetric,
  compare_previous: z.boolean().optional().describe('Adds changes of complete days'),
  compare_year: z.boolean().optional().describe('With the year before'),
  sort_by: z.enum(['cost', 'increase', 'decrease']).optional().describe('Default cost; others compare periods'),
  include_shared: z.boolean().optional().describe('Splits shared costs of virtual:KEY'),
  limit: z.int().min(1).max(100).optional().describe('Groups; default 20, rest in other'),
});

type Arguments = z.output<typeof input>;
export const getCostBreakdown = defineTool({
  name: 'get_cost_breakdown',
  title: 'Cost breakdown',
  description: 'Costs by up to three dimensions. For totals use get_cost_summary, for days get_daily_costs.',
  effect: 'read',
  input,
  output: z.object({
    ...costAnswer,
    groups: z.array(breakdownRow),
    other: otherRow,
    truncated: z.boolean().optional(),
    comparison: comparison.optional(),
  }),
  run: async (caller, args) => {
    const sortBy = args.sort_by ?? 'cost';
    if (args.compare_previous === true && args.compare_year === true)
      throw new BadArguments('compare_previous and compare_year name two periods: use one of them', 'compare_year');
    if (args.compare_previous === false && args.compare_year !== true && sortBy !== 'cost')
      throw new BadArguments(`sort_by ${sortBy} compares with the previous period: omit compare_previous`, 'sort_by');
    const isCompared = args.compare_previous === true || args.compare_year === true || sortBy !== 'cost';
    const answer = await (isCompared ? readCompared(caller, args) : read(caller, args, await costDaysOf(args, caller)));
    const note = changeNote(answer) ?? skippedNote(answer) ?? tagNote(args, answer);
    return {
      ...basisOf(answer, { isEmpty: answer.rows.length === 0, note }),
      ...rowsOf(answer),
      ...(answer.previous ? { comparison: compare(answer, answer.previous) } : {}),
    };
  },
});

const sorts = { cost: '-cost', increase: '-change', decrease: 'change' } as const;

function read({ api }: Caller, args: Arguments, days: Days, more: Query = {}): Promise<Answer> {
  const query = { group_by: args.group_by, limit: args.limit ?? 20, ...filtersOf(args), ...days, ...more };
  return api.get('/costs', query, shapes.Costs);
}

function filtersOf({
  account_id: account,
  provider,
  service,
  region,
  cost_metric,
  filters,
  exclude,
  include_shared: shared,
}: Arguments): Query {
  const named = Object.entries({ account, provider, service, region }).flatMap(([name, some]) =>
    some ? [[name, some] as const] : [],
  );
  const both = named.find(([name]) => filters?.[name]);
  if (both) throw new BadArguments(`${both[0]} is also in filters: use it once`, both[0]);
  const sides = filterQuery({ ...filters, ...Object.fromEntries(named) }, exclude ?? {});
  return { ...sides, cost_metric, ...(shared === true && { include_shared: 'true' }) };
}

/** The costs of the requested period, cut to comparable days, with those of the comparison period. */
async function readCompared(caller: Caller, args: Arguments): Promise<Answer> {
  const asked = await costDaysOf(args, caller);
  const isYear = args.compare_year === true || args.period === 'year_to_date';
  const kind = isYear ? 'previous_year' : 'previous_period';
  const more = { compare: kind, sort_by: sorts[args.sort_by ?? 'cost'] };
  const whole = await read(caller, args, asked, more);
  const days = comparableDays(asked, whole.last_complete_day, caller.now);
  if (!days) throw new BadArguments(noneComplete(asked, whole.last_complete_day));
  return days.end_date === asked.end_date ? whole : read(caller, args, days, more);
}

function changeNote(answer: Answer): string | null {
  const { previous, rows } = answer;
  return previous === null || rows.length === 0 ? null : unknownChange(answer, previous);
}

function skippedNote({ skipped_splits: skipped }: Answer): string | null {
  if (!skipped || skipped.length === 0) return null;
  const some = skipped.slice(0, 5).map(({ name, month }) => `${cut(name, 40)} in ${month.slice(0, 7)}`);
  return `Shared costs without a target were not split: ${some.join(', ')}.`;
}

/** If everything is untagged, the key is probably unused. */
function tagNote({ group_by: groups, exclude }: Arguments, { rows }: Answer): string | null {
  const [dimension = ''] = groups;
  if (exclude || groups.length !== 1 || !dimension.startsWith('tag:') || rows.length !== 1) return null;
  if (Object.values(rows[0]?.keys ?? {})[0] !== null) return null;
  return `No cost has the tag "${dimension.slice('tag:'.length)}": get_tag_compliance lists the existing keys.`;
}

function noneComplete({ start_date, end_date }: Days, last: string | null): string {
  const known = last === null ? 'are in the future' : `are after the last complete day, ${last}`;
  return `${start_date} to ${end_date} ${known}. Compare earlier days, or omit compare_previous and sort_by`;
}
