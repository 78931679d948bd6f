import { z } from 'zod';
import { dayOf } from '../../../kit/period.ts';
import type { Query } from '../../api/api.ts';
import { costFilters, several } from '../../input/filters.ts';
import { daysOf, periodInput, type Days, type PeriodArguments } from '../../input/period.ts';
import { BadArguments } from '../../bad-arguments.ts';

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
  .describe('Groups of dimension tag; otherwise only costs with this tag; keys from get_tag_compliance');

/** The days of a question about costs.
 *  @throws {BadArguments} when they are in the future, or no range */
export function costDaysOf(args: PeriodArguments, now: Date): Days {
  const days = daysOf(args, now);
  if (days.start_date > dayOf(now))
    throw new BadArguments(`start_date ${days.start_date} is in the future: get_forecast looks ahead`);
  return days;
}

/** The question as the API is asked it.
 *  @throws {BadArguments} when a tag is narrowed that is not named */
export function costQuery(args: CostArguments, days: Days): Query {
  if (args.tag_key === undefined && args.tag_value)
    throw new BadArguments('tag_value needs tag_key: name the tag whose values these are');
  const names = Object.keys(costsInput) as (keyof CostArguments)[];
  return { ...days, ...Object.fromEntries(names.map((name) => [name, args[name]])) };
}
