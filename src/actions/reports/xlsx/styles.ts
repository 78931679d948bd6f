import type { Column } from '../document.ts';
import { currencyDecimals } from '../../../kit/text/format.ts';

/** Number formats (ECMA-376, 18.8.30), by the name of a style. */
const numberFormats = [
  'General',
  '@',
  '#,##0.00',
  '#,##0',
  '#,##0.000',
  '0.00"%"',
  'yyyy\\-mm\\-dd',
  'yyyy\\-mm',
  'yyyy\\-mm\\-dd\\ hh:mm:ss',
  '#,##0.######',
] as const;

const firstOwnFormat = 164;
const fonts = ['plain', 'heading', 'title', 'quiet', 'bold'] as const;

interface Format {
  readonly numbers: (typeof numberFormats)[number];
  readonly font: (typeof fonts)[number];
  readonly fill?: 'heading';
  readonly border?: 'total';
  readonly align?: 'right' | 'wrap';
  readonly quoted?: boolean;
}

const formats: Format[] = [
  { numbers: 'General', font: 'plain' },
  { numbers: '@', font: 'plain', quoted: true },
  { numbers: '@', font: 'heading', fill: 'heading' },
  { numbers: '@', font: 'heading', fill: 'heading', align: 'right' },
  { numbers: '@', font: 'title' },
  { numbers: '@', font: 'quiet', quoted: true },
  { numbers: '@', font: 'bold', border: 'total' },
  { numbers: '@', font: 'plain', align: 'wrap', quoted: true },
  { numbers: '@', font: 'bold' },
];

/** Named styles, by the index that cells refer to. */
export const styles = {
  text: 1,
  heading: 2,
  headingRight: 3,
  title: 4,
  absent: 5,
  textTotal: 6,
  wrapped: 7,
  label: 8,
} as const;

// For each number format, one style for rows and one for totals.
const firstNumber = formats.length;
for (const numbers of numberFormats) {
  formats.push({ numbers, font: 'plain' });
  formats.push({ numbers, font: 'bold', border: 'total' });
}

/** Returns the styles of a column's numbers. */
export function styleOf(column: Column): { plain: number; total: number } {
  const index = firstNumber + 2 * numberFormats.indexOf(numbersOf(column));
  return { plain: index, total: index + 1 };
}

function numbersOf({ type, currency }: Column): (typeof numberFormats)[number] {
  switch (type) {
    case 'text':
      return '@';
    case 'money':
      return moneyFormat(currencyDecimals(currency ?? ''));
    case 'percent':
      return '0.00"%"';
    case 'integer':
      return '#,##0';
    case 'number':
      return '#,##0.######';
    case 'date':
      return 'yyyy\\-mm\\-dd';
    case 'month':
      return 'yyyy\\-mm';
    case 'instant':
      return 'yyyy\\-mm\\-dd\\ hh:mm:ss';
    default:
      return type satisfies never;
  }
}

function moneyFormat(decimals: number) {
  if (decimals === 0) return '#,##0';
  return decimals === 3 ? '#,##0.000' : '#,##0.00';
}

/** Builds `xl/styles.xml`. */
export function stylesXml(): string {
  const own = numberFormats.map(
    (code, index) => `<numFmt numFmtId="${firstOwnFormat + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${own.length}">${own.join('')}</numFmts>${fontsXml}${fillsXml}${bordersXml}<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length}">${formats.map(formatXml).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

const face = '<name val="Calibri"/><family val="2"/>';
const fontsXml = `<fonts count="5"><font><sz val="11"/><color rgb="FF1F2937"/>${face}</font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/>${face}</font><font><b/><sz val="16"/><color rgb="FF0F172A"/>${face}</font><font><i/><sz val="11"/><color rgb="FF6B7280"/>${face}</font><font><b/><sz val="11"/><color rgb="FF1F2937"/>${face}</font></fonts>`;
const fillsXml =
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FF1E3A5F"/><bgColor indexed="64"/></patternFill></fill></fills>';
const bordersXml =
  '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top style="thin"><color rgb="FF1E3A5F"/></top><bottom/><diagonal/></border></borders>';

function formatXml({ numbers, font, fill, border, align, quoted }: Format): string {
  const isOwn = numbers !== 'General';
  const id = isOwn ? firstOwnFormat + numberFormats.indexOf(numbers) : 0;
  const alignment =
    align === 'right'
      ? '<alignment horizontal="right" vertical="center"/>'
      : align === 'wrap'
        ? '<alignment vertical="top" wrapText="1"/>'
        : '';
  return `<xf numFmtId="${id}" fontId="${fonts.indexOf(font)}" fillId="${fill ? 2 : 0}" borderId="${border ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${quoted ? ' quotePrefix="1"' : ''}${alignment ? ' applyAlignment="1"' : ''}>${alignment}</xf>`;
}
