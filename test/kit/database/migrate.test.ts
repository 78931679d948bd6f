import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { migrate, type MigrationHooks } from '../../../src/kit/database/migrate.ts';
import { openLog } from '../../../src/kit/log.ts';
import { version } from '../../../src/kit/package.ts';
import { administer, connectionTo } from '../../support/database.ts';

const log = openLog('silent');
const name = `costkeep_migrate_${process.pid}`;
let folder = '';

beforeEach(async () => {
  await administer(`create database ${name}`);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-migrate-'));
  return async () => {
    fs.rmSync(folder, { recursive: true });
    await administer(`drop database ${name} with (force)`);
  };
});

function write(migration: string, sql: string): void {
  fs.mkdirSync(path.join(folder, migration), { recursive: true });
  fs.writeFileSync(path.join(folder, migration, 'migration.sql'), sql);
}

const run = (hooks: MigrationHooks = {}) => migrate(connectionTo(name), folder, log, hooks);

async function query(sql: string) {
  const client = new pg.Client(connectionTo(name));
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
}

describe('migrate', () => {
  it('applies pending migrations in order, and nothing the second time', async () => {
    write('2_b', 'alter table a add y int; insert into a values (1, 2)');
    write('1_a', 'create table a (x int)');
    expect(await run()).toEqual(['1_a', '2_b']);
    expect(await run()).toEqual([]);
    write('3_c', 'insert into a values (3, 4)');
    expect(await run()).toEqual(['3_c']);
    expect(await query('select x, y from a order by x')).toEqual([
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ]);
  });

  it('applies each migration once when several servers start at the same time', async () => {
    write('1_a', 'create table a (x int); select pg_sleep(0.2); insert into a values (1)');
    expect((await Promise.all([run(), run(), run()])).flat()).toEqual(['1_a']);
    expect(await query('select count(*)::int as rows from a')).toEqual([{ rows: 1 }]);
  });

  it('rolls back a failed migration, keeps earlier ones, and continues once it is repaired', async () => {
    write('1_a', 'create table a (x int)');
    write('2_b', 'insert into a values (1); insert into a values (1 / 0)');
    await expect(run()).rejects.toThrow('Migration 2_b failed: division by zero');
    expect(await query('select x from a')).toEqual([]);
    write('2_b', 'insert into a values (1)');
    expect(await run()).toEqual(['2_b']);
  });

  it('rejects a migration edited after it was applied', async () => {
    write('1_a', 'create table a (x int)');
    await run();
    write('1_a', 'create table a (x bigint)');
    await expect(run()).rejects.toThrow('Migration 1_a was edited after it was applied: restore it, and add a new one');
  });

  it('rejects a database migrated by a newer version', async () => {
    write('1_a', 'create table a (x int)');
    await run();
    fs.rmSync(path.join(folder, '1_a'), { recursive: true });
    const refusal = (by: string, start: string) =>
      `The database is newer than this version (${version}): migration 1_a was applied${by}; start ${start}, or restore a backup of this version`;
    await expect(run()).rejects.toThrow(refusal(` by version ${version}`, `version ${version} or newer`));
    await query(`update _prisma_migrations set logs = null`);
    await expect(run()).rejects.toThrow(refusal('', 'the newer version that applied it'));
  });

  it('runs a step before a migration once, outside of its transaction', async () => {
    write('1_a', 'create table a (x int)');
    write('2_b', 'insert into a select x + 1 from a');
    const step = async (client: pg.Client) => {
      await client.query('insert into a values (1)');
      expect(await query('select x from a')).toEqual([{ x: 1 }]); // committed: other connections see it
    };
    expect(await run({ before: { '2_b': step } })).toEqual(['1_a', '2_b']);
    expect(await run({ before: { '2_b': step } })).toEqual([]);
    expect(await query('select x from a order by x')).toEqual([{ x: 1 }, { x: 2 }]);
  });

  it('leaves a migration pending when the step before it fails', async () => {
    write('1_a', 'create table a (x int)');
    const step = async () => {
      throw new Error('not yet');
    };
    await expect(run({ before: { '1_a': step } })).rejects.toThrow('not yet');
    expect(await query(`select to_regclass('a') as name`)).toEqual([{ name: null }]);
    expect(await run()).toEqual(['1_a']);
  });

  it('lets one of several servers run the step while the others report that they wait', async () => {
    write('1_a', 'create table a (x int)');
    const waiting = Promise.withResolvers<void>();
    let steps = 0;
    const hooks = {
      before: {
        '1_a': async () => {
          steps += 1;
          await waiting.promise;
        },
      },
      whileWaiting: async () => waiting.resolve(),
    };
    expect((await Promise.all([run(hooks), run(hooks)])).flat()).toEqual(['1_a']);
    expect(steps).toBe(1);
  });

  it('records a row that Prisma accepts, and the version in its log: name, SHA-256 of the file, one applied step', async () => {
    write('1_a', 'select 1');
    await run();
    const [row] = await query(
      'select migration_name, checksum, applied_steps_count, logs, rolled_back_at from _prisma_migrations',
    );
    expect(row).toEqual({
      migration_name: '1_a',
      checksum: '822ae07d4783158bc1912bb623e5107cc9002d519e1143a9c200ed6ee18b6d0f',
      applied_steps_count: 1,
      logs: `applied by Costkeep ${version}`,
      rolled_back_at: null,
    });
  });
});
