import type pg from 'pg';

/** Input for the hash of a cloud account's lock, for code that takes it in a Prisma transaction. */
export function accountLockKey(accountId: string): string {
  return `account:${accountId}`;
}

/** Takes the exclusive lock of a cloud account for loading, purging or deleting its figures, until the transaction
 *  ends. Takes no row locks, so readers never wait.
 *  @param client a connection with an open transaction */
export async function lockAccount(client: pg.ClientBase, accountId: string): Promise<void> {
  const sql = '/* lockAccount */ SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  await client.query(sql, [accountLockKey(accountId)]);
}
