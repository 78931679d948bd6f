import { z } from 'zod';
import { monthOf, type Day } from '../../../kit/period.ts';
import type { Query } from '../../api/api.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { costFilters, several } from '../../input/filters.ts';
import { periodInput, type Days } from '../../input/period.ts';
import { defineTool, type Caller } from '../tool.ts';
import { basisOf, costAnswer } from './answer.ts';
import { breakdown, breakdownRow, filterQuery, monthsOf, rowsOf } from './breakdown.ts';
import { comparableDays, compare, comparison, lateBeginning } from './comparison.ts';
import { costDaysOf, costMetric } from './question.ts';
import { other } from './ranking.ts';

const values = z.record(z.string(), several.unwrap());

const input = z.strictObject({
  group_by: z
    .array(z.string())
    .min(1)
    .max(3)
    .describe(
      '1 to 3 of account, sub_account (AWS account, Azure subscription, Google project), provider, service, service_category, ' +
        'region, availability_zone, resource, resource_type, sku, meter, charge_category, pricing_category, commitment, ' +
        'publisher, invoice, tag:KEY (keys from get_tag_compliance)',
    ),
  ...periodInput,
  ...costFilters,
  filters: values
    .optional()
    .describe(
      'More filters, by dimension: {"resource": ["i-1"], "tag:team": ["web"]}; ab* matches a prefix, (none) no value',
    ),
  exclude: values.optional().describe('Same form as filters: excludes these'),
  cost_metric: costMetric,
  compare_previous: z
    .boolean()
    .optional()
    .describe('Adds changes from the previous period; end_date then moves to the last day with complete costs'),
  sort_by: z
    .enum(['cost', 'increase', 'decrease'])
    .optional()
    .describe('Default cost; the others compare with the previous period'),
  limit: z.int().min(1).max(100).optional().describe('Number of groups; default 20, rest in other'),
});

type Arguments = z.output<typeof input>;
type Answer = z.output<typeof breakdown>;

export const getCostBreakdown = defineTool({
  name: 'get_cost_breakdown',
  title: 'Cost breakdown',
  description:
    'Costs of a period by up to three dimensions such as service, account, resource, meter or tag, sorted by ' +
    'cost or by increase from the previous period. For totals use get_cost_summary, for days get_daily_costs.',
  effect: 'read',
  input,
  output: z.object({
    ...costAnswer,
    groups: z.array(breakdownRow),
    other,
    truncated: z.boolean().optional(),
    comparison: comparison.optional(),
  }),
  run: async (caller, args) => {
    const sortBy = args.sort_by ?? 'cost';
    if (args.compare_previous === false && sortBy !== 'cost')
      throw new BadArguments(`sort_by ${sortBy} compares with the previous period: omit compare_previous`, 'sort_by');
    const isCompared = args.compare_previous === true || sortBy !== 'cost';
    const answer = await (isCompared ? readCompared(caller, args) : read(caller, args, await costDaysOf(args, caller)));
    const note = (await beginningNote(caller, args, answer)) ?? tagNote(args, answer);
    return {
      ...basisOf(answer, caller, { isEmpty: answer.rows.length === 0, note }),
      ...rowsOf(answer),
      ...(answer.previous ? { comparison: compare(answer, answer.previous) } : {}),
    };
  },
});

const sorts = { cost: '-cost', increase: '-change', decrease: 'change' } as const;

function read({ api }: Caller, args: Arguments, days: Days, more: Query = {}): Promise<Answer> {
  const query = { group_by: args.group_by, limit: args.limit ?? 20, ...filtersOf(args), ...days, ...more };
  return api.get('/costs', query, breakdown);
}

function filtersOf({
  account_id: account,
  provider,
  service,
  region,
  cost_metric,
  filters,
  exclude,
}: Arguments): Query {
  const named = Object.entries({ account, provider, service, region }).flatMap(([name, some]) =>
    some ? [[name, some] as const] : [],
  );
  const both = named.find(([name]) => filters?.[name]);
  if (both) throw new BadArguments(`${both[0]} is also in filters: use it once`, both[0]);
  return { ...filterQuery({ ...filters, ...Object.fromEntries(named) }, exclude ?? {}), cost_metric };
}

/** The costs of the period asked for, cut to comparable days, beside those of the period before. */
async function readCompared(caller: Caller, args: Arguments): Promise<Answer> {
  const asked = await costDaysOf(args, caller);
  const kind = args.period === 'year_to_date' ? 'previous_year' : 'previous_period';
  const more = { compare: kind, sort_by: sorts[args.sort_by ?? 'cost'] };
  const whole = await read(caller, args, asked, more);
  const days = comparableDays(asked, whole.complete_through, caller.now);
  if (!days) throw new BadArguments(noneComplete(asked, whole.complete_through));
  return days.end_date === asked.end_date ? whole : read(caller, args, days, more);
}

/** What to know of a period before that lies in several months. */
async function beginningNote(caller: Caller, args: Arguments, { previous, rows }: Answer): Promise<string | null> {
  if (!previous || rows.length === 0) return null;
  const days = { start_date: previous.start_date as Day, end_date: previous.end_date as Day };
  if (monthOf(days.start_date) === monthOf(days.end_date))
    return lateBeginning([{ period_start: days.start_date, cost: previous.total_cost }]);
  return lateBeginning(monthsOf(await read(caller, args, days, { group_by: undefined, granularity: 'monthly' }), days));
}

/** Everything without a tag is more likely a key that nobody uses. */
function tagNote({ group_by: groups, exclude }: Arguments, { rows }: Answer): string | null {
  const [dimension = ''] = groups;
  if (exclude || groups.length !== 1 || !dimension.startsWith('tag:') || rows.length !== 1) return null;
  if (Object.values(rows[0]?.keys ?? {})[0] !== null) return null;
  return `No cost has the tag "${dimension.slice('tag:'.length)}": get_tag_compliance lists the existing keys.`;
}

function noneComplete({ start_date, end_date }: Days, through: string | null): string {
  const known =
    through === null ? 'are in the future' : `are after the last complete day: costs are complete through ${through}`;
  return `${start_date} to ${end_date} ${known}. Compare earlier days, or omit compare_previous and sort_by`;
}
