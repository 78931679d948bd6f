import type pg from 'pg';

/** Runs work in one transaction of its own connection, which Prisma's, that end after seconds, cannot carry: bulk loads,
 *  long deletions, and locks that are held while something else is done.
 *  @throws what the work threw; then nothing of it stays */
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
