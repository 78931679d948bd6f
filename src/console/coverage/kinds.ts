import { rest } from '../charts/colours.ts';
import type { Coverage, CoverageDaily } from './queries.ts';

type Kind = Coverage['split'][number]['kind'];
type Day = CoverageDaily['days'][number];

/** How charges are paid for: in words, with the color and the field of a day. From the bottom of a bar up. */
export const kinds = [
  { key: 'RESERVED', label: 'Reserved', colour: 'var(--chart-1)', of: (day: Day) => day.reserved },
  { key: 'SAVINGS_PLAN', label: 'Savings plans', colour: 'var(--chart-5)', of: (day: Day) => day.savingsPlan },
  { key: 'SPOT', label: 'Spot', colour: 'var(--chart-4)', of: (day: Day) => day.spot },
  { key: 'ON_DEMAND', label: 'On demand', colour: 'var(--chart-3)', of: (day: Day) => day.onDemand },
  { key: 'OTHER', label: 'Other', colour: rest, of: (day: Day) => day.other },
] as const satisfies readonly { key: Kind; label: string; colour: string; of: (day: Day) => number }[];

/** What belongs to each kind. */
export const meanings: Readonly<Record<Kind, string>> = {
  RESERVED: 'Reservations, their unused part too',
  SAVINGS_PLAN: 'Savings plans and committed spend, their unused part too',
  SPOT: 'Usage at dynamic prices',
  ON_DEMAND: 'A commitment could cover it, and none does',
  OTHER: 'No commitment can cover it: storage, transfer, tax, support, credits',
};
