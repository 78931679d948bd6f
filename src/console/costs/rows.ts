import { changeOf, fromMicros, micros } from './exact.ts';
import type { Group } from './groups.ts';

/** A row of the table: a group beside what it was. */
export interface Row extends Group {
  /** Cost of the period before; null when it is not compared. */
  readonly before: number | null;
  /** What it was, with its parts; null where it was not. */
  readonly earlier: Group | null;
  readonly change: number | null;
  /** In percent of what was; null where there is nothing to divide by. */
  readonly changePercent: number | null;
  /** Its place by cost, from 0: the first ones have a colour. */
  readonly rank: number;
  /** Its value is that of another provider's group too. */
  readonly isShared: boolean;
}

/** Groups of a range beside those of the range before: what is new, and what is gone, has a row too.
 *  @param earlier null when nothing is compared */
export function rowsOf(groups: readonly Group[], earlier: readonly Group[] | null): Row[] {
  const was = new Map<string, Group>();
  for (const one of earlier ?? []) was.set(one.key, one);
  const uses = new Map<string | null, number>();
  const known = new Set<string>();
  for (const { key, value } of groups) {
    known.add(key);
    uses.set(value, (uses.get(value) ?? 0) + 1);
  }
  const rows = groups.map((one, rank) =>
    rowOf(one, { earlier: was.get(one.key) ?? null, isCompared: earlier !== null, rank }),
  );
  for (const one of earlier ?? []) {
    if (known.has(one.key)) continue;
    uses.set(one.value, (uses.get(one.value) ?? 0) + 1);
    rows.push(
      rowOf({ ...one, cost: 0, share: 0, subGroups: [] }, { earlier: one, isCompared: true, rank: rows.length }),
    );
  }
  if (uses.size === rows.length) return rows;
  return rows.map((row) => ((uses.get(row.value) ?? 0) > 1 ? { ...row, isShared: true } : row));
}

interface Place {
  readonly earlier: Group | null;
  readonly isCompared: boolean;
  readonly rank: number;
}

// Written out: there may be tens of thousands, and spreading each takes several times as long.
function rowOf(one: Group, { earlier, isCompared, rank }: Place): Row {
  const { key, value, name, cost, share, provider, category, subGroups } = one;
  const { before, change, changePercent } = comparisonOf(cost, isCompared ? (earlier?.cost ?? 0) : null);
  return {
    key,
    value,
    name,
    cost,
    share,
    provider,
    category,
    subGroups,
    before,
    earlier,
    change,
    changePercent,
    rank,
    isShared: false,
  };
}

/** A cost beside what it was. */
export type Comparison = Pick<Row, 'before' | 'change' | 'changePercent'>;

/** Compares a cost with what it was; null is no comparison. */
export function comparisonOf(cost: number, before: number | null): Comparison {
  if (before === null) return { before, change: null, changePercent: null };
  return { before, change: fromMicros(micros(cost) - micros(before)), changePercent: changeOf(cost, before) };
}

/** What the table can be sorted by; with `-` before it, descending. */
export const sorts = ['name', 'cost', 'before', 'change', 'changePercent'] as const;
export type Sort = (typeof sorts)[number];

/** Sorts rows. They come with the largest cost first, so that order costs nothing. */
export function sorted(rows: readonly Row[], sort: string): readonly Row[] {
  const isDown = sort.startsWith('-');
  const field = sorts.find((one) => one === (isDown ? sort.slice(1) : sort));
  if (field === undefined || sort === '-cost') return rows;
  const up = isDown ? -1 : 1;
  if (field === 'name') {
    const keyed = rows.map((row) => ({ row, name: row.name.toLowerCase() }));
    keyed.sort((one, other) => up * (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    return keyed.map(({ row }) => row);
  }
  // What cannot be told stands last, whichever way.
  const valueOf = (row: Row) => row[field];
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return up * (a - b);
  });
}

/** The rows whose name holds a text, whatever its case. */
export function found(rows: readonly Row[], text: string): readonly Row[] {
  const asked = text.toLowerCase();
  return asked === '' ? rows : rows.filter(({ name }) => name.toLowerCase().includes(asked));
}
