import { referencedKeys } from '../../kit/database/retire-facts.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import type { Deps } from '../../kit/deps.ts';
import { jobTimeoutMs } from '../open.ts';

/** Grace period of a retired file: longer than the time limit of a query that may have its key. */
const graceMs = jobTimeoutMs + 300_000;

/** Grace period of an unreferenced file: longer than the load that wrote it may still run. */
const strayMs = 86_400_000;

const keysPerStep = 500;

/** Minutes between two collections: replaced files take space until then. */
const everyMinutes = 5;

/** UTC hour of the full listing of the store. */
const straysHour = 4;

type CollectDeps = Pick<Deps, 'pool' | 'factStore'>;

/** SQL of the key of an advisory lock: backups share it while they read the files, and deletions hold it exclusively. */
export const collectionLock = `hashtextextended('costkeep fact files', 0)`;

/** Deletes unused fact files; not while a backup runs, which may still need them. */
export async function collectUnused(
  deps: CollectDeps & Pick<Deps, 'log'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  await inTransaction(deps.pool, async (client) => {
    const sql = `/* collectUnused */ SELECT pg_try_advisory_xact_lock(${collectionLock}) AS free`;
    const { rows } = await client.query<{ free: boolean }>(sql);
    if (rows[0]?.free) await collect(deps, now, signal);
    else deps.log.info('A backup is running: unused fact files are deleted later');
  });
}

async function collect(deps: CollectDeps & Pick<Deps, 'log'>, now: Date, signal: AbortSignal): Promise<void> {
  const retired = await collectRetired(deps, now, signal);
  const isFirst = now.getUTCHours() === straysHour && now.getUTCMinutes() < everyMinutes;
  const strays = isFirst ? await collectStrays(deps, now, signal) : 0;
  deps.log[retired + strays > 0 ? 'info' : 'debug']({ retired, strays }, 'Unused fact files were deleted');
}

/** Deletes files that billing months or uploads stopped referencing longer ago than the grace period.
 *  @returns the number of deleted files */
export async function collectRetired(
  { pool, factStore }: CollectDeps,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await pool.query<{ key: string }>(
      `/* collectRetired */ SELECT key FROM retired_fact_files WHERE retired_at < $1 EXCEPT ${referencedKeys} LIMIT $2`,
      [new Date(now.getTime() - graceMs), keysPerStep],
    );
    const keys = rows.map(({ key }) => key);
    if (keys.length === 0) return deleted;
    await factStore.remove(keys);
    await pool.query('/* collectRetired */ DELETE FROM retired_fact_files WHERE key = ANY($1)', [keys]);
    deleted += keys.length;
  }
}

/** Deletes files left behind by killed loads. The store may be shared, so it checks only folders of accounts in this database.
 *  @returns the number of deleted files */
export async function collectStrays({ pool, factStore }: CollectDeps, now: Date, signal: AbortSignal): Promise<number> {
  const before = now.getTime() - strayMs;
  let deleted = 0;
  const removeStrays = async (keys: string[]) => {
    signal.throwIfAborted();
    const { rows } = await pool.query<{ key: string }>(
      `/* collectStrays */ SELECT key FROM unnest($1::text[]) AS key JOIN accounts ON id::text = split_part(key, '/', 1)
       EXCEPT SELECT key FROM retired_fact_files EXCEPT ${referencedKeys}`,
      [keys],
    );
    await factStore.remove(rows.map(({ key }) => key));
    deleted += rows.length;
  };
  let keys: string[] = [];
  for await (const { key, modifiedAt } of factStore.list()) {
    if (modifiedAt.getTime() >= before) continue;
    keys.push(key);
    if (keys.length < keysPerStep) continue;
    await removeStrays(keys);
    keys = [];
  }
  await removeStrays(keys);
  return deleted;
}
