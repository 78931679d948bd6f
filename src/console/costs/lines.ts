import type { SubGroup } from './groups.ts';
import type { Row } from './rows.ts';

/** A line of the table: a row, or a part of the row above it. */
export type Line =
  | { readonly kind: 'row'; readonly key: string; readonly row: Row }
  | { readonly kind: 'sub'; readonly key: string; readonly row: Row; readonly sub: SubGroup };

/** The lines of rows of which some are unfolded. */
export function linesOf(rows: readonly Row[], open: ReadonlySet<string>): Line[] {
  return rows.flatMap((row): Line[] => {
    const line: Line = { kind: 'row', key: row.key, row };
    if (!open.has(row.key)) return [line];
    const subs = (row.subGroups ?? []).map((sub): Line => ({ kind: 'sub', key: `${row.key}/${sub.id}`, row, sub }));
    return [line, ...subs];
  });
}
