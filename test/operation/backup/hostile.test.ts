import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { refuseSharedStore } from '../../../src/engine/stores/shared.ts';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { manifestSchema, type Manifest } from '../../../src/operation/backup/archive/format.ts';
import { objectsOf } from '../../../src/operation/backup/own-objects.ts';
import { RowLoader } from '../../../src/operation/backup/restore/rows.ts';
import { factWorld } from '../../support/facts.ts';
import { freshDatabase } from '../../support/database.ts';
import { aFolder, aLoadedWorld, backUpTo, manifestOf, migrations, restoreFrom } from './world.ts';

const compress = promisify(zstdCompress);
const jobs = { name: 'graphile_worker_jobs', columns: [], rows: 0, sha256: '', parts: 0 };

/** A manifest with one table. */
function manifestWith(table: Partial<Manifest['jobs']>, sequences: Manifest['sequences'] = []): Manifest {
  const whole = { name: 'services', columns: ['id'], rows: 0, sha256: '', parts: 0, ...table };
  return { tables: [whole], jobs, sequences, files: 0, entries: [] };
}

async function aTransaction(): Promise<pg.PoolClient> {
  const database = await freshDatabase();
  const client = await database.pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('BEGIN');
  return client;
}

describe('an archive', () => {
  it.each([
    [
      manifestWith({ name: '_prisma_migrations' }),
      'The backup is damaged or was edited: it has a table "_prisma_migrations", which no migration',
    ],
    [
      manifestWith({ name: 'pg_class' }),
      'The backup is damaged or was edited: it has a table "pg_class", which no migration',
    ],
    [
      manifestWith({ columns: ['id', 'ctid'] }),
      'The backup is damaged or was edited: it has a column "services.ctid", which no migration',
    ],
    [
      manifestWith({}, [{ name: 'others', value: '1', isCalled: true }]),
      'The backup is damaged or was edited: it has a sequence "others", which no migration',
    ],
  ])('cannot name objects that the migrations do not create %#', async (manifest, said) => {
    const client = await aTransaction();
    await expect(RowLoader.open(client, manifest, migrations)).rejects.toThrow(said);
  });

  it.each([
    manifestWith({ name: "services\" FROM PROGRAM 'id' --" }),
    manifestWith({ columns: ['id") FROM STDIN; --'] }),
    manifestWith({ rows: 3, parts: 0 }),
  ])('has only plain names, and parts for its rows %#', (manifest) => {
    expect(manifestSchema.safeParse(manifest).success).toBe(false);
  });

  it('must contain the rows of its manifest', async () => {
    const client = await aTransaction();
    const loader = await RowLoader.open(client, manifestWith({ rows: 3, parts: 1 }), migrations);
    await expect(loader.finishAll()).rejects.toThrow('it has no rows of "services", where its manifest has 3');
  });

  it.each([1, 40])('fails with the reason of PostgreSQL if %i parts of rows are rejected', async (parts) => {
    const client = await aTransaction();
    const rows = Buffer.from('no-number\n'.repeat(100_000));
    const sha256 = createHash('sha256').update(rows).digest('hex');
    const table = { name: 'organizations', columns: ['created_at'], rows: 1, sha256, parts };
    const loader = await RowLoader.open(client, manifestWith(table), migrations);
    const part = await compress(rows);
    const load = async () => {
      for (let count = 0; count < parts; count += 1) await loader.add('organizations', part);
      await loader.finishAll();
    };
    await expect(load()).rejects.toThrow(
      /The rows of "organizations" cannot be restored: invalid input syntax for type timestamp/,
    );
  });
});

describe('tables of other programs', () => {
  it('are left out of backups, with their sequences, and survive a restore', async () => {
    const { world } = await aLoadedWorld();
    const { deps } = world;
    // Migrations also mention the name, as that of a column.
    await deps.pool.query('CREATE TABLE status (id serial, note text)');
    await deps.pool.query(`INSERT INTO status (note) VALUES ('theirs')`);
    await deps.pool.query('CREATE SEQUENCE tickets');
    const location = path.join(aFolder(), 'ours.tar');
    const result = await backUpTo(deps, location);
    expect(result.foreign).toEqual(['status', 'status_id_seq', 'tickets']);
    const { tables, sequences } = await manifestOf(location, deps);
    expect(tables.map(({ name }) => name)).not.toContain('status');
    expect(sequences).toEqual([]);
    const target = { deps, database: { pool: deps.pool, connection: deps.connection } };
    expect(await restoreFrom(location, target, { replace: true })).toMatchObject({ months: 2 });
    const { rows } = await deps.pool.query(`SELECT note, nextval('tickets') AS ticket FROM status`);
    expect(rows).toEqual([{ note: 'theirs', ticket: '1' }]);
  });

  it('are all except those that exist after the migrations', async () => {
    const { pool } = await freshDatabase();
    const namesOf = async (sql: string) => (await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
    const created = objectsOf(migrations);
    const schema = 'current_schema()::regnamespace';
    expect(
      await namesOf(`SELECT relname AS name FROM pg_class WHERE relnamespace = ${schema} AND relkind = 'r' ORDER BY 1`),
    ).toEqual([...created.tables].toSorted());
    expect(
      await namesOf(`SELECT typname AS name FROM pg_type WHERE typnamespace = ${schema} AND typtype = 'e' ORDER BY 1`),
    ).toEqual([...created.types].toSorted());
    expect(created.functions).toEqual(new Set(['audit_entries_never_change']));
  });
});

describe('a location of fact files', () => {
  it('is rejected by a restore if it has the file of another database', async () => {
    const client = await aTransaction();
    const { factStore } = factWorld();
    const mark = async (id: string) => {
      const file = path.join(aFolder(), 'installation');
      writeFileSync(file, 'x');
      await factStore.put(`installation/${id}`, file);
    };
    expect(await refuseSharedStore(client, factStore)).toBeNull();
    await mark('own');
    await client.query(`INSERT INTO installation (name, value) VALUES ('facts', 'own')`);
    expect(await refuseSharedStore(client, factStore)).toBe('own');
    await mark('other');
    await expect(refuseSharedStore(client, factStore)).rejects.toThrow(
      /^FACTS_URL: another database uses .*, which has its file installation\/other; set FACTS_URL to another location/,
    );
  });
});
