import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inSnapshot } from '../../../src/facts/costs/reading/sql.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { open } from '../../../src/start.ts';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '../../support/pgbouncer.ts';
import { findPrograms, startServerPostgres, type ServerPostgres } from '../../support/server-postgres.ts';

const programs = findPrograms();
const program = findPgBouncer();

let server: ServerPostgres;
let pgBouncer: PgBouncer;

async function start(variables: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-pooler-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return open(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...variables }));
}

describe.skipIf(!programs || !program)('PgBouncer in transaction mode (needs pgbouncer and postgres here)', () => {
  beforeAll(async () => {
    server = await startServerPostgres(programs ?? '');
    pgBouncer = await startPgBouncer(program ?? '', await server.freshUrl());
  });
  afterAll(async () => {
    await pgBouncer.stop();
    await server.remove();
  });

  it('is refused without a direct connection, naming the variable to set', async () => {
    const url = pgBouncer.urlOf(await server.freshUrl());
    await expect(start({ DATABASE_URL: url })).rejects.toThrow(
      /^DATABASE_URL: it points to a connection pooler in transaction mode; set DATABASE_DIRECT_URL to the URL of PostgreSQL itself/,
    );
  });

  it('is refused as the direct connection', async () => {
    const url = pgBouncer.urlOf(await server.freshUrl());
    await expect(start({ DATABASE_URL: url, DATABASE_DIRECT_URL: url })).rejects.toThrow(
      'DATABASE_DIRECT_URL: it points to a connection pooler in transaction mode; set it to the URL of PostgreSQL itself',
    );
  });

  it('is refused in front of another database', async () => {
    const url = pgBouncer.urlOf(await server.freshUrl());
    await expect(start({ DATABASE_URL: url, DATABASE_DIRECT_URL: await server.freshUrl() })).rejects.toThrow(
      'DATABASE_DIRECT_URL: it points to a different database than DATABASE_URL; set it to the URL of the one behind the pooler',
    );
  });

  it('serves sessions in UTC, whatever the time zone of the database', async () => {
    const direct = await server.freshUrl();
    const client = new pg.Client({ connectionString: direct });
    await client.connect();
    await client.query(`alter database "${client.database}" set timezone = 'Asia/Tokyo'`).finally(() => client.end());
    const { deps, close } = await start({ DATABASE_URL: pgBouncer.urlOf(direct), DATABASE_DIRECT_URL: direct });
    onTestFinished(close);
    const zones = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const sql = `select current_setting('timezone') as zone, pg_sleep(0.01)`;
        return (await deps.pool.query<{ zone: string }>(sql)).rows[0]?.zone;
      }),
    );
    expect(new Set(zones)).toEqual(new Set(['UTC']));
  });

  it('serves cost queries without compiling them', async () => {
    const direct = await server.freshUrl();
    const { deps, close } = await start({ DATABASE_URL: pgBouncer.urlOf(direct), DATABASE_DIRECT_URL: direct });
    onTestFinished(close);
    const settings = await inSnapshot(deps.pool, (reader) => reader.query('show jit'));
    expect(settings.rows).toEqual([{ jit: 'off' }]);
  });

  it('serves prepared statements from any session', async () => {
    const direct = await server.freshUrl();
    const { deps, close } = await start({ DATABASE_URL: pgBouncer.urlOf(direct), DATABASE_DIRECT_URL: direct });
    onTestFinished(close);
    const ask = () =>
      deps.pool.query<{ one: number }>({ name: 'one', text: 'select $1::int as one, pg_sleep(0.01)', values: [1] });
    const answers = await Promise.all(Array.from({ length: 60 }, ask));
    expect(answers.map(({ rows }) => rows[0]?.one)).toEqual(Array.from({ length: 60 }, () => 1));
  });
});
