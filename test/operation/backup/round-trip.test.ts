import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openFactStore } from '../../../src/engine/stores/open.ts';
import { collectUnused } from '../../../src/engine/stores/collect.ts';
import { listWrongSums } from '../../../src/facts/costs/control-totals.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openLog } from '../../../src/kit/log.ts';
import { systemClock } from '../../../src/kit/time/clock.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { startS3, type FakeS3 } from '../../support/clouds/s3.ts';
import { aFolder, aLoadedWorld, backUpTo, manifestOf, migrations, monthOf, restoreFrom } from './world.ts';

let s3: FakeS3;

beforeAll(async () => {
  s3 = await startS3();
  s3.server.createBucket('backups');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAIOSFODNN7EXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x'.repeat(40));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.stop();
});

const log = openLog('silent');

/** An empty database with a fact store of its own. */
async function aTarget(environment: Record<string, string> = {}) {
  const database = await freshDatabase();
  const dataDir = aFolder();
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', S3_ENDPOINT: s3.url, ...environment });
  const factStore = environment['FACTS_URL'] ? await openFactStore(config) : factWorld().factStore;
  return { database, deps: { factStore, config, clock: systemClock, log, connection: database.connection } };
}

describe('backup and restore', () => {
  it('restores equal tables, files and totals, through a file', async () => {
    const { world } = await aLoadedWorld();
    const [first, second] = ['first', 'second'].map((name) => path.join(aFolder(), `${name}.tar`));
    const result = await backUpTo(world.deps, first ?? '');
    expect(result).toMatchObject({ location: first, files: 4, hasKeys: false });
    expect(statSync(first ?? '').size).toBe(result.bytes);
    expect(statSync(first ?? '').mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(first ?? ''))).toEqual(['first.tar']);
    const target = await aTarget();
    const restored = await restoreFrom(first ?? '', target);
    expect(restored).toMatchObject({ files: 4, knownFiles: 0, months: 2, wrongMonths: [] });
    await backUpTo(target.deps, second ?? '');
    const [before, after] = [await manifestOf(first ?? '', target.deps), await manifestOf(second ?? '', target.deps)];
    expect(after.tables).toEqual(before.tables);
    expect(after.jobs).toMatchObject({ rows: before.jobs.rows });
    const facts = (entries: typeof before.entries) => entries.filter(({ name }) => name.startsWith('facts/'));
    expect(facts(after.entries)).toEqual(facts(before.entries));
    expect(facts(before.entries)).toHaveLength(4);
  });

  it('goes to a bucket and back, also with facts in a bucket', async () => {
    const { world } = await aLoadedWorld();
    const config = { ...world.deps.config, clouds: { ...world.deps.config.clouds, s3Endpoint: s3.url } };
    const result = await backUpTo({ ...world.deps, config }, 's3://backups/nightly/');
    expect(result.location).toMatch(/^s3:\/\/backups\/nightly\/costkeep-\d{8}T\d{6}Z\.tar$/);
    const target = await aTarget({ FACTS_URL: 's3://backups/facts' });
    const restored = await restoreFrom(result.location, target);
    expect(restored).toMatchObject({ files: 4, months: 2, wrongMonths: [] });
    const again = path.join(aFolder(), 'again.tar');
    expect(await backUpTo(target.deps, again)).toMatchObject({ files: 4, rows: result.rows });
    await expect(backUpTo({ ...world.deps, config }, result.location)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is a consistent snapshot while months are replaced, and the collector keeps the files meanwhile', async () => {
    const { world, load } = await aLoadedWorld();
    const { deps } = world;
    const later = new Date(Date.now() + 86_400_000 * 2);
    let raced: Promise<void> | undefined;
    const location = path.join(aFolder(), 'racing.tar');
    await backUpTo(deps, location, {
      onProgress() {
        raced ??= load('2026-06', monthOf('2026-06', ['7', '8'])).then(() =>
          collectUnused(deps, later, new AbortController().signal),
        );
      },
    });
    await raced;
    const target = await aTarget();
    const restored = await restoreFrom(location, target);
    expect(restored).toMatchObject({ files: 4, months: 2, wrongMonths: [] });
    const { rows } = await target.database.pool.query(
      `SELECT sum(billed)::float AS billed FROM cost_rollups WHERE rollup = 1 AND grain = 2 AND billing_period = '2026-06-01'`,
    );
    expect(rows).toEqual([{ billed: 100.3 }]);
    // Without a backup, the collector deletes the replaced files.
    await collectUnused(deps, later, new AbortController().signal);
    const { rows: retired } = await deps.pool.query('SELECT key FROM retired_fact_files');
    expect(retired).toEqual([]);
  });

  it('carries over waiting jobs, with their payload, time and key', async () => {
    const { world } = await aLoadedWorld();
    const runAt = new Date('2031-01-01T00:00:00Z');
    await world.deps.queue.add('evaluate', { organizationId: 'o', accountId: 'a' }, { runAt });
    const location = path.join(aFolder(), 'jobs.tar');
    await backUpTo(world.deps, location);
    const target = await aTarget();
    await restoreFrom(location, target);
    const { rows } = await target.database.pool.query(
      `SELECT v.task_identifier, v.queue_name, v.run_at, v.key, v.max_attempts, j.payload FROM graphile_worker.jobs v
       JOIN graphile_worker._private_jobs j USING (id) WHERE v.key = 'evaluate:a'`,
    );
    expect(rows).toEqual([
      {
        task_identifier: 'evaluate',
        queue_name: 'evaluate:o',
        run_at: runAt,
        key: 'evaluate:a',
        max_attempts: 5,
        payload: { organizationId: 'o', accountId: 'a' },
      },
    ]);
  });

  it('restores a backup of an older version with its migrations; the start applies the others', async () => {
    const { world } = await aLoadedWorld();
    const location = path.join(aFolder(), 'old.tar');
    await backUpTo(world.deps, location);
    // To the program under test, the newest migration came after the backup.
    const newer = { name: '29990101000000_later', checksum: 'c', statements: ['CREATE TABLE "later" (id int)'] };
    const target = await aTarget();
    await restoreFrom(location, target, { known: [...migrations, newer] });
    const { rows } = await target.database.pool.query(
      'SELECT count(*)::int AS count, max(migration_name) AS last FROM _prisma_migrations',
    );
    expect(rows).toEqual([{ count: migrations.length, last: migrations.at(-1)?.name }]);
    expect((await listWrongSums(target.database.pool)).wrong).toEqual([]);
  });

  it('is rejected by an older version, naming the version that wrote it', async () => {
    const { world } = await aLoadedWorld();
    const location = path.join(aFolder(), 'newer.tar');
    await backUpTo(world.deps, location);
    await expect(restoreFrom(location, await aTarget(), { known: migrations.slice(0, -1) })).rejects.toThrow(
      /made by Costkeep 0\.1\.0, whose migration \d+_\w+ this version does not have; restore it with that version/,
    );
  });
});

describe('a restore', () => {
  it('needs an empty database or --replace, which retires the old files', async () => {
    const { world } = await aLoadedWorld();
    const other = await aLoadedWorld();
    const location = path.join(aFolder(), 'backup.tar');
    await backUpTo(world.deps, location);
    const { deps } = other.world;
    const target = { deps, database: { pool: deps.pool, connection: deps.connection } };
    await expect(restoreFrom(location, target)).rejects.toThrow(
      'The database is not empty: it has 1 organization and 1 user; restore into an empty database, or add --replace to delete what it has',
    );
    const result = await restoreFrom(location, target, { replace: true });
    expect(result.replaced).toMatchObject({ organizations: ['Plum'], users: 1, accounts: 1 });
    const { rows } = await deps.pool.query('SELECT key FROM retired_fact_files ORDER BY key');
    expect(rows.map(({ key }) => key as string)).toEqual(result.replaced.files.toSorted());
  });

  it('does not retire files that the restored database uses', async () => {
    const { world, load } = await aLoadedWorld();
    const { deps } = world;
    const location = path.join(aFolder(), 'backup.tar');
    await backUpTo(deps, location);
    const { entries } = await manifestOf(location, deps);
    await load('2026-06', monthOf('2026-06', ['7', '8']));
    const { rows: replaced } = await deps.pool.query<{ key: string }>(
      `SELECT file->>'key' AS key FROM billing_periods, jsonb_array_elements(facts) AS file WHERE period = '2026-06-01'`,
    );
    await restoreFrom(location, { deps, database: deps }, { replace: true });
    const { rows } = await deps.pool.query<{ key: string }>('SELECT key FROM retired_fact_files ORDER BY key');
    expect(rows).toEqual(replaced.toSorted((a, b) => a.key.localeCompare(b.key)));
    expect(entries.filter(({ name }) => rows.some(({ key }) => name === `facts/${key}`))).toEqual([]);
  });

  it('is refused while a worker runs on the database', async () => {
    const { world } = await aLoadedWorld();
    const location = path.join(aFolder(), 'backup.tar');
    await backUpTo(world.deps, location);
    const target = await aTarget();
    const client = await target.database.pool.connect();
    await client.query(`INSERT INTO worker_processes (worker_id, lock_key) VALUES ('w', 4711)`);
    await client.query('SELECT pg_advisory_lock(4711)');
    await expect(restoreFrom(location, target, { replace: true })).rejects.toThrow(
      'A server or worker is running on this database; stop all of them, then run the command again',
    );
    await client.query('SELECT pg_advisory_unlock(4711)');
    client.release();
    // The worker is dead: its row remains, but not its lock.
    expect(await restoreFrom(location, target)).toMatchObject({ months: 2 });
  });

  it('leaves the database and the files as they were when it is stopped, and works the next time', async () => {
    const { world } = await aLoadedWorld();
    const location = path.join(aFolder(), 'backup.tar');
    await backUpTo(world.deps, location);
    const target = await aTarget({ FACTS_URL: path.join(aFolder(), 'facts') });
    const stopped = new AbortController();
    const put = vi.spyOn(target.deps.factStore, 'put').mockImplementation(async () => stopped.abort(new Error('stop')));
    await expect(restoreFrom(location, target, { signal: stopped.signal })).rejects.toThrow('stop');
    put.mockRestore();
    const { rows } = await target.database.pool.query('SELECT count(*)::int AS count FROM organizations');
    expect(rows).toEqual([{ count: 0 }]);
    expect(existsSync(path.join(target.deps.config.dataDir, 'jobs'))).toBe(true);
    expect(readdirSync(path.join(target.deps.config.dataDir, 'jobs'))).toEqual([]);
    expect(await restoreFrom(location, target)).toMatchObject({ months: 2, wrongMonths: [] });
  });
});
