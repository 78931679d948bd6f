import type { Writable } from 'node:stream';
import type { Day } from '../../kit/time/period.ts';
import { formatPercent as percentOf } from '../../kit/text/format.ts';
import { providerName } from '../../kit/text/provider-name.ts';
import { recommendationTypeName } from '../../kit/text/recommendation-type.ts';

/** Content type of a column. `money` is rounded to 6 decimals, `percent` is 0–100 with 2; `number` is any other decimal;
 *  `date` is a `Day`; `month` is `YYYY-MM`; `instant` is ISO 8601 in UTC with `Z`. */
export type ColumnType = 'text' | 'money' | 'percent' | 'integer' | 'number' | 'date' | 'month' | 'instant';

/** A cell's value: a string for `text`, `date`, `month` and `instant`, a number for others; null if absent. */
export type Value = string | number | null;

/** A row: one value per column, in order. */
export type Row = readonly Value[];

/** A column of a table. */
export interface Column {
  /** Stable name in JSON and CSV, in snake_case. */
  readonly key: string;
  /** Human-readable label. */
  readonly label: string;
  readonly type: ColumnType;
  /** For money: ISO 4217 if the whole column has one currency; null if each row has its own in the column `currency`. */
  readonly currency?: string | null;
  /** Text shown for a missing value; by default empty or a dash. JSON has null instead. */
  readonly absent?: string;
  /** Text shown for an empty text; JSON has the empty text instead. */
  readonly empty?: string;
  /** Omitted on paper, where space is limited. */
  readonly isDetail?: true;
  /** Values are API words, such as `in_progress`; in PDF and XLSX they read `In progress`. */
  readonly isWord?: true;
  /** Values are slugs of providers, such as `gcp`; in PDF and XLSX they read `Google Cloud`. */
  readonly isProvider?: true;
  /** Values are types of recommendations, such as `aws_eip_idle`; in PDF and XLSX they read `Idle Elastic IP`. */
  readonly isRecommendationType?: true;
  /** Values are tag keys, such as `virtual:team`; in PDF and XLSX they read `team (virtual tag)`. */
  readonly isTagKey?: true;
}

/** Returns the text shown for a missing or empty value, if the column defines one. */
export function substituteOf({ absent, empty }: Pick<Column, 'absent' | 'empty'>, value: Value): string | undefined {
  if (value === null) return absent;
  return value === '' ? empty : undefined;
}

/** A table of the document. */
export interface Section {
  /** Key in JSON, in snake_case, unique in the document. */
  readonly key: string;
  readonly title: string;
  readonly columns: readonly Column[];
  /** Must be read once, in the order of the sections, each to its end before the next begins; at any pace. */
  readonly rows: AsyncIterable<Row>;
  /** Number of rows; null if unknown before they are read. */
  readonly rowCount: number | null;
  /** Row below the table; text in the first column, null in columns without a total. Null: no totals. */
  readonly totals: Row | null;
}

/** Unit of a chart's figures. */
export type Unit = { readonly kind: 'money'; readonly currency: string } | { readonly kind: 'percent' | 'count' };

/** A ranking or parts of a whole, largest first, or the steps to a total: at most ten items, the last of which can be `Other`. */
export interface RankChart {
  /** `bars`: a ranking, with negative values allowed. `share`: parts of a whole, none negative. */
  readonly kind: 'bars' | 'share';
  readonly title: string;
  readonly unit: Unit;
  readonly items: readonly { readonly label: string; readonly value: number }[];
}

/** Values over days or months. */
export interface TimeChart {
  /** `stacked`: stacked areas or columns. `lines`: separate lines. */
  readonly kind: 'stacked' | 'lines';
  readonly title: string;
  readonly unit: Unit;
  /** Days or months (`YYYY-MM`), ascending, without gaps; at most 1,101. */
  readonly points: readonly string[];
  /** At most eight, largest first; each has a value for each point, null if unknown. */
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** A chart of the document. */
export type Chart = RankChart | TimeChart;

/** A labelled fact in words: `{ label: 'Total cost', value: '€12,345.67' }`. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A format-independent report. Everything except the rows is small and complete. Texts can contain user and provider input:
 *  writers must escape it. */
export interface ReportDocument {
  /** For example `Cost by service`. */
  readonly title: string;
  /** The subject of the report in one sentence. */
  readonly subtitle: string;
  /** The organization's name. */
  readonly organization: string;
  /** The days covered, both inclusive. */
  readonly period: { readonly start: Day; readonly end: Day };
  /** ISO 4217: the organization's currency. */
  readonly currency: string;
  readonly generatedAt: Date;
  /** Filters in words, such as `Accounts: Production, Staging`; none: everything. */
  readonly filters: readonly Fact[];
  /** Key figures, at most six, most important first. */
  readonly summary: readonly Fact[];
  readonly charts: readonly Chart[];
  /** The first is the report's main table, and the only one in CSV. */
  readonly sections: readonly Section[];
  /** The costs that all figures exclude, because they have no exchange rate or their bill is missing, such as `€90.00, no bill for
   *  Production (October 2026)`: a column of CSV, which has neither summary nor notes. Empty if there are none; undefined if the rows
   *  state them, or if no cost can be excluded. */
  readonly excluded?: string;
  /** Caveats, one sentence each: incomplete days, missing bills, costs without an exchange rate. */
  readonly notes: readonly string[];
}

/** Streams a document in a format: respects the backpressure of `out`, ends it, and resolves when all data is handed over.
 *  @throws {Error} errors from reading the rows or from writing */
export type ReportWriter = (document: ReportDocument, out: Writable) => Promise<void>;

/** Formats a percentage, such as `12.5%` for 12.5. */
export function formatPercent(value: number): string {
  return percentOf(value, 1);
}

/** Formats a share, rounded once: the percentages of answers are already rounded. */
export function formatShare(part: number, whole: number): string {
  return formatPercent((part / whole) * 100);
}

/** Formats a change, such as `+12.5%`; `no change` for 0. */
export function formatChange(percent: number): string {
  return percent === 0 ? 'no change' : `${percent > 0 ? '+' : '−'}${formatPercent(Math.abs(percent))}`;
}

const acronyms =
  /\b(?:ahb|ami|amd|appgw|arm|aws|az|clb|ddos|ebs|ec2|ecr|efs|eip|eks|elb|gcp|gcs|gp2|gp3|ha|ia|id|io1|ip|lb|n1|nat|pd|rds|s3|sql|ssd|vm|vpce)\b/g;

/** Formats an API word: `in_progress` as `In progress`, `aws_eip_idle` as `AWS EIP idle`. */
export function formatWord(word: string): string {
  const plain = word.replaceAll('_', ' ').replace(acronyms, (short) => short.toUpperCase());
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Returns the document for print: without columns for programs, and with words in human-readable form. */
export function onPaper(document: ReportDocument): ReportDocument {
  const { sections, ...rest } = inWords(document);
  return { ...rest, sections: sections.map(withoutDetails) };
}

/** Returns the document for people, with API words and slugs of providers in human-readable form. */
export function inWords(document: ReportDocument): ReportDocument {
  return { ...document, sections: document.sections.map(sectionInWords) };
}

function sectionInWords(section: Section): Section {
  const { columns } = section;
  const wordsOf = (row: Row): Row => columns.map((column, index) => valueInWords(column, row[index] ?? null));
  return { ...section, rows: mapped(section.rows, wordsOf) };
}

function withoutDetails(section: Section): Section {
  const kept = section.columns.flatMap((column, index) => (column.isDetail ? [] : [{ column, index }]));
  return {
    ...section,
    columns: kept.map(({ column }) => column),
    rows: mapped(section.rows, (row) => kept.map(({ index }) => row[index] ?? null)),
    totals: section.totals && kept.map(({ index }) => section.totals?.[index] ?? null),
  };
}

async function* mapped(rows: AsyncIterable<Row>, rowOf: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield rowOf(row);
}

function valueInWords({ isWord, isProvider, isRecommendationType, isTagKey }: Column, value: Value): Value {
  if (typeof value !== 'string') return value;
  if (isProvider) return providerName(value);
  if (isRecommendationType) return recommendationTypeName(value) ?? formatWord(value);
  if (isTagKey) return value.replace(/^virtual:(.*)$/s, '$1 (virtual tag)');
  return isWord ? formatWord(value) : value;
}
