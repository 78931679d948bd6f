import type pg from 'pg';

/** What the lock of a cloud account is hashed from, for those who take it in a transaction of Prisma's. */
export function accountLockKey(accountId: string): string {
  return `account:${accountId}`;
}

/** Waits for whoever loads, purges or deletes the figures of a cloud account, and keeps others from it until the
 *  transaction ends. Takes no lock on rows, so that readers never wait.
 *  @param client a connection with an open transaction */
export async function lockAccount(client: pg.ClientBase, accountId: string): Promise<void> {
  const sql = '/* lockAccount */ SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  await client.query(sql, [accountLockKey(accountId)]);
}
