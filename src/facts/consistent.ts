import type pg from 'pg';
import { lockForEvaluation } from '../kit/database/account-lock.ts';
import { inTransaction } from '../kit/database/transaction.ts';
import type { Deps } from '../kit/deps.ts';
import type { Day } from '../kit/time/period.ts';
import type { OrgScope } from '../tenancy/auth/scope.ts';

/** An account whose facts are being read. */
export interface ReadAccount {
  readonly id: string;
  /** First charge day; null before the first load. */
  readonly dataFrom: Day | null;
  /** Last complete day; null before the first load. */
  readonly completeThrough: Day | null;
  /** ISO 4217: the account's main billing currency; the organization's currency before the first load. */
  readonly currency: string;
}

/** The steps of a read-then-write evaluation of an account's facts. */
interface Work<Read, Written> {
  /** Reads the facts without locking the account, so that loads need not wait for the engine. Retried if a load intervenes. */
  readonly read: (account: ReadAccount) => Promise<Read>;
  /** Writes the results in a transaction that holds the account's lock. */
  readonly write: (client: pg.PoolClient, read: Read, account: ReadAccount) => Promise<Written>;
  /** Cleans up what was read, whether or not it was written. */
  readonly done?: (read: Read) => Promise<void>;
}

/** Maximum attempts when loads intervene between reading and writing. */
const mostTries = 3;

/** Reads an account's facts without a lock, then writes the results under the account's lock if no load has intervened.
 *  Otherwise starts again, with at most three attempts in total.
 *  @returns null if the account is gone or was loaded during each attempt: each load queues its own evaluation */
export async function readThenWrite<Read, Written>(
  { pool }: Pick<Deps, 'pool'>,
  scope: OrgScope,
  accountId: string,
  { read, write, done }: Work<Read, Written>,
): Promise<Written | null> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    // Read before the files are chosen, so that any later load changes the version.
    const before = await findAccount(pool, scope, accountId);
    if (before === null) return null;
    const found = await read(before);
    const written = await inTransaction(pool, async (client) => {
      await lockForEvaluation(client, accountId);
      const now = await findAccount(client, scope, accountId);
      return now?.version === before.version ? { result: await write(client, found, before) } : null;
    }).finally(() => done?.(found));
    if (written !== null) return written.result;
  }
  return null;
}

async function findAccount(
  reader: pg.Pool | pg.ClientBase,
  scope: OrgScope,
  accountId: string,
): Promise<(ReadAccount & { version: number }) | null> {
  const { rows } = await reader.query<ReadAccount & { version: number }>(
    `/* readThenWrite */ SELECT a.id, a.version, to_char(a.data_from, 'YYYY-MM-DD') AS "dataFrom",
       to_char(a.complete_through, 'YYYY-MM-DD') AS "completeThrough", coalesce(a.currency, o.currency) AS currency
     FROM accounts a JOIN organizations o ON o.id = a.organization_id WHERE a.id = $1 AND a.organization_id = $2`,
    [accountId, scope.organizationId],
  );
  return rows[0] ?? null;
}
