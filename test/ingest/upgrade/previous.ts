// node test/ingest/upgrade/previous.ts TREE
//
// Makes `previous.sql.gz`, the database that the version before fact files leaves behind: TREE is that version (`git archive
// a355126`) with its node_modules and generated Prisma client. Its server syncs the bills of `bills.ts`; then every row that it
// has is written as SQL. One billing month loses its dictionary entries.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { startEmbedded } from '../../../src/kit/database/embedded/start.ts';
import { openLog } from '../../../src/kit/log.ts';
import { focusColumns, writeFocus } from '../../support/focus.ts';
import { freePort } from '../../support/free-port.ts';
import { fixtureOrganizations, type FixtureOrganization } from './bills.ts';

/** In an order that satisfies foreign keys. */
const tables = [
  'users',
  'organizations',
  'memberships',
  'accounts',
  'account_syncs',
  'source_files',
  'billing_periods',
  'services',
  'regions',
  'sub_accounts',
  'skus',
  'commitments',
  'resources',
  'tag_sets',
  'tag_pairs',
  'tag_keys',
  'tag_values',
  'cost_facts',
  'cost_rollups',
  'coverage_days',
  'coverage_periods',
];

const [tree] = process.argv.slice(2);
if (!tree) throw new Error('Usage: node test/ingest/upgrade/previous.ts TREE');
const base = mkdtempSync(path.join(os.tmpdir(), 'costkeep-previous-'));
chmodSync(base, 0o711); // root's database user must be able to pass through it
const dataDir = path.join(base, 'data');

async function loadBills(): Promise<void> {
  const port = String(await freePort());
  const settings = { DATA_DIR: dataDir, FOCUS_ROOT: path.join(base, 'bills'), PORT: port, SYNC_CRON: 'off' };
  const env = { ...process.env, ...settings, LOG_LEVEL: 'warn' };
  const server = spawn(process.execPath, [path.join(tree ?? '', 'src/main.ts'), 'serve'], { env, stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) await sleep(100);
  for (const organization of fixtureOrganizations) await loadOrganization(`${url}/api/v1`, organization);
  server.kill('SIGTERM');
  await once(server, 'exit');
}

async function loadOrganization(api: string, { person, accounts }: FixtureOrganization): Promise<void> {
  const call = async (method: string, at: string, token = '', body?: object): Promise<Record<string, string>> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(api + at, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${at}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const { access_token: token } = await call('POST', '/auth/register', '', person);
  for (const { folder, files } of accounts) {
    for (const [name, rows] of Object.entries(files))
      await writeFocus(path.join(base, 'bills', folder, name), rows, { columns: focusColumns['1.2'] });
    const { id } = await call('POST', '/accounts', token, {
      name: folder,
      provider: 'focus',
      settings: { path: folder },
    });
    for (let status = 'queued'; status !== 'succeeded'; await sleep(100)) {
      const account = await call('GET', `/accounts/${id}`, token);
      status = account['sync_status'] ?? '';
      if (account['last_sync_error']) throw new Error(account['last_sync_error']);
    }
  }
  await sleep(3_000); // until its evaluation has finished
}

/** Dictionary entries that one billing month loses, so that only its facts remain. */
const forget = ['services', 'regions', 'sub_accounts', 'skus', 'commitments', 'resources', 'tag_sets'].map((table) => {
  const column = table === 'sub_accounts' ? 'sub_account_id' : `${table.replace(/s$/, '')}_id`;
  return `DELETE FROM ${table} d USING accounts a WHERE a.id = d.account_id AND a.name = 'kite'
    AND d.id IN (SELECT ${column} FROM cost_facts WHERE account_id = a.id AND billed IN (0.125, 0.25))`;
});

async function dump(): Promise<string> {
  const embedded = await startEmbedded({ dataDir, log: openLog('silent') });
  const client = new pg.Client({ ...embedded.connection, options: '-c timezone=UTC' });
  await client.connect();
  for (const sql of forget) await client.query(sql);
  const statements: string[] = [];
  for (const table of tables) {
    const { rows } = await client.query<{ json: string }>(`SELECT row_to_json(t)::text AS json FROM "${table}" t`);
    if (rows.length === 0) continue;
    const list = `[${rows.map(({ json }) => json).join(',\n')}]`;
    statements.push(
      `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $rows$${list}$rows$);`,
    );
  }
  await client.end();
  await embedded.leave();
  return `${statements.join('\n')}\n`;
}

await loadBills();
const sql = await dump();
const file = path.join(import.meta.dirname, 'previous.sql.gz');
writeFileSync(file, gzipSync(sql, { level: 9 }));
rmSync(base, { recursive: true, force: true });
