import { stringify } from 'csv-stringify/sync';

/** Makes text safe for a spreadsheet cell and a terminal: prefixes an apostrophe if it could run as a formula (OWASP, CSV
 *  injection), and removes control characters, as in XLSX. Also after semicolons, tabs and line breaks: in spreadsheets that
 *  separate cells by these, quotes do not help. */
export function inertCell(text: string): string {
  const plain = text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '');
  const inert = plain.replaceAll(/([;\t\r\n])(?=[=+\-@＝＋－＠])/g, "$1'");
  return /^[=+\-@\t\r\n＝＋－＠]/.test(inert) ? `'${inert}` : inert;
}

/** Removes the apostrophes of `inertCell`. */
export function textOfCell(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '').replaceAll(/([;\t\r\n])'(?=[=+\-@＝＋－＠])/g, '$1');
}

/** Formats rows as CSV (RFC 4180). Cells with CR or LF are quoted: unquoted, either would end the row in
 *  spreadsheets, and the text after it could run as a formula. Numbers below 10^-6 get an exponent. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...rows], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** CSV layouts of a grouped series: one row per date and group, or one row per date with a column per group. */
export const csvLayouts = ['long', 'wide'] as const;
export type CsvLayout = (typeof csvLayouts)[number];
