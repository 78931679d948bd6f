import { z } from 'zod';
import * as shapes from '../../../../schema/rest.ts';
import { daysBetween } from '../../../kit/time/period.ts';
import type { Days } from '../../input.ts';
import { BadArguments } from '../../api/failure.ts';
import { defineTool } from '../tool.ts';
import { basisOf, costAnswer, costDaysOf, costInput, costQuery } from './question.ts';
import { cuts, type Group, type GroupedBy, groupNames, type GroupNames, joined, type Part } from './groups.ts';
import { type Micros, microsToNumber, sumAmounts } from '../../../kit/money.ts';
import { microsOf } from '../../output.ts';

const mostDays = 400;
/** Maximum days; keeps a response with ten groups within its size limit. */
const mostGroupedDays = 184;

export const getDailyCosts = defineTool({
  name: 'get_daily_costs',
  title: 'Daily costs',
  description:
    'Costs of each day of a period, the average and the highest day, optionally split by service, account, ' +
    'region or provider. Use it for daily patterns and to find when costs increased; for months use ' +
    'get_cost_trend.',
  effect: 'read',
  input: z.strictObject({
    ...costInput,
    group_by: z.enum(['service', 'account', 'region', 'provider']).optional(),
    limit: z.int().min(1).max(10).optional().describe('Number of groups; default 5, rest in other_cost'),
  }),
  output: z.object({
    ...costAnswer,
    average_daily_cost: z.number().nullable().describe('Over days with complete costs'),
    highest_day: z.object({ date: z.string(), cost: z.number() }).nullable(),
    groups: z.array(z.object({ ...groupNames, cost: z.number() })).optional(),
    days: z.array(
      z.object({
        date: z.string(),
        cost: z.number(),
        group_costs: z.array(z.number()).optional().describe('In the order of groups'),
        other_cost: z.number().optional(),
      }),
    ),
  }),
  run: async (caller, args) => {
    const { group_by: by, limit } = args;
    const days = await costDaysOf(args, caller);
    refuseTooMany(days, by);
    const answer = await caller.api.get('/costs/daily', { ...costQuery(args, days), group_by: by }, shapes.CostsDaily);
    const figures = {
      ...basisOf(answer, { isEmpty: answer.days.every(({ cost }) => cost === 0) }),
      average_daily_cost: averageOf(answer.days, answer.complete_through),
      highest_day: highestOf(answer.days),
    };
    if (by === undefined) return { ...figures, days: answer.days };
    return { ...figures, ...seriesOf(answer.days, cuts[by], limit ?? 5) };
  },
});

function refuseTooMany({ start_date, end_date }: Days, groupBy: string | undefined): void {
  const [count, most] = [daysBetween(start_date, end_date) + 1, groupBy === undefined ? mostDays : mostGroupedDays];
  if (count <= most) return;
  throw new BadArguments(
    `${start_date} to ${end_date} are ${count} days; at most ${most}${groupBy === undefined ? '' : ' with group_by'}: use fewer days, or get_cost_trend for months`,
    'start_date',
  );
}

/** A day of the API's response. */
interface Day {
  readonly date: string;
  readonly cost: number;
  readonly groups: readonly Part[] | null;
}

interface Series {
  /** The largest groups over all days, largest first. */
  groups: (GroupNames & { cost: number })[];
  /** `group_costs` follow the order of `groups`; with `other_cost` they add up to the day's cost. */
  days: { date: string; cost: number; group_costs: number[]; other_cost: number }[];
}

/** Splits all days by the same groups, so that each can be followed over time: the largest over all days, and the
 *  rest combined.
 *  @param limit number of groups */
export function seriesOf(days: readonly Day[], split: GroupedBy, limit: number): Series {
  const parts = days.flatMap((day) => day.groups ?? []);
  const all = joined(parts, split);
  const largest = all.toSorted((a, b) => (a.cost < b.cost ? 1 : a.cost > b.cost ? -1 : 0)).slice(0, limit);
  return {
    groups: largest.map(({ names, cost }) => ({ ...names, cost: microsToNumber(cost) })),
    days: days.map((day) => splitDay(day, joined(day.groups ?? [], split), largest)),
  };
}

function splitDay({ date, cost }: Day, groups: readonly Group[], largest: readonly Group[]): Series['days'][number] {
  const costs = new Map(groups.map((group) => [group.key, group.cost]));
  const own = largest.map(({ key }) => costs.get(key) ?? 0n);
  const rest = microsOf(cost) - sumAmounts(own);
  return { date, cost, group_costs: own.map(microsToNumber), other_cost: microsToNumber(rest) };
}

/** Average daily cost over the complete days; null if there are none. Rounded to 6 decimals.
 *  @param completeThrough null if unknown: all days count */
export function averageOf(days: readonly Day[], completeThrough: string | null): number | null {
  const complete = days.filter(({ date }) => completeThrough === null || date <= completeThrough);
  if (complete.length === 0) return null;
  return microsToNumber(divided(sumAmounts(complete.map(({ cost }) => microsOf(cost))), BigInt(complete.length)));
}

function divided(sum: Micros, count: bigint): Micros {
  const half = sum < 0n ? -count / 2n : count / 2n;
  return (sum + half) / count;
}

/** The most expensive day, the first of equal ones; null if there are none. */
export function highestOf(days: readonly Day[]): { date: string; cost: number } | null {
  const [first, ...others] = days;
  if (!first) return null;
  const { date, cost } = others.reduce((highest, day) => (day.cost > highest.cost ? day : highest), first);
  return { date, cost };
}
