import { z } from 'zod';
import type { Query } from '../../api/api.ts';
import { costFilters, several } from '../../input/filters.ts';
import { periodInput, type Days } from '../../input/period.ts';
import { BadArguments } from '../../bad-arguments.ts';

/** Which costs a question is about, beside its days. */
export const costsInput = {
  ...costFilters,
  tag_key: z.string().optional().describe('Only costs with this tag; keys from get_tag_compliance'),
  tag_value: several.describe('Values of tag_key'),
  cost_metric: z
    .enum(['effective', 'billed', 'list', 'contracted'])
    .optional()
    .describe('Default effective: commitments amortized; billed: as invoiced'),
};

/** The same, and its days. */
export const costInput = { ...periodInput, ...costsInput };

/** Filters that few questions need: one tool has them, for each costs tokens in every conversation. */
export const rareFilters = {
  sub_account_id: several.describe('Ids from dimension sub_account'),
  untagged: z.boolean().optional().describe('Only costs without tag_key'),
  charge_category: z.array(z.enum(['usage', 'purchase', 'tax', 'credit', 'adjustment'])).optional(),
};

const filters = { ...costsInput, ...rareFilters };

type CostArguments = z.output<z.ZodObject<typeof filters>>;

/** The tag where costs can also be split by it. */
export const tagToSplitBy = z
  .string()
  .optional()
  .describe('Groups of dimension tag; otherwise only costs with this tag; keys from get_tag_compliance');

/** The question as the API is asked it.
 *  @throws {BadArguments} when a tag is narrowed that is not named */
export function costQuery(args: CostArguments, days: Days): Query {
  if (args.tag_key === undefined) {
    if (args.tag_value) throw new BadArguments('tag_value needs tag_key: name the tag whose values these are');
    if (args.untagged) throw new BadArguments('untagged needs tag_key: name the tag that is missing');
  }
  const names = Object.keys(filters) as (keyof CostArguments)[];
  return { ...days, ...Object.fromEntries(names.map((name) => [name, args[name]])) };
}
