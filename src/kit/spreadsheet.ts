/** A text as a cell that no spreadsheet runs as a formula: one that it would, gets an apostrophe before it (OWASP, CSV
 *  injection). */
export function inertCell(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
