import { setTimeout as sleep } from 'node:timers/promises';
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

/** Name of sessions that write an evaluation, as PostgreSQL shows them. */
const evaluating = 'costkeep evaluation';

/** Longest statement of an evaluation, in milliseconds: one with a bad plan ends, and is retried with newer statistics. */
const evaluationMs = 120_000;

/** Takes the lock of a cloud account like `lockAccount`, for an evaluation: its statements are bounded, and a load may end
 *  them. */
export async function lockForEvaluation(client: pg.ClientBase, accountId: string): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${evaluationMs}`);
  await lockAccount(client, accountId);
  await client.query(`SET LOCAL application_name = '${evaluating}'`);
}

/** Ends the transaction of an evaluation that holds an account's lock: a load or purge does not wait for it, and makes it
 *  obsolete. */
export async function preempt(client: pg.ClientBase, accountId: string): Promise<void> {
  // Between two of its statements, there is nothing to cancel.
  for (let attempt = 0; attempt < cancelsAtMost && (await cancelEvaluation(client, accountId)); attempt += 1)
    await sleep(cancelEveryMs);
}

const cancelsAtMost = 200;
const cancelEveryMs = 50;

/** @returns whether an evaluation holds the lock */
async function cancelEvaluation(client: pg.ClientBase, accountId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `/* preempt */ SELECT pg_cancel_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid,
       hashtextextended($1, 0) AS key
     WHERE l.locktype = 'advisory' AND l.granted AND l.database = a.datid AND a.datname = current_database()
       AND l.objsubid = 1 AND l.classid::bigint << 32 | l.objid::bigint = key AND a.application_name = '${evaluating}'`,
    [accountLockKey(accountId)],
  );
  return rowCount !== 0;
}
