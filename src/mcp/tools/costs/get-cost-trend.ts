import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { lastCompleteDay } from '../../../kit/time/compared-days.ts';
import { addMonths, type Day, firstDay, lastDay, monthAt, parseMonth, type Month } from '../../../kit/time/period.ts';
import { joined, microsOf } from '../../output.ts';
import type { Days } from '../../input.ts';
import { BadArguments } from '../../api/failure.ts';
import { defineTool, type Caller } from '../tool.ts';
import { basisOf, costAnswer, type CostBasis, costQuery, costsInput, tagToSplitBy } from './question.ts';
import { changeFields, changeOf, unknownChange } from './comparison.ts';
import { dimensions, readSplit } from './groups.ts';
import { other, rank, row } from './ranking.ts';

const mostDrivers = 10;

const input = z.strictObject({
  months: z.int().min(1).max(36).optional().describe('Number of months, including the last; default 6'),
  end_month: z.string().optional().describe('Last month, YYYY-MM; default the current one'),
  dimension: z.enum(dimensions).optional().describe('Dimension of the drivers; default service'),
  ...costsInput,
  tag_key: tagToSplitBy,
});

type Arguments = z.output<typeof input>;

export const getCostTrend = defineTool({
  name: 'get_cost_trend',
  title: 'Cost trend',
  description:
    'Costs per month with their changes, and the drivers: the largest changes between the last two complete ' +
    'months. To compare other periods use get_cost_breakdown with compare_previous.',
  effect: 'read',
  input,
  output: z.object({
    ...costAnswer,
    months: z.array(
      shapes.MonthCost.omit({ unconverted: true, previous_unconverted: true }).extend({
        change: z.number().nullable(),
        partial: z.boolean().describe('Costs still incomplete: no change is given'),
      }),
    ),
    drivers: z.object({ month: z.string(), ...changeFields, groups: z.array(row), other }).optional(),
  }),
  run: async (caller, args) => {
    if (args.dimension === 'tag' && args.tag_key === undefined)
      throw new BadArguments('dimension tag requires tag_key: use a key from get_tag_compliance', 'dimension');
    const last = lastMonth(args.end_month, caller.now);
    const first = addMonths(last, 1 - (args.months ?? 6));
    const days = { start_date: firstDay(first), end_date: lastDay(last) };
    const { months, ...basis } = await caller.api.get('/costs/trend', monthsQuery(args, days), shapes.CostsTrend);
    const isPartial = (one: { month: string; partial: boolean }) =>
      one.partial || !isComplete(one.month as Month, basis);
    const shown = months.map(({ unconverted: _now, previous_unconverted: _before, ...one }) =>
      isPartial(one) ? { ...one, ...unchanged, partial: true } : one,
    );
    const latest = shown.findLast(({ partial }) => !partial);
    return {
      ...basisOf(basis, {
        isEmpty: months.every(({ cost }) => cost === 0),
        note: joined(rateNote(months), runningNote(shown)).hint ?? null,
      }),
      months: shown,
      ...(latest ? { drivers: await driversOf(caller, args, latest.month as Month) } : {}),
    };
  },
});

/** Three weeks compared with a full month would look like savings. */
const unchanged = { change: null, change_percent: null };

function runningNote(months: readonly { month: string; partial: boolean }[]): string | undefined {
  const running = months.find(({ partial }) => partial);
  return running ? `For ${running.month}, get_cost_summary compares its complete days.` : undefined;
}

/** Names the months whose costs lack an exchange rate, with that before the first one. */
function rateNote(months: readonly z.output<typeof shapes.MonthCost>[]): string | undefined {
  const before = months.filter((one) => one.previous_unconverted.length > 0).map(({ month }) => monthBefore(month));
  const own = months.filter((one) => one.unconverted.length > 0).map(({ month }) => month);
  const lacking = [...new Set([...before, ...own])].toSorted();
  if (lacking.length === 0) return undefined;
  return `An exchange rate is missing in ${lacking.join(', ')}, so change_percent is null there and in the month after.`;
}

function monthBefore(month: string): Month {
  return addMonths(month as Month, -1);
}

/** A split by tag includes untagged costs; a tag filter on the months would exclude them. */
function monthsQuery(args: Arguments, days: Days) {
  const query = costQuery(args, days);
  const isNarrowed = args.dimension !== 'tag' || args.tag_value !== undefined;
  return isNarrowed ? query : { ...query, tag_key: undefined };
}

function lastMonth(text: string | undefined, now: Date): Month {
  if (text === undefined) return monthAt(now);
  const named = parseMonth(text);
  if (!named) throw new BadArguments(`end_month "${text}" is not a valid month: use YYYY-MM`, 'end_month');
  if (named > monthAt(now)) throw new BadArguments(`end_month ${named} has not begun: use get_forecast`, 'end_month');
  return named;
}

/** Whether the bills of a past month are complete, except for those of accounts that had stopped by its end. */
function isComplete(named: Month, { complete_through, last_complete_day }: CostBasis): boolean {
  const known = [complete_through, last_complete_day].filter((day) => day !== null) as Day[];
  const end = lastDay(named);
  return (lastCompleteDay(known, end) ?? end) === end;
}

async function driversOf(caller: Caller, args: Arguments, month: Month) {
  const read = (one: Month) => {
    const days = { start_date: firstDay(one), end_date: lastDay(one) };
    return readSplit(caller.api, args.dimension ?? 'service', costQuery(args, days));
  };
  const [current, previous] = await Promise.all([read(month), read(addMonths(month, -1))]);
  const isComparable = unknownChange(current.basis, previous.basis) === null;
  return {
    month,
    // Sums over several months may differ from the months' own totals by a millionth due to rounding; these match the
    // groups.
    ...changeOf(microsOf(current.basis.total_cost), microsOf(previous.basis.total_cost), isComparable),
    ...rank(current.groups, previous.groups, { order: 'movement', limit: mostDrivers, isComparable }),
  };
}
