import { stringify } from 'csv-stringify/sync';

/** A text as a cell that no spreadsheet runs as a formula: one that it would, gets an apostrophe before it (OWASP, CSV
 *  injection). */
export function inertCell(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** Rows as CSV (RFC 4180). A cell with either half of a line end is quoted: bare, each would end the row where spreadsheets
 *  read it, and what follows it could run as a formula. Numbers below 10^-6 get an exponent. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...rows], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** How the CSV of a grouped series is laid out: a row per date and group, or a row per date and a column per group. */
export const csvLayouts = ['long', 'wide'] as const;
export type CsvLayout = (typeof csvLayouts)[number];
