/** Truncates text to a maximum number of characters, ending in `…`. Never splits a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  return `${kept.replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** Maximum length of a name, in characters. Real cloud names are shorter; it bounds the response whatever a bill contains. */
export const longestName = 300;

/** Bounds the rows of a response however long the names are. */
const mostRowCharacters = 45_000;

/** Keeps the first rows that fit. */
export function fitting<Row extends object>(rows: readonly Row[]): Row[] {
  let characters = 0;
  return rows.filter((row) => (characters += JSON.stringify(row).length) <= mostRowCharacters);
}

/** Limits for values of unbounded size. */
export interface Limits {
  /** Maximum characters of a text. */
  readonly text: number;
  /** Maximum entries of a list or an object. */
  readonly entries: number;
}

/** No limits. */
export const unlimited: Limits = { text: Infinity, entries: Infinity };

/** From generous to tight: with the last one, a page of 50 rows fits whatever the data. */
const narrower: readonly Limits[] = [
  { text: 2000, entries: 100 },
  { text: 500, entries: 40 },
  { text: 150, entries: 12 },
  { text: 40, entries: 3 },
];

/** Maximum characters of JSON in a response: clients truncate or reject longer ones. */
const mostCharacters = 50_000;

/** Maximum depth; deeper values become `…` once anything is truncated. */
const mostDepth = 4;

/** Builds a response that fits the size limit. Truncates only as much as needed, and then sets `truncated`.
 *  @param build creates the response, using `trimRow` or `trimText` for unbounded values */
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

/** Truncates a row of a response: its texts and objects. Lists are bounded already, or truncated by their producer. */
export function trimRow<Row extends object>(row: Row, limits: Limits): Row {
  const entries = Object.entries(row).map(([key, value]: [string, unknown]) => [
    key,
    Array.isArray(value) ? value : trim(value, limits),
  ]);
  // Truncation preserves the types of values.
  return Object.fromEntries(entries) as Row;
}

/** Truncates JSON: keeps the beginning of long texts, and the first entries of long lists and objects with the
 *  number of omitted ones. */
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

/** Truncates a text by its length in JSON: text full of quotes or control characters takes up to six times its
 *  length there. At a limit of 40, ids, days and instants stay whole. */
export function trimText(text: string, { text: length }: Limits): string {
  const kept = cut(text, length);
  if (length === Infinity || JSON.stringify(kept).length <= length + 2) return kept;
  return cut(text, Math.floor(length / 6));
}
