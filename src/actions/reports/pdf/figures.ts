import { substituteOf, type Column, type Unit, type Value } from '../document.ts';
import { currencyDecimals } from '../../../kit/text/format.ts';

const locale = 'en-US';
const minus = '\u2212';

/** Formats a table value; null is a dash, or the column's substitute. */
export function cellText(value: Value, column: Pick<Column, 'type' | 'currency' | 'absent' | 'empty'>): string {
  const { type, currency } = column;
  const substitute = substituteOf(column, value);
  if (substitute !== undefined) return substitute;
  if (value === null) return '–';
  if (typeof value === 'string') return type === 'instant' ? instantText(value) : value;
  switch (type) {
    case 'money':
      return amountText(value, currency ?? null);
    case 'percent':
      return `${plain(value, 2, 2)}%`;
    case 'integer':
      return plain(value, 0, 0);
    case 'number':
      return plain(value, 0, 4);
    default:
      return String(value);
  }
}

/** Returns a column's title, with the currency if all rows share it. */
export function columnTitle({ label, currency, type }: Column): string {
  const isNamed = type !== 'money' || !currency || label.includes(currency);
  return isNamed ? label : `${label} (${currency})`;
}

/** Formats a chart figure in full. */
export function figureText(value: number, unit: Unit): string {
  switch (unit.kind) {
    case 'money':
      return withMinus(money(unit.currency, {}).format(value));
    case 'percent':
      return `${plain(value, 1, 1)}%`;
    case 'count':
      return plain(value, 0, 0);
    default:
      return unit satisfies never;
  }
}

/** Formats a figure in compact form: `$1.2K`. */
export function shortText(value: number, unit: Unit): string {
  const compact = { notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 0 } as const;
  switch (unit.kind) {
    case 'money':
      return withMinus(
        money(unit.currency, Math.abs(value) < 10 && value !== 0 ? { maximumFractionDigits: 2 } : compact).format(
          value,
        ),
      );
    case 'percent':
      return `${plain(value, 0, 1)}%`;
    case 'count':
      return withMinus(formatOf('compact', compact).format(value));
    default:
      return unit satisfies never;
  }
}

/** Formats a day or month: `Oct 1`, `Oct 2026`. */
export function dayText(day: string, parts: 'day' | 'month'): string {
  return dateFormat(parts).format(dateOf(day));
}

/** Formats an instant as `2026-11-21 09:00`, in UTC. */
export function instantText(instant: string): string {
  return instant.replace('T', ' ').replace(/:\d\d(\.\d+)?Z$/, '');
}

/** Formats a count with its noun. */
export function countText(count: number, one: string, many: string): string {
  return `${plain(count, 0, 0)} ${count === 1 ? one : many}`;
}

function amountText(value: number, currency: string | null): string {
  const digits = currency === null ? 2 : currencyDecimals(currency);
  const smallest = 10 ** -digits;
  // Non-zero values must not be shown as 0.
  if (value !== 0 && Math.abs(value) < smallest / 2) {
    return `${value < 0 ? `>${minus}` : '<'}${plain(smallest, digits, digits)}`;
  }
  return plain(value, digits, digits);
}

function plain(value: number, least: number, most: number): string {
  const options = { minimumFractionDigits: least, maximumFractionDigits: most };
  return withMinus(formatOf(`${least}-${most}`, options).format(value));
}

function withMinus(text: string): string {
  return text.replace(/^-0(\.0+)?$/, '0$1').replace('-', minus);
}

const formats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function formatOf(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
}

function money(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currency} ${JSON.stringify(options)}`;
  // Bills can contain invalid currency codes.
  if (!/^[A-Z]{3}$/.test(currency)) return formatOf(`none ${key}`, { minimumFractionDigits: 2, ...options });
  return formatOf(key, { style: 'currency', currency, ...options });
}

const dateParts = {
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function dateFormat(parts: keyof typeof dateParts): Intl.DateTimeFormat {
  const format = dateFormats.get(parts) ?? new Intl.DateTimeFormat(locale, { ...dateParts[parts], timeZone: 'UTC' });
  dateFormats.set(parts, format);
  return format;
}

function dateOf(day: string): Date {
  return new Date(`${day.length === 7 ? `${day}-01` : day}T00:00:00Z`);
}
