/** How a field reads and shows numbers. */
export interface NumberFormat {
  /** Text after the number, such as a currency code or `%`; may be typed as well. */
  readonly unit: string;
  /** Whether digits are grouped, as in amounts of money. */
  readonly isGrouped: boolean;
  /** Maximum number of decimals. */
  readonly decimals: number;
  /** Whether it may be negative. */
  readonly isSigned: boolean;
}

/** Reads a number as people type it: `60,000`, `60 000.50`, `$1,234.56`, `1.234,56`, `1500,50`. The number has a decimal point and
 *  all typed digits.
 *  @returns the number, or why it is not one */
export function readNumber(text: string, format: NumberFormat): { plain: string } | { fault: string } {
  const { unit, decimals, isSigned } = format;
  const bare = text
    .replace(unit, '')
    .replaceAll(/[\s'’]/gu, '')
    .replace(/^(-?)\p{Sc}|\p{Sc}$/u, '$1');
  if (isAmbiguous(bare, format)) {
    const [whole, fraction] = bare.split(/[.,]/);
    return { fault: `“${text}” is ambiguous: enter ${whole}${fraction} or ${whole}.${fraction}0` };
  }
  const parts = /^(-?)0*(\d*)(?:\.(\d*))?$/.exec(withPoint(bare));
  if (!parts || !/\d/.test(bare)) return { fault: `“${text}” is not a number` };
  const [, sign = '', whole = '', fraction = ''] = parts;
  if (sign !== '' && !isSigned) return { fault: 'Enter a number of at least 0' };
  if (fraction.length > decimals)
    return { fault: decimals === 0 ? 'Enter a whole number' : `Enter at most ${decimals} decimals` };
  return { plain: `${sign}${whole || '0'}${fraction && `.${fraction}`}` };
}

/** Whether one separator before three digits can group them or begin the decimals: `1.500` in amounts, `1,500` elsewhere. A comma
 *  in an amount groups digits, as everywhere in the console. */
function isAmbiguous(bare: string, { isGrouped }: NumberFormat): boolean {
  return (isGrouped ? /^-?[1-9]\d{0,2}\.\d{3}$/ : /^-?[1-9]\d{0,2},\d{3}$/).test(bare);
}

/** Removes the separators of groups, and replaces a decimal comma with a point. */
function withPoint(text: string): string {
  if (/^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text)) return text.replaceAll(',', '');
  if (/^-?[1-9]\d{0,2}(\.\d{3}){2,}$/.test(text)) return text.replaceAll('.', '');
  if (/^-?[1-9]\d{0,2}(\.\d{3})+,\d*$/.test(text) || /^-?\d*,\d*$/.test(text))
    return text.replaceAll('.', '').replace(',', '.');
  return text;
}

/** Formats a number with a decimal point and its unit, and groups its digits if the field does. */
export function showNumber(plain: string, { unit, isGrouped }: Pick<NumberFormat, 'unit' | 'isGrouped'>): string {
  const [whole = '', fraction] = plain.split('.');
  const digits = isGrouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${digits}${fraction ? `.${fraction}` : ''}${unit === '%' ? '' : ' '}${unit}`.trimEnd();
}
