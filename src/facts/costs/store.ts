import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import { Prisma } from '../../../prisma/generated/client/client.ts';
import { notFound } from '../../kit/errors.ts';
import type { Amount } from '../../kit/money.ts';
import { parseAmount } from '../../kit/money.ts';
import type { Day } from '../../kit/period.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { CostQuestion } from './question.ts';
import type { Span } from './rollup.ts';
import { bucketOf, groupDimension, readRange } from './rollup.ts';
import type { Books, Sql } from './scan.ts';
import { scanCells, tagKeyId } from './scan.ts';

/** An account of the caller's scope, as far as cost answers depend on it. */
export interface CostAccount {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly isConnected: boolean;
  /** First and last charge day; null before the first load. */
  readonly dataFrom: Day | null;
  readonly dataTo: Day | null;
  /** The last day that is complete at the provider. */
  readonly completeThrough: Day | null;
}

/** The organization and the accounts in the caller's scope. */
export interface Ledger {
  readonly organizationId: string;
  readonly currency: string;
  readonly ratesVersion: number;
  readonly accounts: readonly CostAccount[];
}

/** Exact cost of one cell of an answer. What the answer is not grouped by is null. */
export interface CostCell {
  /** The first day of the cell's day or month. */
  readonly period: Day | null;
  readonly accountId: string | null;
  readonly provider: string | null;
  readonly service: string | null;
  readonly serviceCategory: string | null;
  readonly region: string | null;
  readonly subAccountId: string | null;
  readonly subAccountName: string | null;
  /** Null also where the charges lack the tag key. */
  readonly tagValue: string | null;
  /** The billing currency of costs that have no exchange rate: `cost` is then in it. Null: converted. */
  readonly unconverted: string | null;
  readonly cost: Amount;
}

/** What reads run on: the pool, or the one connection of a snapshot. */
export type Reader = Pick<Pool, 'query'>;

/** Two habits of PostgreSQL made joins of the cube ten to thirty times as slow: after five runs it prefers one plan for all
 *  values, and of an account that came after the last ANALYZE it expects one row, for which a nested loop or a merge would do.
 *  A third starts parallel workers for a few milliseconds of rollups, which takes longer than they save. */
const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off;
SET LOCAL parallel_setup_cost = 20000`;

/** Runs several reads as of one moment: a billing month that is replaced between two of them shows in none. */
export async function inSnapshot<Result>(pool: Pool, read: (reader: Reader) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(beginSnapshot);
    const result = await read(client);
    // The answer does not wait for the end of what only read.
    void client.query('COMMIT').then(
      () => client.release(),
      () => client.release(true),
    );
    return result;
  } catch (error) {
    // With it the connection ends, and its transaction.
    client.release(true);
    throw error;
  }
}

/** Reads what every cost answer starts from, in one query.
 *  @throws {AppError} NOT_FOUND when the organization is gone */
export async function readLedger(pool: Pool, scope: OrgScope): Promise<Ledger> {
  const rows = await run<LedgerRow>(
    pool,
    Prisma.sql`/* costs: ledger */
SELECT o.currency, o.rates_version, a.id, a.name, a.version, a.status = 'connected' AS is_connected,
  to_char(a.data_from, 'YYYY-MM-DD') AS data_from, to_char(a.data_to, 'YYYY-MM-DD') AS data_to,
  to_char(a.complete_through, 'YYYY-MM-DD') AS complete_through
FROM organizations o LEFT JOIN accounts a ON a.organization_id = o.id
  AND (${scope.accountIds}::uuid[] IS NULL OR a.id = ANY(${scope.accountIds}::uuid[]))
WHERE o.id = ${scope.organizationId} ORDER BY a.id`,
  );
  const organization = rows[0];
  if (organization === undefined) throw notFound('Organization', scope.organizationId);
  return {
    organizationId: scope.organizationId,
    currency: organization.currency,
    ratesVersion: organization.rates_version,
    accounts: rows.flatMap(accountOf),
  };
}

/** Reads the cells of an answer: exact, converted by the charge month's rate. */
export async function readCells(
  reader: Reader,
  books: Books,
  question: CostQuestion,
  spans: readonly Span[],
): Promise<CostCell[]> {
  return (await run<CellRow>(reader, selectCells(books, question, spans))).map(cellOf);
}

/** Reads the cells of an answer by tag from rollups, if these hold the tag key in all that the question touches. It is one
 *  statement, so that no load comes between the two.
 *  @returns null where they leave the key out: the facts have it */
export async function readTagRollups(
  reader: Reader,
  books: Books,
  question: CostQuestion,
  spans: readonly Span[],
): Promise<CostCell[] | null> {
  const rows = await run<{ isLeftOut: boolean } & (CellRow | { cost: null })>(
    reader,
    Prisma.sql`SELECT flag."isLeftOut", answer.*
FROM (SELECT EXISTS (${selectLeftOut(books, question)}) AS "isLeftOut") AS flag
LEFT JOIN (${selectCells(books, question, spans)}) AS answer ON true`,
  );
  if (rows[0]?.isLeftOut) return null;
  return rows.flatMap((row) => (row.cost === null ? [] : [cellOf(row)]));
}

/** The billing periods that the question touches and whose tag rollups leave its key out. A key that no bill there has is
 *  not left out: no set has it. */
function selectLeftOut(books: Books, question: CostQuestion): Sql {
  const { start, end } = readRange(question);
  return Prisma.sql`WITH missing AS MATERIALIZED (
  SELECT account_id, period FROM tag_keys
  WHERE organization_id = ${books.organizationId} AND account_id = ANY(${books.accountIds})
  AND id = ${tagKeyId(question.tag?.key ?? '')} AND NOT rolled_up
)
SELECT FROM missing m LEFT JOIN billing_periods b ON b.account_id = m.account_id AND b.period = m.period
WHERE b.period IS NULL OR (b.data_from < ${end} AND b.data_to >= ${start})`;
}

function selectCells(books: Books, question: CostQuestion, spans: readonly Span[]): Sql {
  const columns = answerColumns(question);
  const keys = Prisma.raw([...columns.map((column) => column.key), 'unconverted'].join(', '));
  const shown = Prisma.raw(columns.map((column) => `${column.shown} AS ${column.key}, `).join(''));
  const named = Prisma.raw(columns.map((column) => `, ${column.from} AS ${column.key}`).join(''));
  return Prisma.sql`/* costs: ${Prisma.raw(question.view)} */
WITH scan AS MATERIALIZED (
  ${scanCells(books, question, spans)}
), cells AS MATERIALIZED (
  SELECT c.currency, ${Prisma.raw(firstOfMonth)} AS month, c.cost${named}
  FROM scan AS c ${dictionaryJoin(books, question)}
), rated AS (
  SELECT cells.*, CASE WHEN cells.currency = ${books.currency} THEN 1 ELSE rates.rate END AS rate
  FROM cells LEFT JOIN exchange_rates AS rates ON rates.organization_id = ${books.organizationId}
  AND rates.month = cells.month AND rates.from_currency = cells.currency AND rates.to_currency = ${books.currency}
), converted AS (
  SELECT rated.*, CASE WHEN rate IS NULL THEN currency END AS unconverted FROM rated
)
SELECT ${shown}unconverted, sum(cost * coalesce(rate, 1)) AS cost FROM converted GROUP BY ${keys}`;
}

interface LedgerRow extends QueryResultRow {
  currency: string;
  rates_version: number;
  id: string | null;
  name: string;
  version: number;
  is_connected: boolean;
  data_from: Day | null;
  data_to: Day | null;
  complete_through: Day | null;
}

interface CellRow extends QueryResultRow, Partial<Omit<CostCell, 'cost'>> {
  cost: string;
}

function accountOf(row: LedgerRow): CostAccount[] {
  if (row.id === null) return [];
  return [
    {
      id: row.id,
      name: row.name,
      version: row.version,
      isConnected: row.is_connected,
      dataFrom: row.data_from,
      dataTo: row.data_to,
      completeThrough: row.complete_through,
    },
  ];
}

function cellOf(row: CellRow): CostCell {
  return {
    period: row.period ?? null,
    accountId: row.accountId ?? null,
    provider: row.provider ?? null,
    service: row.service ?? null,
    serviceCategory: row.serviceCategory ?? null,
    region: row.region ?? null,
    subAccountId: row.subAccountId ?? null,
    subAccountName: row.subAccountName ?? null,
    tagValue: row.tagValue ?? null,
    unconverted: row.unconverted ?? null,
    cost: parseAmount(row.cost),
  };
}

interface AnswerColumn {
  /** The field of `CostCell`, quoted. */
  readonly key: string;
  /** What it is read from: `c` is the scan, `d` the dictionary. */
  readonly from: string;
  /** How it is written in the end. */
  readonly shown: string;
}

/** Without `date_trunc`, which takes a day through a time zone and back. */
const firstOfMonth = 'c.date - extract(day FROM c.date)::int + 1';

/** An id that a dictionary lacks never loses its cost: it is shown without a name. */
function answerColumns(question: CostQuestion): AnswerColumn[] {
  const columns: AnswerColumn[] = [];
  const add = (key: string, from: string, shown = `"${key}"`) => columns.push({ key: `"${key}"`, from, shown });
  const bucket = bucketOf(question);
  if (bucket !== 'none') add('period', bucket === 'day' ? 'c.date' : firstOfMonth, `to_char("period", 'YYYY-MM-DD')`);
  if (question.view === 'by-account' || question.groupBy === 'account') add('accountId', 'c.account_id');
  const dimension = groupDimension(question);
  if (dimension !== null || question.groupBy !== null) add('provider', 'c.provider');
  if (dimension === 'service') add('service', `coalesce(d.name, '')`);
  if (question.view === 'by-service') add('serviceCategory', `coalesce(d.category, 'Other')`);
  if (dimension === 'region') add('region', `coalesce(d.code, '')`);
  if (dimension === 'subAccount') {
    add('subAccountId', `coalesce(d.code, '')`);
    add('subAccountName', `coalesce(d.name, '')`);
  }
  if (question.view === 'by-tag') add('tagValue', 'd.value');
  return columns;
}

function dictionaryJoin(books: Books, question: CostQuestion): Sql {
  const join = (table: string, id: string) =>
    Prisma.sql`LEFT JOIN ${Prisma.raw(table)} AS d ON d.account_id = c.account_id AND d.id = c.${Prisma.raw(id)}
  AND d.organization_id = ${books.organizationId} AND d.account_id = ANY(${books.accountIds})`;
  // An account has about as many values in all as it has resources, and a key has few of them.
  if (question.view === 'by-tag')
    return Prisma.sql`${join('tag_values', 'tag_value_id')} AND d.id = ANY(ARRAY(SELECT tag_value_id FROM scan))`;
  switch (groupDimension(question)) {
    case 'service':
      return join('services', 'service_id');
    case 'region':
      return join('regions', 'region_id');
    case 'subAccount':
      return join('sub_accounts', 'sub_account_id');
    case null:
      return Prisma.empty;
  }
}

const statementNames = new Map<string, string>();

/** Runs SQL as a prepared statement: its text depends on which filters are there, never on their values. */
async function run<Row extends QueryResultRow>(reader: Reader, sql: Sql): Promise<Row[]> {
  const { text } = sql;
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `costs_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    statementNames.set(text, name);
  }
  const result = await reader.query<Row>({ name, text, values: sql.values });
  return result.rows;
}
