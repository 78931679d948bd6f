import { coloured, colourOf, rest } from '../charts/colours.ts';
import type { TagCosts } from './queries.ts';

/** A value of a tag key with its cost, as chart and table show it. */
export interface ValueGroup {
  readonly key: string;
  readonly label: string;
  readonly kind: 'value' | 'untagged' | 'more';
  /** The value; empty for what is none. */
  readonly value: string;
  readonly cost: number;
  /** Null where there is nothing to divide by. */
  readonly percentage: number | null;
  readonly colour: string;
}

/** Hatched, so that it is told from every value without colour. */
const untaggedColour = `repeating-linear-gradient(45deg, ${rest} 0 2px, transparent 2px 5px)`;

/** Groups of an answer as rows: the first `most` by themselves, the others as one, so that nothing is missing from the sum. */
export function groupsOf({ groups, totalCost }: TagCosts, most: number): ValueGroup[] {
  let values = 0;
  const rows = groups.slice(0, most).map(({ tagValue, cost, percentage }): ValueGroup => {
    if (tagValue === null) return { ...untagged, cost, percentage };
    const colour = colourOf(values++);
    return {
      key: `value ${tagValue}`,
      label: tagValue || 'Empty value',
      kind: 'value',
      value: tagValue,
      cost,
      percentage,
      colour,
    };
  });
  const others = groups.slice(most);
  if (others.length === 0) return rows;
  const cost = others.reduce((total, other) => total + other.cost, 0);
  const percentage = totalCost === 0 ? null : (cost / totalCost) * 100;
  const label = `and ${others.length.toLocaleString('en-US')} more`;
  return [...rows, { key: 'more', label, kind: 'more', value: '', cost, percentage, colour: rest }];
}

const untagged = { key: 'untagged', label: 'Untagged', kind: 'untagged', value: '', colour: untaggedColour } as const;

/** Parts of the bar: those that have a colour of their own, and the others as one. */
export function partsOf(
  groups: readonly ValueGroup[],
): { key: string; value: number; colour: string; label: string }[] {
  const own = groups.filter(({ kind, colour }) => kind === 'untagged' || colour !== rest);
  const others = groups.filter((group) => !own.includes(group));
  const parts = own.map(({ key, cost, colour, label }) => ({ key, value: cost, colour, label }));
  if (others.length === 0) return parts;
  const value = others.reduce((total, { cost }) => total + cost, 0);
  return [...parts, { key: 'others', value, colour: rest, label: `Beyond the first ${coloured}` }];
}
