import { createHash } from 'node:crypto';
import type { Pool, QueryResultRow } from 'pg';
import { Prisma } from '../../../../prisma/generated/client/client.ts';
import { keptIdle } from '../../../kit/database/transaction.ts';

/** Composed, parameterized SQL. */
export type Sql = Prisma.Sql;

/** The part of a ledger to read, and the currency of the answer. */
export interface LedgerSlice {
  readonly organizationId: string;
  /** Accounts in both the caller's scope and the question. */
  readonly accountIds: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
}

/** Connection of reads: the pool, or that of a snapshot. */
export type Reader = Pick<Pool, 'query'>;

/** Restricts every cost read to the organization's rows, of accounts in the caller's scope and question. */
export function ownership(slice: Pick<LedgerSlice, 'organizationId' | 'accountIds'>): Sql {
  return Prisma.sql`organization_id = ${slice.organizationId} AND account_id = ANY(${slice.accountIds})`;
}

const statementNames = new Map<string, string>();
/** Maximum number of prepared statements, which each connection keeps until it closes. */
const mostStatements = 200;

/** Runs SQL as a prepared statement: its text depends on which filters are present, never on their values. */
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

/** Planner settings for cost queries. Two PostgreSQL defaults made their joins 10 to 30 times slower: after five runs it
 *  prefers a generic plan, and for an account added after the last ANALYZE it expects one row, so it chooses nested loops or
 *  merge joins. Parallel workers take longer to start than the few milliseconds they save on rollups. The cost of a nested loop that
 *  cannot be avoided would start the JIT compiler, which took 20 times as long as a query by tag. */
const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_nestloop = off; SET LOCAL enable_mergejoin = off;
SET LOCAL parallel_setup_cost = 20000; SET LOCAL jit = off; ${keptIdle}`;

/** Runs several reads in one snapshot, so that none sees half of a replaced billing month. */
export async function inSnapshot<Result>(pool: Pool, read: (reader: Reader) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(beginSnapshot);
    const result = await read(client);
    // The answer does not wait for a read-only transaction to end.
    void client.query('COMMIT').then(
      () => client.release(),
      () => client.release(true),
    );
    return result;
  } catch (error) {
    // Destroys the connection and with it the transaction.
    client.release(true);
    throw error;
  }
}
