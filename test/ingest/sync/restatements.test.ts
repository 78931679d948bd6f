import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { loadedColumns } from '../../../src/engine/codebook.ts';
import { collectRetired } from '../../../src/engine/stores/collect.ts';
import { runDuck } from '../../support/focus.ts';
import { billsOfFile, monthsOf, testNow, type Bills } from '../world.ts';

const bills = billsOfFile();

const restatements = 20;
const months = ['2026-01', '2026-02', '2026-03'];
const linesPerMonth = 1_400;
/** The most that replaced months may add to the space of the first load. */
const mostGrowth = 1.3;

async function deliver({ folder }: Bills, cost: number): Promise<void> {
  const copies = months.map(
    (month) => `COPY (SELECT ${cost}::DECIMAL(12,2) AS BilledCost, ${cost}::DECIMAL(12,2) AS EffectiveCost,
      ${cost}::DECIMAL(12,2) AS ListCost, ${cost}::DECIMAL(12,2) AS ContractedCost, 'USD' AS BillingCurrency,
      TIMESTAMP '${month}-01' AS BillingPeriodStart, TIMESTAMP '${month}-01' + INTERVAL (i % 28) DAY AS ChargePeriodStart,
      'Usage' AS ChargeCategory, 'Service ' || (i % 50) AS ServiceName, 'AWS' AS ProviderName, 'account ' || (i % 5) AS SubAccountId,
      'vm-' || (i // 28) AS ResourceId, '{"team":"' || (i % 40) || '"}' AS Tags FROM range(${linesPerMonth}) t(i))
      TO '${path.join(folder, `${month}.parquet`)}' (FORMAT parquet)`,
  );
  await runDuck(copies.join(';\n'));
}

const tables = Object.keys(loadedColumns);

async function tableBytes({ pool }: Bills): Promise<number> {
  const sql = 'SELECT sum(pg_total_relation_size(name::regclass))::float AS bytes FROM unnest($1::text[]) AS name';
  return (await pool.query<{ bytes: number }>(sql, [tables])).rows[0]?.bytes ?? 0;
}

function factBytes({ deps, accountId }: Bills): number {
  const folder = path.join(deps.factStore.folder, accountId);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(path.join(folder, name)),
  );
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}

it('frees the space of replaced months without autovacuum: 20 restatements take at most 1.3 times the space', async () => {
  const account = await bills();
  for (const table of tables)
    await account.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off, toast.autovacuum_enabled = off)`);
  await deliver(account, 1);
  await account.sync();
  const before = { tables: await tableBytes(account), facts: factBytes(account) };
  for (let cost = 2; cost <= restatements + 1; cost++) {
    await deliver(account, cost);
    await account.sync();
    await collectRetired(account.deps, new Date(testNow.getTime() + 3_600_000), new AbortController().signal);
  }
  expect(Object.values(await monthsOf(account))).toEqual(months.map(() => String(linesPerMonth * (restatements + 1))));
  const growth = { tables: (await tableBytes(account)) / before.tables, facts: factBytes(account) / before.facts };

  expect(growth.tables).toBeLessThanOrEqual(mostGrowth);
  expect(growth.facts).toBeLessThanOrEqual(mostGrowth);
  // Half a minute on an idle machine; several times as long on a busy one.
}, 600_000);
