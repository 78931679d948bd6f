import type { FocusRow } from './focus-row.ts';

/** CSV by RFC 4180 with a header line. Written by hand because a library takes most of the start of the demo for it.
 *  Absent values are left empty. */
export function csvOf(columns: readonly string[], rows: readonly FocusRow[]): string {
  const lines = rows.map((row) => columns.map((column) => field(row[column] ?? '')).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

function field(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
