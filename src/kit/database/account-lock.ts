import type pg from 'pg';

/** Waits for whoever loads, purges or deletes the figures of a cloud account, and keeps others from it until the
 *  transaction ends. Takes no lock on rows, so that readers never wait.
 *  @param client a connection with an open transaction */
export async function lockAccount(client: pg.ClientBase, accountId: string): Promise<void> {
  const key = `account:${accountId}`;
  await client.query('/* lockAccount */ SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
}
