import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { version } from '../../../src/kit/package.ts';
import { open } from '../../../src/start.ts';
import { anInstallation, callApi, runProgram } from '../../support/programs.ts';
import { fixtureOrganizations } from './bills.ts';
import { aPreviousDatabase, type PreviousDatabase } from './database.ts';

type Row = Readonly<Record<string, unknown>>;

/** Tables whose content moves into fact files: `upgrade.test.ts` compares their sums. */
const converted = ['cost_facts', 'commitments', 'resources', 'skus', 'tag_sets', 'tag_pairs', 'tag_values'];
/** Tables that are emptied, and filled by the evaluation after the upgrade. */
const derived = ['coverage_days', 'coverage_flagged_days', 'coverage_periods'];
const notKept = new Set([...converted, ...derived]);

/** Intended changes of rows by the migrations since. */
const changes: Readonly<Record<string, (row: Row) => Row>> = {
  budget_alerts: ({ month, ...row }) => ({ ...row, period: 'monthly', period_start: month }),
  // The facts are written with another load.
  billing_periods: ({ load_id: _load, content_digest: _digest, snapshot_at: _at, totals: _totals, ...row }) => row,
};

/** A database of the previous version with rows in every table. */
async function aFullDatabase(): Promise<PreviousDatabase> {
  const database = await aPreviousDatabase();
  await database.query(readFileSync(path.join(import.meta.dirname, 'previous-rows.sql'), 'utf8'));
  return database;
}

async function rowsOf({ query }: PreviousDatabase): Promise<Map<string, Row[]>> {
  const tables = await query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1`,
  );
  const read = tables.map(async ({ name }) => {
    const rows = await query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} t`);
    return [name, rows.map(({ row }) => row)] as const;
  });
  return new Map(await Promise.all(read));
}

describe('upgrade of a database of the previous version', { timeout: 300_000 }, () => {
  it('keeps every row of every table, with the same meaning', async () => {
    const database = await aFullDatabase();
    const before = await rowsOf(database);
    expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([]);
    const { close } = await open(readConfig({ ...database.env, LOG_LEVEL: 'silent' }));
    await close();
    const after = await rowsOf(database);
    expect(after.get('budget_alerts')).toContainEqual(
      expect.objectContaining({ period: 'monthly', period_start: '2026-06-01', threshold: 50, spend: 500.25 }),
    );
    for (const [table, rows] of before) {
      if (notKept.has(table)) continue;
      const kept = after.get(table) ?? [];
      expect({ table, rows: kept.length }).toEqual({ table, rows: rows.length });
      // New columns have their own tests.
      for (const row of rows) expect(kept, table).toContainEqual(expect.objectContaining(changes[table]?.(row) ?? row));
    }
  });

  it('is done once by two servers that start at the same time; both then return the same', async () => {
    const database = await aFullDatabase();
    const servers = [1, 2].map(() => runProgram(['serve'], database.env));
    const urls = await Promise.all(servers.map((server) => server.url));
    const { email = '', password = '' } = fixtureOrganizations[0]?.person ?? {};
    for (const url of urls) {
      const login = await callApi(url, ['POST', '/auth/login'], { body: { email, password } });
      const token = String(login.body['access_token']);
      expect(await callApi(url, ['GET', '/budgets'], { token })).toMatchObject({
        status: 200,
        body: { data: [{ name: 'Cloud', amount: 1000.5, period: 'monthly', provider: 'aws' }] },
      });
    }
    const applied = `SELECT migration_name FROM _prisma_migrations GROUP BY 1 HAVING count(*) > 1 OR bool_or(finished_at IS NULL)`;
    expect(await database.query(applied)).toEqual([]);
    for (const server of servers) expect(await server.stop()).toBe(0);
  });
});

describe('a database of a newer version', () => {
  it('stops the start with both versions and the remedy', async () => {
    const database = await aPreviousDatabase();
    await database.query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, logs, finished_at)
      VALUES ('x', '', '20990101000000_later', 'applied by Costkeep 9.1.0', now())`);
    expect(await runProgram(['serve'], database.env).ended).toEqual({
      code: 1,
      output:
        `The database is newer than this version (${version}): migration 20990101000000_later was applied by version 9.1.0; ` +
        'start version 9.1.0 or newer, or restore a backup of this version\n',
    });
  }, 120_000);
});

describe('an empty database', () => {
  it('is set up once by two servers that start at the same time', async () => {
    const { env, query } = await anInstallation();
    const servers = [1, 2].map(() => runProgram(['serve'], env));
    const urls = await Promise.all(servers.map((server) => server.url));
    for (const url of urls) {
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok', version });
    }
    const twice = 'SELECT migration_name FROM _prisma_migrations GROUP BY 1 HAVING count(*) > 1';
    expect(await query(twice)).toEqual([]);
    for (const server of servers) expect(await server.stop()).toBe(0);
  }, 240_000);
});

it('prints its version', async () => {
  expect(await runProgram(['--version'], {}).ended).toEqual({ code: 0, output: `${version}\n` });
});
