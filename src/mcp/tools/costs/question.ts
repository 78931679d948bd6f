import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { type Day, dayOf } from '../../../kit/time/period.ts';
import type { Query } from '../../api/client.ts';
import { costFilters, type Days, daysOf, isTrailing, type PeriodArguments, periodInput, several } from '../../input.ts';
import { BadArguments } from '../../api/failure.ts';
import type { Caller } from '../tool.ts';
import { hint, missingHint, provisionalHint, rateIsMissing, unconverted, unconvertedOf } from '../../output.ts';

/** The cost metric. */
export const costMetric = shapes.CostMetric.optional().describe(
  'Default effective: commitments amortized; billed: as invoiced',
);

/** Filters of a cost query, without its period. */
export const costsInput = {
  ...costFilters,
  tag_key: z.string().optional().describe('Key from get_tag_compliance, or virtual:KEY'),
  tag_value: several.describe('Values of tag_key'),
  cost_metric: costMetric,
};

/** Filters and period of a cost query. */
export const costInput = { ...periodInput, ...costsInput };

type CostArguments = z.output<z.ZodObject<typeof costsInput>>;

/** The tag argument of tools that can also split by tag. */
export const tagToSplitBy = z
  .string()
  .optional()
  .describe('Group key for dimension tag, else a filter; from get_tag_compliance, or virtual:KEY');

const completeness = z.object({ last_complete_day: z.string().nullable() });

/** Resolves the period; trailing periods end with the last complete day, which is requested from the API.
 *  @param accountId the accounts in question; all by default */
export async function completeDaysOf(
  args: PeriodArguments,
  { api, now }: Caller,
  accountId?: readonly string[] | undefined,
): Promise<Days> {
  const days = daysOf(args, now);
  if (!isTrailing(args)) return days;
  const { last_complete_day: last } = await api.get('/costs/summary', { ...days, account_id: accountId }, completeness);
  return daysOf(args, now, undefined, (last as Day | null) ?? dayOf(now));
}

/** Resolves the period of a cost query.
 *  @throws {BadArguments} if it is in the future or not a valid range */
export async function costDaysOf(
  args: PeriodArguments & Pick<CostArguments, 'account_id'>,
  caller: Caller,
): Promise<Days> {
  const { now } = caller;
  const days = await completeDaysOf(args, caller, args.account_id);
  if (days.start_date > dayOf(now))
    throw new BadArguments(`start_date ${days.start_date} is in the future: use get_forecast`, 'start_date');
  return days;
}

/** Builds the API query.
 *  @throws {BadArguments} for a tag value without a tag key */
export function costQuery(args: CostArguments, days: Days): Query {
  if (args.tag_key === undefined && args.tag_value)
    throw new BadArguments('tag_value requires tag_key: add the key of these values', 'tag_value');
  const names = Object.keys(costsInput) as (keyof CostArguments)[];
  return { ...days, ...Object.fromEntries(names.map((name) => [name, args[name]])) };
}

/** Fields of every cost response of the API. */
export const costBasis = shapes.CostsSummary.omit({ granularity: true, periods: true }).shape;

export type CostBasis = z.output<z.ZodObject<typeof costBasis>>;

/** Fields of every cost response of a tool: provisional rates and missing bills are in the hint, and comparisons end with the last complete day. */
const {
  provisional_rates: _rates,
  missing_bills: _missing,
  last_complete_day: _last,
  data_from: _from,
  ...shownBasis
} = costBasis;
export const costAnswer = { ...shownBasis, unconverted, hint };

interface About {
  /** Whether there are no costs at all, as opposed to costs and credits that add up to 0. */
  readonly isEmpty?: boolean;
  /** Another note on the figures; null if there is none. */
  readonly note?: string | null;
}

/** The basis of a response's figures, with notes on them. */
export function basisOf(basis: CostBasis, about: About = {}) {
  const { start_date, end_date, currency, cost_metric, total_cost, complete_through } = basis;
  const text = hintOf(basis, about);
  return {
    start_date,
    end_date,
    currency,
    cost_metric,
    total_cost,
    complete_through,
    ...unconvertedOf(basis.unconverted),
    ...(text === '' ? {} : { hint: text }),
  };
}

function hintOf(basis: CostBasis, { isEmpty = basis.total_cost === 0, note = null }: About): string {
  const { end_date: end, complete_through: through, unconverted: left } = basis;
  const hints: string[] = [];
  if (isEmpty && left.length === 0)
    hints.push(
      'No costs found: try other days (period last_90_days) or fewer filters. get_cost_breakdown lists names to filter by; list_accounts shows which days have data.',
    );
  else if (through !== null && through < end) hints.push(`Costs after ${through} are still incomplete.`);
  if (left.length > 0) hints.push(rateIsMissing);
  const provisional = provisionalHint(basis.provisional_rates);
  if (provisional !== undefined) hints.push(provisional);
  const missing = missingHint(basis.missing_bills);
  if (missing !== undefined) hints.push(missing);
  if (note !== null) hints.push(note);
  return hints.join(' ');
}
