// Everything that is shown is formatted here: money with its currency, days in UTC as the bills count them, instants in the
// reader's own time zone.

const locale = 'en-US';
const formats = new Map<string, Intl.NumberFormat>();

function number(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const found = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, found);
  return found;
}

/** Money with cents, such as `$1,234.50`. Below half a cent, but not nothing, up to 6 decimals are told. */
export function money(value: number, currency: string): string {
  const small = value !== 0 && Math.abs(value) < 0.005;
  const digits = small ? { minimumFractionDigits: 2, maximumFractionDigits: 6 } : {};
  return number(`${currency}${small}`, { style: 'currency', currency, ...digits }).format(value === 0 ? 0 : value);
}

/** Money for axes and tight places, such as `$1.2K`. Below one, two digits that count are told. */
export function shortMoney(value: number, currency: string): string {
  const small = Math.abs(value) < 1;
  const digits = small ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1, minimumFractionDigits: 0 };
  const options = { style: 'currency', currency, notation: 'compact', ...digits } as const;
  return number(`short${currency}${small}`, options).format(value);
}

/** Money without cents from 1,000 on: headlines. */
export function wholeMoney(value: number, currency: string): string {
  if (Math.abs(value) < 1000) return money(value, currency);
  return number(`whole${currency}`, { style: 'currency', currency, maximumFractionDigits: 0 }).format(value);
}

/** Money as somebody chose it, such as a limit: `$500`, with cents only where there are any. */
export function plainMoney(value: number, currency: string): string {
  if (!Number.isInteger(value)) return money(value, currency);
  return number(`whole${currency}`, { style: 'currency', currency, maximumFractionDigits: 0 }).format(value);
}

/** A percentage of 0 to 100, such as `12.3 %`. */
export function percent(value: number, digits = 1): string {
  return number(`percent${digits}`, { style: 'percent', maximumFractionDigits: digits }).format(value / 100);
}

/** A change with its sign, such as `+12.3%`. */
export function signedPercent(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 1;
  const options = { style: 'percent', maximumFractionDigits: digits, signDisplay: 'exceptZero' } as const;
  return number(`signed${digits}`, options).format(value / 100);
}

/** Money with its sign. */
export function signedMoney(value: number, currency: string): string {
  return number(`signedMoney${currency}`, { style: 'currency', currency, signDisplay: 'exceptZero' }).format(value);
}

/** A number with thousands separators. */
export function count(value: number, digits = 0): string {
  return number(`count${digits}`, { maximumFractionDigits: digits }).format(value);
}

/** A count and its noun: `1 resource`, `2 resources`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Bytes, such as `1.2 MB`. */
export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
  const step = Math.min(3, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const options = { style: 'unit', unit: units[step], maximumFractionDigits: 1 } as const;
  return number(`bytes${step}`, options).format(value / 1000 ** step);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A day of the bills, such as `Nov 3, 2026`. Written without a date object: a day has no time zone. */
export function day(value: string): string {
  return `${shortDay(value)}, ${value.slice(0, 4)}`;
}

/** A day without its year, such as `Nov 3`. */
export function shortDay(value: string): string {
  return `${months[Number(value.slice(5, 7)) - 1] ?? ''} ${Number(value.slice(8, 10))}`;
}

/** A month, such as `Nov 2026`, of `YYYY-MM` or any of its days. */
export function month(value: string): string {
  return `${months[Number(value.slice(5, 7)) - 1] ?? ''} ${value.slice(0, 4)}`;
}

/** From one day to another, such as `Nov 1 – 21, 2026`. */
export function days(from: string, to: string): string {
  if (from === to) return day(from);
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${day(from)} – ${day(to)}`;
  const end = from.slice(0, 7) === to.slice(0, 7) ? String(Number(to.slice(8, 10))) : shortDay(to);
  return `${shortDay(from)} – ${end}, ${to.slice(0, 4)}`;
}

/** An instant in the reader's time zone, such as `Nov 3, 2026, 14:05`. */
export function moment(value: string): string {
  const at = new Date(value);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${dayOf(value)}, ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The day of an instant in the reader's time zone, such as `Nov 3, 2026`. */
export function dayOf(value: string): string {
  const at = new Date(value);
  return `${months[at.getMonth()] ?? ''} ${at.getDate()}, ${at.getFullYear()}`;
}

const steps = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** How long ago, or how far ahead, such as `5 minutes ago`, `in 3 days`. */
export function ago(value: string, now = Date.now()): string {
  const seconds = (now - new Date(value).getTime()) / 1000;
  const [size, unit] = steps.find(([one]) => Math.abs(seconds) >= one) ?? [];
  if (!size || !unit) return seconds < 0 ? 'in a moment' : 'just now';
  const said = counted(Math.round(Math.abs(seconds) / size), unit);
  return seconds < 0 ? `in ${said}` : `${said} ago`;
}

const providers: Readonly<Record<string, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  focus: 'FOCUS',
};

/** A provider as people write it: `aws`, `AWS` → `AWS`, `gcp` → `Google Cloud`; others with a capital. */
export function providerName(slug: string): string {
  return providers[slug.toLowerCase()] ?? slug.charAt(0).toUpperCase() + slug.slice(1);
}

/** Words of an enum for people: `SAVINGS_PLAN` → `Savings plan`. */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ');
  const known = text.replaceAll(/\b(api|csv|xlsx|pdf|json|totp|aws|gcp|2fa)\b/g, (word) => word.toUpperCase());
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** A region as it is shown: the bill's own word, or what its absence means. */
export function regionName(region: string | null): string {
  return region === null || region === '' ? 'No region' : region;
}

/** Programs by what stands in their user agent. Those that also name another one come first: Edge names Chrome, Chrome names
 *  Safari. */
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

/** What a user agent is, for people: `Firefox on Linux`, `curl`; one that is not known by its own first word. */
export function agentName(userAgent: string): string {
  const nameIn = (list: typeof programs) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const system = nameIn(systems);
  const program = nameIn(programs) ?? (system ? 'Browser' : userAgent.split(/[\s/]/)[0]);
  if (!program) return 'Unknown program';
  return system ? `${program} on ${system}` : program;
}

const names = new Intl.DisplayNames('en', { type: 'currency' });

/** Every currency that there is, with its name: `EUR · Euro`. */
export function currencyChoices(): { readonly value: string; readonly label: string }[] {
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} · ${names.of(value) ?? value}`,
  }));
}
