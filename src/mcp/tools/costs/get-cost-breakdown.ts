import { z } from 'zod';
import { monthOf } from '../../../kit/period.ts';
import { daysOf, type Days } from '../../input/period.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool, type Caller } from '../tool.ts';
import { basisOf, costAnswer } from './answer.ts';
import { comparableDays, compare, comparison, lateBeginning, previousDays } from './comparison.ts';
import { dimensions, readSplit, type Split } from './groups.ts';
import { costInput, costQuery, rareFilters, tagToSplitBy } from './question.ts';
import { other, rank, row } from './ranking.ts';

const input = z.strictObject({
  dimension: z
    .enum(dimensions)
    .describe('account: as connected here; sub_account: AWS account, Azure subscription, Google project'),
  ...costInput,
  ...rareFilters,
  tag_key: tagToSplitBy,
  compare_previous: z
    .boolean()
    .optional()
    .describe('Adds changes from the period before; end_date then moves to the last day with complete costs'),
  sort_by: z.enum(['cost', 'increase', 'decrease']).optional().describe('Default cost; the others compare'),
  limit: z.int().min(1).max(100).optional().describe('Groups; default 20, the rest is other'),
});

const summary = z.object({ periods: z.array(z.object({ period_start: z.string(), cost: z.number() })) });

type Arguments = z.output<typeof input>;

export const getCostBreakdown = defineTool({
  name: 'get_cost_breakdown',
  title: 'Cost breakdown',
  description:
    'What costs consist of in a period, by service, category (such as Compute), account, sub-account, region, provider or tag, ' +
    'largest first, or by what grew most since the period before. For totals use get_cost_summary, for days get_daily_costs.',
  effect: 'read',
  input,
  output: z.object({
    ...costAnswer,
    groups: z.array(row),
    other,
    truncated: z.boolean().optional(),
    comparison: comparison.optional(),
  }),
  run: async (caller, args) => {
    const sortBy = args.sort_by ?? 'cost';
    if (args.dimension === 'tag' && args.tag_key === undefined)
      throw new BadArguments('dimension tag needs tag_key: take a key from get_tag_compliance');
    if (args.compare_previous === false && sortBy !== 'cost')
      throw new BadArguments(`sort_by ${sortBy} compares with the period before: leave compare_previous out`);
    const isCompared = args.compare_previous === true || sortBy !== 'cost';
    const { current, previous, note } = await readPeriods(caller, args, isCompared);
    return {
      ...basisOf(current.basis, caller, { isEmpty: current.groups.length === 0, note: note ?? tagNote(args, current) }),
      ...rank(current.groups, previous?.groups ?? null, { order: sortBy, limit: args.limit ?? 20 }),
      ...(previous ? { comparison: compare(current.basis, previous.basis) } : {}),
    };
  },
});

/** Everything without a tag is more likely a key that nobody uses. */
function tagNote({ dimension, tag_key: key, untagged }: Arguments, { groups }: Split): string | null {
  if (dimension !== 'tag' || untagged === true || groups.length !== 1 || groups[0]?.names.name !== null) return null;
  return `No cost has the tag "${key}": get_tag_compliance tells the keys there are.`;
}

interface Periods {
  readonly current: Split;
  readonly previous: Split | null;
  /** What to know of the comparison. */
  readonly note: string | null;
}

/** The costs of the period asked for; cut to comparable days, and beside those before, where they are compared. */
async function readPeriods(caller: Caller, args: Arguments, isCompared: boolean): Promise<Periods> {
  const asked = daysOf(args, caller.now);
  const read = (days: Days) => readSplit(caller.api, args.dimension, costQuery(args, days));
  const whole = await read(asked);
  if (!isCompared) return { current: whole, previous: null, note: null };
  const days = comparableDays(asked, whole.basis.complete_through, caller.now);
  if (!days) throw new BadArguments(noneComplete(asked, whole.basis.complete_through));
  const before = previousDays(days, asked, args);
  const isLong = monthOf(before.start_date) !== monthOf(before.end_date);
  const [current, previous, months] = await Promise.all([
    days.end_date === asked.end_date ? whole : read(days),
    read(before),
    isLong ? caller.api.get('/costs/summary', costQuery(args, before), summary) : null,
  ]);
  const periods = months?.periods ?? [{ period_start: before.start_date, cost: previous.basis.total_cost }];
  return { current, previous, note: whole.groups.length === 0 ? null : lateBeginning(periods) };
}

function noneComplete({ start_date, end_date }: Days, through: string | null): string {
  const known =
    through === null ? 'are still to come' : `lie after the last complete day: costs are complete through ${through}`;
  return `${start_date} to ${end_date} ${known}. Compare earlier days, or leave compare_previous and sort_by out`;
}
