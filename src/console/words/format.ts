// Formats everything that is shown: money with its currency, billing days in UTC, instants in the user's time zone.

const locale = 'en-US';
const formats = new Map<string, Intl.NumberFormat>();

function number(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const found = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, found);
  return found;
}

/** Money with up to two decimals in any currency, as invoices have it: `¥159,960.5`, `$1,234.50`. */
export function invoicedMoney(value: number, currency: string): string {
  return invoiced(value, currency, 'auto');
}

/** Signed money with up to two decimals in any currency. */
export function signedInvoicedMoney(value: number, currency: string): string {
  return invoiced(value, currency, 'exceptZero');
}

function invoiced(value: number, currency: string, signDisplay: 'auto' | 'exceptZero'): string {
  const { maximumFractionDigits: usual = 2 } = number(`usual${currency}`, {
    style: 'currency',
    currency,
  }).resolvedOptions();
  const options = { style: 'currency', currency, maximumFractionDigits: Math.max(usual, 2), signDisplay } as const;
  return number(`invoiced${currency}${signDisplay}`, options).format(value);
}

/** Money with cents, such as `$1,234.50`. Non-zero amounts below half a cent show up to 6 decimals. */
export function money(value: number, currency: string): string {
  const small = value !== 0 && Math.abs(value) < 0.005;
  const digits = small ? { minimumFractionDigits: 2, maximumFractionDigits: 6 } : {};
  return number(`${currency}${small}`, { style: 'currency', currency, ...digits }).format(value === 0 ? 0 : value);
}

/** Cost per unit, which can be tiny: below one with three significant digits, such as `$0.0308`. */
export function unitMoney(value: number, currency: string): string {
  const digits = unitDigits(value);
  return digits === 0 ? money(value, currency) : inUnits(value, currency, { least: 2, most: digits });
}

/** Formats costs per unit of a column: all with as many decimals as the one that needs most. */
export function unitMoneyOf(values: readonly (number | null)[], currency: string): (value: number) => string {
  const digits = Math.max(0, ...values.map((value) => (value === null ? 0 : unitDigits(value))));
  return (value) => (digits === 0 ? money(value, currency) : inUnits(value, currency, { least: digits, most: digits }));
}

/** Decimals for three significant digits; 0 for a value with the decimals of its currency. */
function unitDigits(value: number): number {
  const size = Math.abs(value);
  return size >= 1 || size === 0 ? 0 : Math.min(Math.max(2 - Math.floor(Math.log10(size)), 2), 12);
}

function inUnits(value: number, currency: string, { least, most }: { least: number; most: number }): string {
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most };
  return number(`unit${currency}${least}${most}`, { style: 'currency', currency, ...digits }).format(value);
}

/** Compact money for axes and tight spaces, such as `$1.2K`. Amounts below one show two significant digits. */
export function shortMoney(value: number, currency: string): string {
  const small = Math.abs(value) < 1;
  const digits = small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1, minimumFractionDigits: 0 };
  const options = { style: 'currency', currency, notation: 'compact', ...digits } as const;
  return number(`short${currency}${small}`, options).format(value);
}

/** Money for headlines, without cents from 1,000 on: `$1,235`. */
export function wholeMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1000) return money(value, currency);
  return number(`whole${currency}`, { style: 'currency', currency, maximumFractionDigits: 0 }).format(value);
}

/** Money as a user entered it, such as a limit: `$500`; cents only if there are any. */
export function plainMoney(value: number, currency: string): string {
  if (!Number.isInteger(value)) return money(value, currency);
  return number(`whole${currency}`, { style: 'currency', currency, maximumFractionDigits: 0 }).format(value);
}

/** Percentage, where 100 is the whole, with a fixed number of decimals, such as `12.3%` and `100.0%`. */
export function percent(value: number, digits = 1): string {
  return number(`percent${digits}`, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value / 100);
}

/** Percentage as a user entered it, such as a threshold: `80%`; decimals only if there are any. */
export function plainPercent(value: number, digits = 1): string {
  return number(`plain${digits}`, { style: 'percent', maximumFractionDigits: digits }).format(value / 100);
}

/** Signed percentage, such as `+12.3%`. */
export function signedPercent(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 1;
  const options = {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  } as const;
  return number(`signed${digits}`, options).format(value / 100);
}

/** Signed money. */
export function signedMoney(value: number, currency: string): string {
  return number(`signedMoney${currency}`, { style: 'currency', currency, signDisplay: 'exceptZero' }).format(value);
}

/** Difference in money for headlines, without cents from 1,000 on: `+$1,235`. */
export function signedWholeMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1000) return signedMoney(value, currency);
  const style = { style: 'currency', currency, signDisplay: 'exceptZero', maximumFractionDigits: 0 } as const;
  return number(`signedWholeMoney${currency}`, style).format(value);
}

/** Number with thousands separators. */
export function count(value: number, digits = 0): string {
  return number(`count${digits}`, { maximumFractionDigits: digits }).format(value);
}

/** Count with its noun: `1 resource`, `2 resources`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Bytes, such as `1.2 MB`. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(3, Math.floor(Math.log10(value) / 3));
  const options = { style: 'unit', unit: units[step], maximumFractionDigits: 1 } as const;
  return number(`bytes${step}`, options).format(value / 1000 ** step);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Billing day, such as `Nov 3, 2026`. Avoids date objects, since a day has no time zone. */
export function day(value: string): string {
  return `${shortDay(value)}, ${value.slice(0, 4)}`;
}

/** Day without its year, such as `Nov 3`. */
export function shortDay(value: string): string {
  return `${months[Number(value.slice(5, 7)) - 1] ?? ''} ${Number(value.slice(8, 10))}`;
}

/** Month, such as `Nov 2026`, from `YYYY-MM` or any day in it. */
export function month(value: string): string {
  return `${months[Number(value.slice(5, 7)) - 1] ?? ''} ${value.slice(0, 4)}`;
}

/** Date range, such as `Nov 1–21, 2026` or `Oct 29 – Nov 21, 2026`. */
export function days(from: string, to: string): string {
  if (from === to) return day(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${day(from)} – ${day(to)}`;
  return `${shortDays(from, to)}, ${to.slice(0, 4)}`;
}

/** Date range without its year, such as `Nov 1–21`. */
export function shortDays(from: string, to: string): string {
  if (from === to) return shortDay(from);
  const isInMonth = from.slice(0, 7) === to.slice(0, 7);
  return isInMonth ? `${shortDay(from)}–${Number(to.slice(8, 10))}` : `${shortDay(from)} – ${shortDay(to)}`;
}

/** Why costs are not compared, such as `no costs before Nov 3, 2026`. */
export function noCostsBefore(first: string): string {
  return `no costs before ${day(first)}`;
}

/** Instant in the user's time zone, such as `Nov 3, 2026, 14:05`. */
export function moment(value: string): string {
  const at = new Date(value);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${dayOf(value)}, ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** Day of an instant in the user's time zone, such as `Nov 3, 2026`. */
export function dayOf(value: string): string {
  const at = new Date(value);
  return `${months[at.getMonth()] ?? ''} ${at.getDate()}, ${at.getFullYear()}`;
}

const steps = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** Relative time, such as `5 minutes ago`, `in 3 days`. */
export function ago(value: string, now = Date.now()): string {
  const seconds = (now - new Date(value).getTime()) / 1000;
  const [size, unit] = steps.find(([one]) => Math.abs(seconds) >= one) ?? [];
  if (!size || !unit) return seconds < 0 ? 'in a moment' : 'just now';
  const distance = counted(Math.round(Math.abs(seconds) / size), unit);
  return seconds < 0 ? `in ${distance}` : `${distance} ago`;
}

/** Readable form of an enum value: `SAVINGS_PLAN` → `Savings plan`. */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ');
  const known = text.replaceAll(/\b(api|csv|xlsx|pdf|json|ok|totp|aws|gcp|2fa)\b/g, (word) => word.toUpperCase());
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** Display text of a region: the bill's own name, or the meaning of its absence. */
export function regionName(region: string | null): string {
  return region === null || region === '' ? 'No region' : region;
}

/** Programs by user agent pattern. Order matters: Edge also names Chrome, and Chrome also names Safari. */
const programs: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
  [/^curl\//i, 'curl'],
  [/^Terraform/i, 'Terraform'],
  [/^python-requests\/|^Python|^aiohttp/i, 'Python'],
  [/^Go-http-client\//, 'Go'],
  [/^node$|^undici$|^axios\//i, 'Node.js'],
  [/^PostmanRuntime\//, 'Postman'],
];

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Readable form of a user agent: `Firefox on Linux`, `curl`; unknown ones show their first word. */
export function agentName(userAgent: string): string {
  const nameIn = (list: typeof programs) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const system = nameIn(systems);
  const program = nameIn(programs) ?? (system ? 'Browser' : userAgent.split(/[\s/]/)[0]);
  if (!program) return 'Unknown program';
  return system ? `${program} on ${system}` : program;
}

const names = new Intl.DisplayNames('en', { type: 'currency' });

/** All currencies with their names: `EUR · Euro`. */
export function currencyChoices(): { readonly value: string; readonly label: string }[] {
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} · ${names.of(value) ?? value}`,
  }));
}

/** Formats an API message as a sentence, with a capital letter and a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.?]$/.test(trimmed) ? '' : '.'}`;
}

/** Names of the months. */
export const monthNames = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2000, index)).toLocaleString(locale, { month: 'long', timeZone: 'UTC' }),
);
