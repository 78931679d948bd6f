import { z } from 'zod';
import { asOf, hint, rateIsMissing, unconverted, unconvertedCosts, unconvertedOf } from '../../output.ts';
import type { Caller } from '../tool.ts';

/** What every answer of the API about costs says of itself. */
export const costBasis = {
  start_date: z.string(),
  end_date: z.string(),
  currency: z.string(),
  cost_metric: z.string(),
  total_cost: z.number(),
  complete_through: z.string().nullable(),
  unconverted: unconvertedCosts,
};

export type CostBasis = z.output<z.ZodObject<typeof costBasis>>;

/** The same in the answer of a tool. */
export const costAnswer = { as_of: asOf, ...costBasis, unconverted, hint };

interface About {
  /** Whether there are no costs at all; costs and credits can also add up to 0. */
  readonly isEmpty?: boolean;
  /** What else to know of the figures; null: nothing. */
  readonly note?: string | null;
}

/** Says on what the figures of an answer stand, and what to know of them. */
export function basisOf(basis: CostBasis, { now }: Caller, about: About = {}) {
  const { start_date, end_date, currency, cost_metric, total_cost, complete_through } = basis;
  const text = hintOf(basis, about);
  return {
    as_of: now.toISOString(),
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
  if (note !== null) hints.push(note);
  return hints.join(' ');
}
