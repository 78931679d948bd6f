import { z } from 'zod';
import { lastCompleteDay } from '../../../kit/compared-days.ts';
import { dayOf, type Day } from '../../../kit/period.ts';
import type { Query } from '../../api/api.ts';
import { costFilters, several } from '../../input/filters.ts';
import { daysOf, isTrailing, periodInput, type Days, type PeriodArguments } from '../../input/period.ts';
import { BadArguments } from '../../bad-arguments.ts';
import type { Caller } from '../tool.ts';

/** Which cost is added up. */
export const costMetric = z
  .enum(['effective', 'billed', 'list', 'contracted'])
  .optional()
  .describe('Default effective: commitments amortized; billed: as invoiced');

/** Which costs a question is about, beside its days. */
export const costsInput = {
  ...costFilters,
  tag_key: z.string().optional().describe('Only costs with this tag; keys from get_tag_compliance'),
  tag_value: several.describe('Values of tag_key'),
  cost_metric: costMetric,
};

/** The same, and its days. */
export const costInput = { ...periodInput, ...costsInput };

type CostArguments = z.output<z.ZodObject<typeof costsInput>>;

/** The tag where costs can also be split by it. */
export const tagToSplitBy = z
  .string()
  .optional()
  .describe('Group key for dimension tag; otherwise only costs with this tag; keys from get_tag_compliance');

const basis = z.object({ complete_through: z.string().nullable() });

/** The days of a question; the last so many days end with the last complete one, for which the API is asked.
 *  @param accountId the accounts in question; all without it */
export async function completeDaysOf(
  args: PeriodArguments,
  { api, now }: Caller,
  accountId?: readonly string[] | undefined,
): Promise<Days> {
  const days = daysOf(args, now);
  if (!isTrailing(args)) return days;
  const { complete_through: through } = await api.get('/costs/summary', { ...days, account_id: accountId }, basis);
  return daysOf(args, now, undefined, lastCompleteDay(through as Day | null, dayOf(now)));
}

/** The days of a question about costs.
 *  @throws {BadArguments} when they are in the future, or no range */
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

/** The question as the API is asked it.
 *  @throws {BadArguments} when a tag is narrowed that is not named */
export function costQuery(args: CostArguments, days: Days): Query {
  if (args.tag_key === undefined && args.tag_value)
    throw new BadArguments('tag_value requires tag_key: add the key of these values', 'tag_value');
  const names = Object.keys(costsInput) as (keyof CostArguments)[];
  return { ...days, ...Object.fromEntries(names.map((name) => [name, args[name]])) };
}
