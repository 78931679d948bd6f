import type pg from 'pg';

/** Runs work in one transaction on a dedicated connection. For work too long for Prisma's transactions, which time
 *  out after seconds: bulk loads, long deletions and locks held during other work.
 *  @throws the error of the work, after rolling back */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
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
