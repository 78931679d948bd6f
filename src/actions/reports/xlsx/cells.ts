import { substituteOf, type Column, type Value } from '../document.ts';
import { styleOf, styles } from './styles.ts';

/** Excel's own limit. */
const mostCharacters = 32_767;
const msPerDay = 86_400_000;
/** The day before Excel's first, with the leap day that 1900 did not have. */
const epoch = Date.UTC(1899, 11, 30);

/** A text inside XML. Characters that XML 1.0 has no place for are left out; `_x0041_`, which spreadsheets read as an
 *  escape, stays what it is (ECMA-376, ST_Xstring). */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');
}

/** A cell of text. It is never a formula, and its style keeps it text when somebody edits it. */
export function textCell(at: string, text: string, style: number): string {
  const kept = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text;
  return `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(kept)}</t></is></c>`;
}

/** A cell of its column's type; nothing where there is no value.
 *  @param isTotal whether it stands beneath the table */
export function cell(at: string, column: Column, value: Value, isTotal = false): string {
  const style = isTotal ? styleOf(column).total : styleOf(column).plain;
  const substitute = isTotal ? undefined : substituteOf(column, value);
  if (substitute !== undefined) return textCell(at, substitute, styles.absent);
  if (value === null) return '';
  const number = isTotal && typeof value === 'string' ? null : numberOf(column, value);
  if (number === null) return textCell(at, String(value), isTotal ? styles.textTotal : styles.text);
  return `<c r="${at}" s="${style}"><v>${number}</v></c>`;
}

/** The number that stands for a value; null for a text. */
function numberOf({ type }: Column, value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (type === 'date' || type === 'month') return serial(type === 'date' ? value : `${value}-01`);
  return type === 'instant' ? serial(value) : null;
}

/** Days since Excel's epoch, in UTC; null for what is no instant, or before 1900-03-01, where its calendar is wrong. */
function serial(text: string): number | null {
  const days = (Date.parse(text) - epoch) / msPerDay;
  return days >= 61 ? Math.round(days * msPerDay) / msPerDay : null;
}

/** `A`, `Z`, `AA` of 0, 25, 26. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}
