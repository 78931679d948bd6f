import type pg from 'pg';
import { isContended } from './away.ts';

/** Maximum number of attempts of a transaction that concurrent ones abort. */
const mostAttempts = 5;

/** Statement that lets the transaction wait for other work between its statements, such as the engine or a slow reader. */
export const keptIdle = 'SET LOCAL idle_in_transaction_session_timeout = 0';

/** Runs work in one transaction on a dedicated connection. For work too long for Prisma's transactions, which time
 *  out after seconds: bulk loads, long deletions and locks held during other work.
 *  @throws the error of the work, after rolling back */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`BEGIN; ${keptIdle}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (broken = true));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Repeats a transaction that a concurrent one aborted by a deadlock or a serialization failure.
 *  @param transaction begins and ends a transaction, and does nothing else
 *  @throws the last error */
export async function repeated<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt === mostAttempts || !(error instanceof Error && isContended(error))) throw error;
    }
  }
}
