import { createHash } from 'node:crypto';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { tagKeyName } from '../../kit/tag-key.ts';
import type { ChargeCategory, CostMetric, CostQuestion, TagFilter } from './question.ts';
import type { Span } from './rollup.ts';
import { bucketOf, groupDimension } from './rollup.ts';

/** Composed, parameterised SQL. */
export type Sql = Prisma.Sql;

/** Whose costs are read, in which currency they are answered. */
export interface Books {
  readonly organizationId: string;
  /** Accounts in the caller's scope and question. */
  readonly accountIds: readonly string[];
  /** The organization's currency, ISO 4217. */
  readonly currency: string;
}

const metricColumns = {
  effective: Prisma.sql`effective`,
  billed: Prisma.sql`billed`,
  list: Prisma.sql`list`,
  contracted: Prisma.sql`contracted`,
} satisfies Record<CostMetric, Sql>;

const categoryCodes = { usage: 1, purchase: 2, tax: 3, credit: 4, adjustment: 5 } satisfies Record<
  ChargeCategory,
  number
>;

/** The id of a tag key, spelled as on any bill: keys that differ in case only are one key. */
export function tagKeyId(key: string): string {
  return dictionaryId(tagKeyName(key).toLowerCase());
}

/** The id under which a text stands in a dictionary: the first 63 bits of its MD5, as a decimal. */
export function dictionaryId(text: string): string {
  return (BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`) >> 1n).toString();
}

/** The dimension columns that the answer's groups need, as facts and rollups both call them. */
function groupColumns(question: CostQuestion): string[] {
  const dimension = groupDimension(question);
  const columns: string[] = [];
  if (dimension !== null || question.groupBy !== null) columns.push('provider');
  if (dimension === 'service') columns.push('service_id');
  if (dimension === 'region') columns.push('region_id');
  if (dimension === 'subAccount') columns.push('sub_account_id');
  if (question.view === 'by-tag') columns.push('tag_value_id');
  return columns;
}

/** Everything the question asks, per account, currency, group columns and day. Costs in the organization's own currency
 *  need no rate, and then no day either, unless the answer is per day or month. */
export function scanCells(books: Books, question: CostQuestion, spans: readonly Span[]): Sql {
  const columns = groupColumns(question);
  const { tag } = question;
  const needed = [...columns.filter((column) => column !== 'tag_value_id'), ...(tag === null ? [] : ['tag_set_id'])];
  const keys = keyColumns(columns);
  const lines = scanLines(books, question, spans, needed);
  if (tag === null) return summed(keys, lines);
  // Tag sets are added up before they are joined with their tags: there are many times as many lines.
  return Prisma.sql`WITH sets AS MATERIALIZED (${summed(keyColumns(needed), lines)})
SELECT ${keys}, sum(cost) AS cost FROM sets ${joinTag(books, tag, spans)} GROUP BY ${keys}`;
}

function summed(keys: Sql, lines: readonly Sql[]): Sql {
  return Prisma.sql`SELECT ${keys}, sum(cost) AS cost FROM (
  ${Prisma.join([...lines], '\n  UNION ALL ')}
) AS lines GROUP BY ${keys}`;
}

/** A tag set has a key once at most, so that no cost is counted twice. The few sets that rollups have are looked up one by
 *  one: an account has about as many sets in all as it has resources. */
function joinTag(books: Books, tag: TagFilter, spans: readonly Span[]): Sql {
  const isFew = spans.every((span) => span.from === 'rollups');
  const join = tag.carried === 'yes' ? Prisma.sql`JOIN` : Prisma.sql`LEFT JOIN`;
  const valueIds = tag.values?.map(dictionaryId);
  return Prisma.sql`${join} (
  SELECT account_id AS tagged_account_id, tag_set_id AS tagged_set_id, value_id AS tag_value_id FROM tag_pairs
  WHERE ${ownership(books)} AND key_id = ${tagKeyId(tag.key)}
  ${valueIds === undefined ? Prisma.empty : Prisma.sql`AND value_id = ANY(${valueIds})`}
  ${isFew ? Prisma.sql`AND tag_set_id = ANY(ARRAY(SELECT tag_set_id FROM sets))` : Prisma.empty}
) AS pairs ON tagged_account_id = account_id AND tagged_set_id = tag_set_id
${tag.carried === 'no' ? Prisma.sql`WHERE tagged_set_id IS NULL` : Prisma.empty}`;
}

function scanLines(books: Books, question: CostQuestion, spans: readonly Span[], columns: readonly string[]): Sql[] {
  return spans.map((span) =>
    span.from === 'facts'
      ? Prisma.sql`SELECT ${lineColumns(books, question, 'charge_date', columns)} FROM cost_facts
    WHERE charge_date >= ${span.start} AND charge_date < ${span.end} AND ${filters(books, question)}`
      : Prisma.sql`SELECT ${lineColumns(books, question, 'date', columns)} FROM cost_rollups
    WHERE rollup = ${number(span.rollup)} AND grain = ${number(span.grain)}
    AND date >= ${span.start} AND date < ${span.end} AND ${filters(books, question)}`,
  );
}

function lineColumns(books: Books, question: CostQuestion, dateName: string, columns: readonly string[]): Sql {
  const date = Prisma.raw(dateName);
  const neededDate =
    bucketOf(question) === 'none'
      ? Prisma.sql`CASE WHEN currency = ${books.currency} THEN NULL ELSE ${date} END`
      : date;
  return Prisma.sql`account_id, currency, ${neededDate} AS date${tail(columns)}, ${metricColumns[question.costMetric]} AS cost`;
}

function filters(books: Books, question: CostQuestion): Sql {
  const { providers, chargeCategories } = question;
  const codes = chargeCategories?.map((category) => categoryCodes[category]);
  const named = (column: string, table: string, key: string, values: readonly string[] | null) =>
    values === null
      ? []
      : [
          Prisma.sql`${Prisma.raw(column)} IN (SELECT id FROM ${Prisma.raw(table)}
      WHERE ${ownership(books)} AND ${Prisma.raw(key)} = ANY(${values}))`,
        ];
  return Prisma.join(
    [
      ownership(books),
      ...(providers === null ? [] : [Prisma.sql`provider = ANY(${providers})`]),
      ...(codes === undefined ? [] : [Prisma.sql`charge_category = ANY(${codes})`]),
      ...named('service_id', 'services', 'name', question.services),
      ...named('region_id', 'regions', 'code', question.regions),
      ...named('sub_account_id', 'sub_accounts', 'code', question.subAccountIds),
    ],
    ' AND ',
  );
}

/** In every read of the cube: the organization's rows, of the accounts in the caller's scope and question. */
function ownership(books: Books): Sql {
  return Prisma.sql`organization_id = ${books.organizationId} AND account_id = ANY(${books.accountIds})`;
}

function keyColumns(columns: readonly string[], prefix = ''): Sql {
  return Prisma.raw([`${prefix}account_id`, `${prefix}currency`, `${prefix}date`, ...columns].join(', '));
}

function tail(columns: readonly string[]): Sql {
  return Prisma.raw(columns.map((column) => `, ${column}`).join(''));
}

function number(code: number): Sql {
  return Prisma.raw(String(code));
}
