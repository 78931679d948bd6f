import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import { Prisma } from '../../../../prisma/generated/client/client.ts';

/** Composed, parameterised SQL. */
export type Sql = Prisma.Sql;

/** Whose costs are read, and in which currency they are answered. */
export interface Books {
  readonly organizationId: string;
  /** Accounts in the caller's scope and question. */
  readonly accountIds: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
}

/** What reads run on: the pool, or the one connection of a snapshot. */
export type Reader = Pick<Pool, 'query'>;

/** In every read of the cube: the organization's rows, of the accounts in the caller's scope and question. */
export function ownership(books: Pick<Books, 'organizationId' | 'accountIds'>): Sql {
  return Prisma.sql`organization_id = ${books.organizationId} AND account_id = ANY(${books.accountIds})`;
}

const statementNames = new Map<string, string>();
/** Each connection keeps its prepared statements for good. */
const mostStatements = 200;

/** Runs SQL as a prepared statement: its text depends on which filters are there, never on their values. */
export async function run<Row extends QueryResultRow>(reader: Reader, { text, values }: Sql): Promise<Row[]> {
  const name = statementNames.get(text) ?? nameOf(text);
  const result = await reader.query<Row>({ text, values, ...(name !== null && { name }) });
  return result.rows;
}

function nameOf(text: string): string | null {
  if (statementNames.size >= mostStatements) return null;
  const name = `costs_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  statementNames.set(text, name);
  return name;
}

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
