import { z } from 'zod';
import { daysBetween } from '../../../kit/period.ts';
import type { Days } from '../../input/period.ts';
import { BadArguments } from '../../bad-arguments.ts';
import { defineTool } from '../tool.ts';
import { basisOf, costAnswer, costBasis } from './answer.ts';
import { averageOf, highestOf, seriesOf } from './daily.ts';
import { cuts, groupNames } from './groups.ts';
import { costDaysOf, costInput, costQuery } from './question.ts';

const mostDays = 400;
/** Keeps an answer with ten groups under its bound. */
const mostGroupedDays = 184;

const text = z.string().nullable();
const part = z.object({
  service: text,
  account_id: text,
  account_name: text,
  region: text,
  provider: text,
  cost: z.number(),
});
const daily = z.object({
  ...costBasis,
  days: z.array(z.object({ date: z.string(), cost: z.number(), groups: z.array(part).nullable() })),
});

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
    const answer = await caller.api.get('/costs/daily', { ...costQuery(args, days), group_by: by }, daily);
    const figures = {
      ...basisOf(answer, caller, { isEmpty: answer.days.every(({ cost }) => cost === 0) }),
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
