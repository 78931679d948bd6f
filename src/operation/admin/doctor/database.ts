import type pg from 'pg';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { hasOwnStore, refuseOtherStore } from '../../../engine/stores/shared.ts';
import { findRecorded } from '../../../kit/database/installation.ts';
import { listApplied, type Migration } from '../../../kit/database/migrate.ts';
import { inTransaction } from '../../../kit/database/transaction.ts';
import { refuseOtherKey } from '../../../kit/secrets/shared-key.ts';
import { type Check, failed, failure, ok, orFailed, warning } from './check.ts';

const oldestMajor = 15;
const msPerMinute = 60_000;

interface Checked {
  readonly migrations: readonly Migration[];
  readonly encryptionKeys: readonly Uint8Array[];
  /** Null: it cannot be used. */
  readonly factStore: FactStore | null;
}

/** Checks the version, migrations, clock, key and queue of the database, and the fact files that it points to. */
export async function databaseChecks(
  pool: pg.Pool,
  { migrations, encryptionKeys, factStore }: Checked,
): Promise<Check[]> {
  const remedy = 'check the database and its log';
  const applied = await orFailed('migrations', remedy, () => migrated(pool, migrations));
  const checks = [
    await orFailed('database', remedy, () => version(pool)),
    applied,
    await orFailed('clock', remedy, () => clock(pool)),
  ];
  // Its tables are those of another version, or missing.
  if (applied.status === 'warning') return checks;
  return [
    ...checks,
    ...(encryptionKeys.length === 0 ? [] : [await orFailed('key', remedy, () => key(pool, encryptionKeys))]),
    ...(await jobs(pool).catch((error: unknown) => [failure('background jobs', error, remedy)])),
    ...(factStore === null ? [] : [await orFailed('fact files', 'check FACTS_URL', () => facts(pool, factStore))]),
  ];
}

async function version(pool: pg.Pool): Promise<Check> {
  const { rows } = await pool.query<{ version: string; number: string; size: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number,
       pg_size_pretty(pg_database_size(current_database())) AS size`,
  );
  const [row] = rows;
  const detail = `PostgreSQL ${row?.version}, ${row?.size}`;
  if (Number(row?.number) / 10_000 >= oldestMajor) return ok('database', detail);
  return failed('database', detail, `use PostgreSQL ${oldestMajor} or newer`);
}

async function migrated(pool: pg.Pool, known: readonly Migration[]): Promise<Check> {
  const applied = (await listApplied(pool)) ?? [];
  const names = new Set(known.map(({ name }) => name));
  const foreign = applied.find(({ name }) => !names.has(name));
  if (foreign)
    return failed(
      'migrations',
      `the database has ${foreign.name}, which this version does not know`,
      'start the newer version',
    );
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const edited = known.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum);
  if (edited)
    return failed(
      'migrations',
      `${edited.name} was edited after it was applied`,
      'install this version of Costkeep again',
    );
  const missing = known.length - applied.length;
  if (missing > 0)
    return warning(
      'migrations',
      `${missing} of ${known.length} ${missing === 1 ? 'is' : 'are'} not applied yet`,
      'make a backup, then start the server',
    );
  return ok('migrations', `all ${known.length} applied`);
}

async function clock(pool: pg.Pool): Promise<Check> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const off = Math.abs((rows[0]?.now.getTime() ?? 0) - (before + Date.now()) / 2);
  const detail = `${(off / 1000).toFixed(1)} s difference from the database clock`;
  if (off > msPerMinute) return failed('clock', detail, 'synchronize the clocks of both machines (NTP)');
  if (off > 5_000) return warning('clock', detail, 'synchronize the clocks of both machines (NTP)');
  return ok('clock', detail);
}

/** Compares the keys with the key recorded in the database. If they differ, throws the error of a server that refuses to start. */
async function key(pool: pg.Pool, keys: readonly Uint8Array[]): Promise<Check> {
  const recorded = await inTransaction(pool, (client) => findRecorded(client, 'encryption_key'));
  if (recorded === null) return ok('key', 'not recorded in the database yet');
  // Changes nothing, since a key is recorded.
  await refuseOtherKey(pool, keys);
  return ok('key', 'ENCRYPTION_KEY is the key of the database');
}

interface Jobs {
  readonly state: 'late' | 'failed' | 'retrying';
  readonly kind: string;
  readonly jobs: number;
  /** First line of an error. */
  readonly error: string | null;
}

async function jobs(pool: pg.Pool): Promise<Check[]> {
  const { rows } = await pool.query<Jobs>(
    `SELECT state, task_identifier AS kind, count(*)::int AS jobs, max(left(split_part(last_error, E'\n', 1), 200)) AS error
     FROM (SELECT *, CASE WHEN attempts >= max_attempts THEN 'failed' WHEN attempts > 0 AND last_error IS NOT NULL THEN 'retrying'
         WHEN attempts = 0 AND run_at < now() - interval '15 minutes' THEN 'late' END AS state
       FROM graphile_worker.jobs WHERE locked_at IS NULL) AS waiting
     WHERE state IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 2`,
  );
  const texts = {
    late: ['waiting for more than 15 minutes', 'start a server or worker, or more of them'],
    failed: ['failed permanently', 'remove the cause; find "Job failed" in the log of the server'],
    retrying: ['failed and will be retried', 'remove the cause; find "Job failed" in the log of the server'],
  } as const;
  const found = (['late', 'failed', 'retrying'] as const).flatMap((state) => {
    const kinds = rows.filter((row) => row.state === state);
    const count = kinds.reduce((sum, row) => sum + row.jobs, 0);
    const [what, remedy] = texts[state];
    const named = kinds.map(({ kind, error }) => (error === null ? kind : `${kind} (${error})`)).join(', ');
    return count === 0 ? [] : [warning('background jobs', `${count} ${what}: ${named}`, remedy)];
  });
  return found.length > 0 ? found : [ok('background jobs', 'none are late or failed')];
}

async function facts(pool: pg.Pool, store: FactStore): Promise<Check> {
  if (!(await inTransaction(pool, (client) => hasOwnStore(client, store)))) await refuseOtherStore(pool, store);
  const { rows } = await pool.query<{ key: string }>(
    `SELECT file->>'key' AS key FROM billing_periods, jsonb_array_elements(facts) AS file
     UNION SELECT storage_key FROM uploaded_files`,
  );
  const found = new Set<string>();
  for await (const { key: name } of store.list()) found.add(name);
  const missing = rows.filter(({ key: name }) => !found.has(name)).length;
  if (missing === 0) return ok('fact files', `all ${rows.length} exist`);
  return failed(
    'fact files',
    `${missing} of ${rows.length} ${missing === 1 ? 'is' : 'are'} missing`,
    'restore them from a backup; "verify" lists the months',
  );
}
