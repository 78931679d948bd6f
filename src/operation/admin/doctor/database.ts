import type pg from 'pg';
import type { FactStore } from '../../../engine/stores/fact-store.ts';
import { listApplied, type Migration } from '../../../kit/database/migrate.ts';
import { type Check, failed, ok, orFailed, warning } from './check.ts';

const oldestMajor = 15;
const msPerMinute = 60_000;

/** Checks the version, migrations, clock and queue of the database, and the fact files that it points to. */
export async function databaseChecks(
  pool: pg.Pool,
  { migrations, factStore }: { readonly migrations: readonly Migration[]; readonly factStore: FactStore | null },
): Promise<Check[]> {
  const remedy = 'check the database and its log';
  return [
    await orFailed('database', remedy, () => version(pool)),
    await orFailed('migrations', remedy, () => migrated(pool, migrations)),
    await orFailed('clock', remedy, () => clock(pool)),
    await orFailed('background jobs', remedy, () => jobs(pool)),
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
  const missing = known.length - applied.length;
  if (missing > 0)
    return warning(
      'migrations',
      `${missing} of ${known.length} are not applied yet`,
      'make a backup, then start the server',
    );
  return ok('migrations', `all ${known.length} applied`);
}

async function clock(pool: pg.Pool): Promise<Check> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  const off = Math.abs((rows[0]?.now.getTime() ?? 0) - (before + Date.now()) / 2);
  const detail = `${(off / 1000).toFixed(1)} s apart from the database`;
  if (off > msPerMinute) return failed('clock', detail, 'synchronize the clocks of both machines (NTP)');
  if (off > 5_000) return warning('clock', detail, 'synchronize the clocks of both machines (NTP)');
  return ok('clock', detail);
}

async function jobs(pool: pg.Pool): Promise<Check> {
  const { rows } = await pool.query<{ failed: number; late: number }>(
    `SELECT count(*) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL)::int AS failed,
       count(*) FILTER (WHERE attempts = 0 AND locked_at IS NULL AND run_at < now() - interval '15 minutes')::int AS late
     FROM graphile_worker.jobs`,
  );
  const { failed: over = 0, late = 0 } = rows[0] ?? {};
  if (late > 0)
    return warning(
      'background jobs',
      `${late} have waited for more than 15 minutes`,
      'start a server or worker, or more of them',
    );
  if (over > 0)
    return warning('background jobs', `${over} failed for good`, 'find "Job failed" in the log of the server');
  return ok('background jobs', 'none is late');
}

async function facts(pool: pg.Pool, store: FactStore): Promise<Check> {
  const { rows } = await pool.query<{ key: string }>(
    `SELECT file->>'key' AS key FROM billing_periods, jsonb_array_elements(facts) AS file
     UNION SELECT storage_key FROM uploaded_files`,
  );
  const found = new Set<string>();
  for await (const { key } of store.list()) found.add(key);
  const missing = rows.filter(({ key }) => !found.has(key)).length;
  if (missing === 0) return ok('fact files', `all ${rows.length} exist`);
  return failed(
    'fact files',
    `${missing} of ${rows.length} are missing`,
    'restore them from a backup; "verify" lists the months',
  );
}
