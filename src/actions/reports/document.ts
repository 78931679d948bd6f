import type { Writable } from 'node:stream';
import type { Day } from '../../kit/period.ts';
import { formatPercent as percentOf } from '../../kit/format.ts';

/** What a column holds. `money` is rounded to 6 decimals, `percent` is 0–100 with 2; `number` is any other decimal;
 *  `date` is a `Day`; `month` is `YYYY-MM`; `instant` is ISO 8601 in UTC with `Z`. */
export type ColumnType = 'text' | 'money' | 'percent' | 'integer' | 'number' | 'date' | 'month' | 'instant';

/** One value of a row: text of `text`, `date`, `month` and `instant`, a number of the others; null where there is none. */
export type Value = string | number | null;

/** A row: one value for each column, in their order. */
export type Row = readonly Value[];

/** A column of a table. */
export interface Column {
  /** As JSON and CSV name it, in snake_case: it never changes. */
  readonly key: string;
  /** As people read it. */
  readonly label: string;
  readonly type: ColumnType;
  /** Of money: ISO 4217 where the whole column has one currency; null where each row names its own in the column `currency`. */
  readonly currency?: string | null;
  /** Text where a row has no value; by default nothing, or a dash. JSON has null there. */
  readonly absent?: string;
  /** Text where a row's text is empty; JSON has the empty text there. */
  readonly empty?: string;
  /** Left out on paper, where there is no room for everything. */
  readonly isDetail?: true;
  /** Its values are words of the API, such as `in_progress`; on paper they read `In progress`. */
  readonly isWord?: true;
}

/** What people read in place of a missing or empty value, where the column says so. */
export function substituteOf({ absent, empty }: Pick<Column, 'absent' | 'empty'>, value: Value): string | undefined {
  if (value === null) return absent;
  return value === '' ? empty : undefined;
}

/** A table of the document. */
export interface Section {
  /** In snake_case, unique in the document: JSON's key. */
  readonly key: string;
  readonly title: string;
  readonly columns: readonly Column[];
  /** To be read once, in the order of the sections, each to its end before the next begins; as slowly as one likes. */
  readonly rows: AsyncIterable<Row>;
  /** How many rows there are; null where nobody knows before they were read. */
  readonly rowCount: number | null;
  /** What stands under the table; text in the first column, null where a column has no total. Null: no totals. */
  readonly totals: Row | null;
}

/** What figures of a chart are. */
export type Unit = { readonly kind: 'money'; readonly currency: string } | { readonly kind: 'percent' | 'count' };

/** Parts of a whole or places of a ranking, the largest first, at most ten; the last may be `Other`. */
export interface RankChart {
  /** `bars`: a ranking, values may be negative. `share`: parts of a whole, none negative. */
  readonly kind: 'bars' | 'share';
  readonly title: string;
  readonly unit: Unit;
  readonly items: readonly { readonly label: string; readonly value: number }[];
}

/** Values along days or months. */
export interface TimeChart {
  /** `stacked`: areas or columns on top of each other. `lines`: beside each other. */
  readonly kind: 'stacked' | 'lines';
  readonly title: string;
  readonly unit: Unit;
  /** Days or months (`YYYY-MM`), ascending, without gaps; at most 1,101. */
  readonly points: readonly string[];
  /** At most eight, the largest first; each has a value for each point, null where nothing is known. */
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/** A picture of the figures. */
export type Chart = RankChart | TimeChart;

/** A fact in words: `{ label: 'Total cost', value: '€ 12,345.67' }`. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A report before it has a format. Everything but the rows is small and complete. Every text may hold what a user or a
 *  provider wrote: writers make it inert. */
export interface ReportDocument {
  /** Such as `Cost by service`. */
  readonly title: string;
  /** What the report is about, in one sentence. */
  readonly subtitle: string;
  /** The organization's name. */
  readonly organization: string;
  /** The days it is about, both inclusive. */
  readonly period: { readonly start: Day; readonly end: Day };
  /** ISO 4217: the organization's. */
  readonly currency: string;
  readonly generatedAt: Date;
  /** The question's filters in words, such as `Accounts: Production, Staging`; none: everything. */
  readonly filters: readonly Fact[];
  /** The key figures, at most six, the first the most important. */
  readonly summary: readonly Fact[];
  readonly charts: readonly Chart[];
  /** The first is the report's main table: the only one that CSV holds. */
  readonly sections: readonly Section[];
  /** What a careful reader should know, one sentence each: days not complete yet, costs without an exchange rate. */
  readonly notes: readonly string[];
}

/** Writes a document in a format, as a stream: it waits where `out` is full, ends `out`, and settles when all is handed over.
 *  @throws {Error} what reading the rows or writing throws */
export type ReportWriter = (document: ReportDocument, out: Writable) => Promise<void>;

/** A percentage, such as `12.5%` of 12.5. */
export function formatPercent(value: number): string {
  return percentOf(value, 1);
}

/** A change, such as `+12.5%`; `no change` of 0. */
export function formatChange(percent: number): string {
  return percent === 0 ? 'no change' : `${percent > 0 ? '+' : '−'}${formatPercent(Math.abs(percent))}`;
}

const acronyms =
  /\b(?:ahb|ami|amd|appgw|arm|aws|az|clb|ddos|ebs|ec2|ecr|efs|eip|eks|elb|gcp|gcs|gp2|gp3|ha|ia|id|io1|ip|lb|n1|nat|pd|rds|s3|sql|ssd|vm|vpce)\b/g;

/** A word of the API for people: `in_progress` is `In progress`, `aws_eip_idle` is `AWS EIP idle`. */
export function formatWord(word: string): string {
  const plain = word.replaceAll('_', ' ').replace(acronyms, (short) => short.toUpperCase());
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The same document for people who read it on paper: without columns that only programs need, and with words as people
 *  write them. */
export function onPaper(document: ReportDocument): ReportDocument {
  return { ...document, sections: document.sections.map(sectionOnPaper) };
}

function sectionOnPaper(section: Section): Section {
  const kept = section.columns.flatMap((column, index) => (column.isDetail ? [] : [{ column, index }]));
  const rowOf = (row: Row): Row => kept.map(({ column, index }) => valueOnPaper(column, row[index] ?? null));
  return {
    ...section,
    columns: kept.map(({ column }) => column),
    rows: rowsOnPaper(section.rows, rowOf),
    totals: section.totals && kept.map(({ index }) => section.totals?.[index] ?? null),
  };
}

async function* rowsOnPaper(rows: AsyncIterable<Row>, rowOf: (row: Row) => Row): AsyncGenerator<Row> {
  for await (const row of rows) yield rowOf(row);
}

function valueOnPaper({ isWord }: Column, value: Value): Value {
  return isWord && typeof value === 'string' ? formatWord(value) : value;
}
