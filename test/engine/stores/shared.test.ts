import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { folderStore } from '../../../src/engine/stores/folder.ts';
import { refuseOtherStore } from '../../../src/engine/stores/shared.ts';
import { freshDatabase } from '../../support/database.ts';
import { aFolder } from '../folder.ts';

const other = /^FACTS_URL: the fact files of this database are not in ".*"; set it to the location that all servers/;

it('accepts the store of the first process, again and again, and refuses another one', async () => {
  const { pool } = await freshDatabase();
  const store = folderStore(aFolder());
  await refuseOtherStore(pool, store);
  await refuseOtherStore(pool, store);
  await expect(refuseOtherStore(pool, folderStore(aFolder()))).rejects.toThrow(other);
});

it('refuses the store of another database', async () => {
  const [one, two] = [await freshDatabase(), await freshDatabase()];
  const store = folderStore(aFolder());
  await refuseOtherStore(one.pool, store);
  const taken =
    /^FACTS_URL: another database uses .*, which has its file installation\/.*; set FACTS_URL to another location/;
  await expect(refuseOtherStore(two.pool, store)).rejects.toThrow(taken);
  await refuseOtherStore(two.pool, folderStore(aFolder()));
});

it('accepts only one of the stores of two processes that start at the same time', async () => {
  const { pool } = await freshDatabase();
  const outcomes = await Promise.allSettled(
    [aFolder(), aFolder()].map((folder) => refuseOtherStore(pool, folderStore(folder))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('accepts a copy of the store', async () => {
  const { pool } = await freshDatabase();
  const [folder, copy] = [aFolder(), aFolder()];
  await refuseOtherStore(pool, folderStore(folder));
  cpSync(folder, copy, { recursive: true });
  await expect(refuseOtherStore(pool, folderStore(copy))).resolves.toBeUndefined();
});

it('accepts restored fact files', async () => {
  const { pool } = await freshDatabase();
  await refuseOtherStore(pool, folderStore(aFolder()));
  const restored = aFolder();
  await pool.query(
    `INSERT INTO organizations (id, name, trust_external_id) VALUES (gen_random_uuid(), 'Plum', gen_random_uuid())`,
  );
  await pool.query(`INSERT INTO accounts (id, organization_id, name, provider, external_id, settings)
    SELECT gen_random_uuid(), id, 'Bills', 'focus', 'bills', '{}' FROM organizations`);
  await pool.query(`INSERT INTO billing_periods (account_id, organization_id, period, load_id, source_token, line_items, totals, data_from,
    data_to, loaded_at, facts) SELECT id, organization_id, '2026-05-01', id, 'test', 1, '[]', '2026-05-01', '2026-05-01', now(),
    '[{"key": "month.parquet"}]' FROM accounts`);
  await expect(refuseOtherStore(pool, folderStore(restored))).rejects.toThrow(other);
  writeFileSync(path.join(restored, 'month.parquet'), '');
  await refuseOtherStore(pool, folderStore(restored));
});
