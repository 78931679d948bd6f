/** A text no longer than so many characters: what is cut ends in `…`. Never cuts a character in two. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${kept.replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** How much is shown of what has no bound of its own. */
export interface Limits {
  /** Characters of a text. */
  readonly text: number;
  /** Entries of a list or an object. */
  readonly entries: number;
}

/** All of it. */
export const unlimited: Limits = { text: Infinity, entries: Infinity };

/** From generous to tight: with the last, a page of 50 rows fits whatever the data. */
const narrower: readonly Limits[] = [
  { text: 2000, entries: 100 },
  { text: 500, entries: 40 },
  { text: 150, entries: 12 },
  { text: 40, entries: 3 },
];

/** What an answer may have at most, in characters of JSON: clients cut or refuse longer ones. */
const mostCharacters = 50_000;

/** Deeper, values are told by `…` alone once anything is cut. */
const mostDepth = 4;

/** Builds an answer as whole as it fits. Only what does not fit is cut, and then says so.
 *  @param build makes it, with `trimRow` or `trimText` at what has no bound */
export function fit<Answer extends object>(build: (limits: Limits) => Answer): Answer & { truncated?: true } {
  const whole = build(unlimited);
  if (fits(whole)) return whole;
  let answer = whole;
  for (const limits of narrower) {
    answer = build(limits);
    if (fits(answer)) break;
  }
  return { ...answer, truncated: true };
}

function fits(answer: object): boolean {
  return JSON.stringify(answer).length <= mostCharacters;
}

/** A row of an answer within limits: its texts cut, its objects trimmed. Its lists have a bound of their own, or are trimmed by
 *  who makes them. */
export function trimRow<Row extends object>(row: Row, limits: Limits): Row {
  const entries = Object.entries(row).map(([key, value]: [string, unknown]) => [
    key,
    Array.isArray(value) ? value : trim(value, limits),
  ]);
  // Texts stay texts and objects objects.
  return Object.fromEntries(entries) as Row;
}

/** JSON within limits: of longer texts the beginning, of longer lists and objects the first entries and how many more there
 *  are. */
function trim(value: unknown, limits: Limits, depth = 0): unknown {
  if (typeof value === 'string') return trimText(value, limits);
  if (typeof value !== 'object' || value === null) return value;
  if (limits.entries !== Infinity && depth >= mostDepth) return '…';
  return Array.isArray(value) ? trimList(value, limits, depth) : trimObject(value, limits, depth);
}

function trimList(values: readonly unknown[], limits: Limits, depth: number): unknown[] {
  const kept = values.slice(0, limits.entries).map((each) => trim(each, limits, depth + 1));
  return values.length > kept.length ? [...kept, `… ${values.length - kept.length} more`] : kept;
}

function trimObject(values: object, limits: Limits, depth: number): Record<string, unknown> {
  const all = Object.entries(values);
  const kept = all
    .slice(0, limits.entries)
    .map(([key, each]): [string, unknown] => [trimText(key, limits), trim(each, limits, depth + 1)]);
  if (all.length > kept.length) kept.push(['…', `${all.length - kept.length} more`]);
  return Object.fromEntries(kept);
}

/** A text within limits, as JSON writes it: what is all quotes or control characters there takes up to six times its length.
 *  At 40, ids, days and instants stay whole. */
export function trimText(text: string, { text: length }: Limits): string {
  const kept = cut(text, length);
  if (length === Infinity || JSON.stringify(kept).length <= length + 2) return kept;
  return cut(text, Math.floor(length / 6));
}
