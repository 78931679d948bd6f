import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFacts } from '../../../src/engine/fact-set.ts';
import { factsSql } from '../../../src/ingest/upgrade/store.ts';
import type { UpgradeProgress } from '../../../src/ingest/upgrade/progress.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { migrate } from '../../../src/kit/database/migrate.ts';
import { serverConnection } from '../../../src/kit/database/open.ts';
import { restName } from '../../../src/kit/errors/errors.ts';
import { openLog } from '../../../src/kit/log.ts';
import { storedMessage } from '../../../src/kit/errors/stored-error.ts';
import { open } from '../../../src/start.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aPreviousDatabase, type PreviousDatabase } from './database.ts';
import { newSums, oldSums } from './sums.ts';

const months = 24;

/** Upgrades a database like the start of the server; returns the reported progress. */
async function upgrade({ env }: PreviousDatabase): Promise<UpgradeProgress[]> {
  const reported: UpgradeProgress[] = [];
  const { close } = await open(readConfig({ ...env, LOG_LEVEL: 'silent' }), (progress) => void reported.push(progress));
  await close();
  return reported;
}

describe('upgrade of a database of the previous version', () => {
  it('keeps every sum by month, day, service, resource, meter, commitment and tag', async () => {
    const database = await aPreviousDatabase();
    const before = await oldSums(database);
    expect(before['month']).toHaveLength(30);
    const reported = await upgrade(database);
    expect(reported).toEqual(Array.from({ length: months + 1 }, (_, done) => ({ done, of: months })));
    expect(await newSums(database, 'day')).toEqual(before);
    const { day: _day, days: _days, hours: _hours, ...byMonth } = before;
    expect(await newSums(database, 'month')).toEqual(byMonth);
  });

  it('drops the old tables, leaves no scratch files, and evaluates the accounts again', async () => {
    const database = await aPreviousDatabase();
    await upgrade(database);
    const tables = await database.query(
      `SELECT name FROM unnest('{cost_facts,resources,skus,commitments,tag_sets}'::text[]) name WHERE to_regclass(name) IS NOT NULL`,
    );
    expect(tables).toEqual([]);
    expect(existsSync(path.join(database.dataDir, 'jobs', 'upgrade'))).toBe(false);
    const jobs = await database.query(`SELECT task_identifier FROM graphile_worker.jobs`);
    expect(jobs).toEqual([{ task_identifier: 'evaluate_all' }]);
  });

  it('makes the converted facts of an organization readable, whatever the precision of their months', async () => {
    const database = await aPreviousDatabase();
    await database.query(`UPDATE cost_facts SET consumed_quantity = 70400231.485200000001 WHERE billing_period = '2026-06-01'
      AND ctid = (SELECT min(ctid) FROM cost_facts WHERE billing_period = '2026-06-01')`);
    const sums = `account_id, to_char(billing_period, 'YYYY-MM') AS month, sum(effective)::text AS cost,
      sum(consumed_quantity)::numeric(38,12)::text AS quantity`;
    const [organization] = await database.query<{ id: string }>(`SELECT id FROM organizations WHERE name = 'Plum'`);
    const { id } = organization ?? { id: '' };
    const before = await database.query(
      `SELECT ${sums} FROM cost_facts WHERE organization_id = '${id}' GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    const { deps, close } = await open(readConfig({ ...database.env, LOG_LEVEL: 'silent' }));
    onTestFinished(close);
    const range = { accountIds: null, start: null, end: null, grain: 'month' } as const;
    const facts = await openFacts(deps.pool, orgScope(id, null), range);
    const sql = `SELECT x_AccountId AS account_id, strftime(BillingPeriodStart, '%Y-%m') AS month, sum(EffectiveCost) AS cost,
      sum(ConsumedQuantity) AS quantity FROM facts GROUP BY ALL ORDER BY ALL`;
    expect(before).toHaveLength(18);
    expect(await deps.engine.rows(facts, { name: 'test', sql })).toEqual(before);
  });

  it('keeps sync errors, which were plain text', async () => {
    const database = await aPreviousDatabase();
    const text = `settings.path "x" does not exist; it's relative`;
    const [{ syncs } = { syncs: 0 }] = await database.query<{ syncs: number }>(
      `WITH failed AS (UPDATE account_syncs SET last_error = $text$${text}$text$ RETURNING 1) SELECT count(*)::int AS syncs FROM failed`,
    );
    expect(syncs).toBeGreaterThan(0);
    await upgrade(database);
    const rows = await database.query<{ last_error: unknown }>('SELECT last_error FROM account_syncs');
    expect(rows.map(({ last_error: stored }) => storedMessage(stored, restName))).toEqual(Array(syncs).fill(text));
  });

  it('converts nothing at the second start', async () => {
    const database = await aPreviousDatabase();
    await upgrade(database);
    const select = 'SELECT account_id, period, facts FROM billing_periods ORDER BY 1, 2';
    const before = await database.query(select);
    expect(await upgrade(database)).toEqual([]);
    expect(await database.query(select)).toEqual(before);
  });

  it('stops without changes if the sums of a month differ from the loaded ones', async () => {
    const database = await aPreviousDatabase();
    await database.query(`UPDATE cost_facts SET billed = billed + 0.000000000001 WHERE billing_period = '2026-06-01'
      AND ctid = (SELECT min(ctid) FROM cost_facts WHERE billing_period = '2026-06-01')`);
    await expect(upgrade(database)).rejects.toThrow(
      /^The upgrade stopped at 2026-06 of account "[-0-9a-f]{36}": the sums of its database are/,
    );
    const [row] = await database.query(`SELECT count(*)::int AS facts FROM cost_facts`);
    expect(row).toEqual({ facts: 444 });
  });

  it('converts a month again that the previous version reloaded meanwhile', async () => {
    const database = await aPreviousDatabase();
    const before = await oldSums(database);
    let isLoaded = false;
    const reload = async ({ done }: UpgradeProgress) => {
      if (done !== 5 || isLoaded) return;
      isLoaded = true;
      await database.query(`UPDATE billing_periods SET load_id = gen_random_uuid() WHERE period = '2026-06-01'`);
    };
    const { close } = await open(readConfig({ ...database.env, LOG_LEVEL: 'silent' }), reload);
    await close();
    expect(await newSums(database, 'day')).toEqual(before);
    const [stale] = await database.query(
      `SELECT count(*)::int AS months FROM billing_periods WHERE facts->0->>'key' NOT LIKE '%' || load_id || '%'`,
    );
    expect(stale).toEqual({ months: 0 });
    expect(await database.query('SELECT key FROM retired_fact_files')).toHaveLength(4);
  });

  it('is done by one of two concurrent processes; the other reports progress and waits', async () => {
    const database = await aPreviousDatabase();
    const before = await oldSums(database);
    const config = readConfig({ ...database.env, LOG_LEVEL: 'silent' });
    const reported: UpgradeProgress[][] = [[], []];
    const gate = Promise.withResolvers<void>();
    const start = (index: number) =>
      open(config, async (progress) => {
        reported[index]?.push(progress);
        if (reported.every((list) => list.length > 0)) gate.resolve();
        await gate.promise; // the first holds the lock until the other reports
      });
    const both = await Promise.all([start(0), start(1)]);
    for (const { close } of both) await close();
    expect(await newSums(database, 'day')).toEqual(before);
    const converted = reported.filter((list) => list.length === months + 1);
    expect(converted).toHaveLength(1);
    expect(reported.flat().filter(({ done }) => done === 0).length).toBeGreaterThanOrEqual(2);
  });
});

describe('migration that drops the old facts', () => {
  it('rejects an unconverted month, so that `prisma migrate deploy` loses nothing', async () => {
    const database = await aPreviousDatabase();
    const folder = path.resolve(import.meta.dirname, '../../../prisma/migrations');
    const connection = serverConnection(database.env.DATABASE_URL);
    await expect(migrate(connection, folder, openLog('silent'))).rejects.toThrow(
      'Migration 20261122191500_drop_cost_facts failed: billing months are not converted into fact files yet',
    );
    expect(await database.query('SELECT 1 FROM cost_facts')).toHaveLength(444);
  });
});

describe('tags of converted facts', () => {
  it('are written in the same format as by the loader', async () => {
    const database = await aPreviousDatabase();
    const client = new pg.Client(serverConnection(database.env.DATABASE_URL));
    await client.connect();
    const { rows: accounts } = await client.query<{ id: string }>('SELECT DISTINCT account_id AS id FROM tag_sets');
    const texts: string[] = [];
    for (const { id } of accounts) {
      const sql = `SELECT DISTINCT "Tags" AS text FROM (${factsSql(`'${id}'`, `f.account_id = '${id}'`)}) f WHERE "Tags" IS NOT NULL`;
      texts.push(...(await client.query<{ text: string }>(sql)).rows.map(({ text }) => text));
    }
    const known = await client.query<{ id: string }>(
      'SELECT DISTINCT tag_set_id AS id FROM cost_facts WHERE tag_set_id <> 0',
    );
    await client.end();
    const idOfText = (text: string) =>
      (BigInt(`0x${createHash('md5').update(text).digest('hex').slice(0, 16)}`) >> 1n).toString();
    expect(texts.length).toBeGreaterThan(3);
    expect(known.rows.map(({ id }) => id)).toEqual(expect.arrayContaining(texts.map(idOfText)));
    expect(texts).toContain(
      '{"9":"nine","10":"ten","Größe":"🌍 groß","a\\"b\\\\c":"line\\nbreak","env":"prod","team":"blue"}',
    );
  });
});
