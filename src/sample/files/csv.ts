import { csvLine } from '../../kit/text/csv.ts';
import type { FocusRow } from './focus-row.ts';

/** CSV with a header line. Absent values are empty. */
export function csvOf(columns: readonly string[], rows: readonly FocusRow[]): string {
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))].map(csvLine).join('');
}
