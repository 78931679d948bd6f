import type { Prose } from './compose.ts';
import type { Brief } from './brief.ts';

/** Returns why a model's prose is rejected; null if it is accepted. Every figure must be among the given facts, in the same
 *  sense (a percentage or not), and at most rounded; money must be in their currency; days must be days of the facts; and
 *  the prose must be plain text without links. */
export function faultOf(prose: Prose, brief: Brief): string | null {
  const texts = [prose.summary, ...prose.likelyCauses, ...prose.nextSteps];
  const known = knownIn(brief);
  for (const text of texts) {
    const fault =
      shapeFault(text) ?? tokenFault(text, brief) ?? currencyFault(text, brief) ?? figureFault(text, brief, known);
    if (fault !== null) return fault;
  }
  return null;
}

/** Replaces the tokens with the real names. */
export function withNames(prose: Prose, { aliases }: Brief): Prose {
  const put = (text: string) => text.replaceAll(tokens, (token) => aliases.get(token) ?? token);
  return {
    summary: put(prose.summary),
    likelyCauses: prose.likelyCauses.map(put),
    nextSteps: prose.nextSteps.map(put),
  };
}

const tokens = /\b(?:SERVICE|REGION|ACCOUNT|TAG|RESOURCE|USAGE|PRICING)_[A-Z]+\b/g;

function shapeFault(text: string): string | null {
  if (text.trim().length < 10) return 'a text of fewer than 10 characters';
  if (/[<>`{}\\]|\]\(|\p{Cc}|\p{Cf}/u.test(text)) return 'markup or control characters';
  if (/https?:|www\.|\S@\S|\b[a-z0-9-]+\.(?:com|net|org|io|dev|app|ai|co)\b/i.test(text)) return 'a link or an address';
  return null;
}

function tokenFault(text: string, { aliases }: Brief): string | null {
  const unknown = [...text.matchAll(tokens)].find(([token]) => !aliases.has(token));
  return unknown ? `a name that is not among the facts: ${unknown[0]}` : null;
}

const symbols = /[A-Z]{0,3}\p{Sc}/gu;
const codes = /\b[A-Z]{3}(?=\s?\d)|(?<=\d\s?)[A-Z]{3}\b/g;
const currencyWords = /\b(?:dollar|euro|pound|yen|yuan|rupee|franc|krona|krone|peso)s?\b/gi;
const knownCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Rejects other currencies: a correct figure is wrong in another currency. */
function currencyFault(text: string, { currency, names }: Brief): string | null {
  const plain = without(text, names);
  const own = (['symbol', 'narrowSymbol', 'name'] as const).map((currencyDisplay) =>
    calledAs(currency, currencyDisplay),
  );
  const foreign =
    [...plain.matchAll(symbols)].find(([symbol]) => !own.includes(symbol)) ??
    [...plain.matchAll(codes)].find(([code]) => knownCodes.has(code) && code !== currency) ??
    [...plain.matchAll(currencyWords)].find(
      ([word]) => !own[2]?.toLowerCase().includes(word.toLowerCase().replace(/s$/, '')),
    );
  return foreign ? `a currency that is not that of the facts: ${foreign[0]}` : null;
}

function calledAs(currency: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name'): string {
  if (!knownCodes.has(currency)) return currency;
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay }).formatToParts(2);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

interface Known {
  readonly percents: readonly number[];
  readonly others: readonly number[];
  /** For example `7 August 2026`. */
  readonly days: readonly string[];
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const month = `(?:${monthNames.join('|')})`;
const dayTexts = new RegExp(
  `\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b(?:\\d{1,2}(?: ${month}(?: \\d{4})?)?\\s?(?:–|-|to|and)\\s?)?\\d{1,2} ${month}(?: \\d{4})?\\b|\\b${month} \\d{1,2}(?:\\s?(?:–|-|to)\\s?\\d{1,2}(?:, \\d{4})?|\\s?and\\s?\\d{1,2}, \\d{4}|, \\d{4})?\\b`,
  'g',
);
const figures = /(?<![\p{L}\d])\d+(?:[.,]\d+)*(?:\s?(?:%|percent|per cent))?/gu;

/** Returns the figures in the data. */
function knownIn({ data, names }: Brief): Known {
  const text = without(JSON.stringify(data), names);
  const days = [...text.matchAll(dayTexts)].map(([day]) => day);
  const found = [...text.replaceAll(dayTexts, ' ').matchAll(figures)].map(([figure]) => figure);
  const percents = found.filter(isPercent).map(valueOf);
  return { percents, others: found.filter((figure) => !isPercent(figure)).map(valueOf), days: days.flatMap(daysOf) };
}

/** Products with digits in their names, in addition to those in the facts. */
const products = /\b(?:EC2|S3|SQS|IPv4|IPv6|Route 53|gp2|gp3|io1|io2|K8s)\b/g;
const numberWords =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|half|halved|quarters?|twice|thrice|(?:doubl|tripl|quadrupl)\w*|\w*fold)\b|\b(?:one|a)[ -]third\b/i;

function figureFault(text: string, { names }: Brief, known: Known): string | null {
  const plain = without(text.replaceAll(tokens, ' '), names).replaceAll(products, ' ');
  for (const [day] of plain.matchAll(dayTexts))
    if (!daysOf(day).every((each) => known.days.some((own) => own === each || own.startsWith(`${each} `))))
      return `a day that is not among the facts: ${day}`;
  const rest = plain.replaceAll(dayTexts, ' ');
  const word = numberWords.exec(rest);
  if (word) return `a number in words: ${word[0]}`;
  for (const [figure] of rest.matchAll(figures)) {
    const allowed = isPercent(figure) ? known.percents : known.others;
    if (!allowed.some((value) => isRounding(figure, value))) return `a figure that is not among the facts: ${figure}`;
  }
  // Any remaining digits are attached to letters (200k), or from another script.
  const glued = /\S*\p{N}\S*/u.exec(
    rest.replaceAll(figures, (figure, at: number) =>
      /^[\p{L}×]/u.test(rest.slice(at + figure.length)) ? figure : ' ',
    ),
  );
  return glued ? `a figure that cannot be read: ${glued[0]}` : null;
}

function without(text: string, names: readonly string[]): string {
  return names.toSorted((a, b) => b.length - a.length).reduce((rest, name) => rest.replaceAll(name, ' '), text);
}

function isPercent(figure: string): boolean {
  return /%|per ?cent/.test(figure);
}

function valueOf(figure: string): number {
  const digits = figure.replace(/\s?(?:%|percent|per cent)$/, '');
  return /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) || /^\d+(?:\.\d+)?$/.test(digits)
    ? Number(digits.replaceAll(',', ''))
    : NaN;
}

/** Returns whether a figure is a value, exactly or rounded to the figure's decimals. */
function isRounding(figure: string, value: number): boolean {
  const decimals = /\.(\d+)/.exec(figure)?.[1]?.length ?? 0;
  const written = valueOf(figure);
  return written === value || (value >= 1 && Number(value.toFixed(decimals)) === written);
}

/** Returns the days in a text such as `November 11–13, 2026` or `11 to 13 November`, each with its month as written. */
function daysOf(text: string): string[] {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (iso) return [`${Number(iso[3])} ${monthNames[Number(iso[2]) - 1] ?? '?'} ${iso[1]}`];
  const american = new RegExp(`^(${month}) (\\d{1,2})(?:\\s?(?:–|-|to|and)\\s?(\\d{1,2}))?(?:, (\\d{4}))?$`).exec(text);
  if (american) {
    const [, name, from, to, year] = american;
    return [from, to].filter(Boolean).map((date) => [date, name, year].filter(Boolean).join(' '));
  }
  const last = new RegExp(`(\\d{1,2}) (${month})(?: (\\d{4}))?$`).exec(text);
  const first = new RegExp(`^(\\d{1,2})(?: (${month})(?: (\\d{4}))?)?\\s?(?:–|-|to|and)`).exec(text);
  const dayOf = (parts: RegExpExecArray | null) =>
    parts ? [[parts[1], parts[2] ?? last?.[2], parts[3] ?? last?.[3]].filter(Boolean).join(' ')] : [];
  return [...dayOf(first), ...dayOf(last)];
}
