import { z } from 'zod';
import { microsToNumber, percentages, sumAmounts, type Micros } from '../../../kit/money.ts';
import { changeFields, changeOf } from './comparison.ts';
import { fitting } from '../../fit.ts';
import { groupNames, type Group, type GroupNames } from './groups.ts';

/** A cost with its share and its previous value, if requested. */
export const figures = {
  cost: z.number(),
  percentage: z.number().nullable(),
  ...z.object(changeFields).partial().shape,
};

/** A group of costs. */
export const row = z.object({ ...groupNames, ...figures });

/** The total of the omitted rows, so that everything adds up to the total. */
export const other = z.object({ count: z.int(), ...figures }).optional();

/** Ranking: largest first; largest increase or decrease; or largest change in either direction. */
export type Order = 'cost' | 'increase' | 'decrease' | 'movement';

/** A group with its current and previous cost. */
interface Part extends Group {
  readonly previous: Micros;
}

const ranks: Readonly<Record<Order, (part: Part) => Micros>> = {
  cost: (part) => part.cost,
  increase: (part) => part.cost - part.previous,
  decrease: (part) => part.previous - part.cost,
  movement: (part) => (part.cost > part.previous ? part.cost - part.previous : part.previous - part.cost),
};

interface Wanted {
  readonly order: Order;
  /** Maximum number of rows. */
  readonly limit: number;
  /** Whether all costs of both periods are known; default: yes. */
  readonly isComparable?: boolean;
}

type Changes = Partial<ReturnType<typeof changeOf>>;
interface Figures extends Changes {
  cost: number;
  percentage: number | null;
}
interface Ranking {
  groups: (GroupNames & Figures)[];
  other?: Figures & { count: number };
  truncated?: true;
}

/** The top groups as rows, and the total of the rest.
 *  @param previous groups of the comparison period; null if no change is requested */
export function rank(current: readonly Group[], previous: readonly Group[] | null, wanted: Wanted): Ranking {
  const parts = inOrder(beside(current, previous ?? []), wanted.order);
  const shares = percentages(
    parts.map(({ cost }) => cost),
    sumAmounts(parts.map(({ cost }) => cost)),
  );
  const figuresOf = (cost: Micros, before: Micros, percentage: number | null): Figures => ({
    cost: microsToNumber(cost),
    percentage,
    ...(previous === null ? {} : changeOf(cost, before, wanted.isComparable)),
  });
  const rows = parts
    .slice(0, wanted.limit)
    .map((part, at) => ({ ...part.names, ...figuresOf(part.cost, part.previous, shares[at] ?? null) }));
  const groups = fitting(rows);
  const rest = parts.slice(groups.length);
  if (rest.length === 0) return { groups };
  const left = figuresOf(
    sumAmounts(rest.map(({ cost }) => cost)),
    sumAmounts(rest.map((part) => part.previous)),
    sumOfShares(shares.slice(groups.length)),
  );
  return { groups, other: { count: rest.length, ...left }, truncated: true };
}

function beside(current: readonly Group[], previous: readonly Group[]): Part[] {
  const before = new Map(previous.map((group) => [group.key, group.cost]));
  const now = new Set(current.map(({ key }) => key));
  const gone = previous.filter(({ key }) => !now.has(key));
  return [
    ...current.map((group) => ({ ...group, previous: before.get(group.key) ?? 0n })),
    ...gone.map((group) => ({ ...group, cost: 0n, previous: group.cost })),
  ];
}

function inOrder(parts: readonly Part[], order: Order): Part[] {
  const [rankOf, byCost] = [ranks[order], ranks.cost];
  const compared = (a: Micros, b: Micros) => (a < b ? 1 : a > b ? -1 : 0);
  return parts.toSorted(
    (a, b) => compared(rankOf(a), rankOf(b)) || compared(byCost(a), byCost(b)) || (a.key < b.key ? -1 : 1),
  );
}

function sumOfShares(shares: readonly (number | null)[]): number | null {
  if (shares.includes(null)) return null;
  return Math.round(shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) * 100) / 100;
}
