import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { queueSyncs } from '../../../src/ingest/sync/perform.ts';
import { tasks } from '../../../src/tasks.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { openLog } from '../../../src/kit/log.ts';
import { startS3, refuseWrites } from '../../support/clouds/s3.ts';
import { aLine, csvOf } from '../../support/focus.ts';
import { plain, readFacts } from '../../support/read-facts.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody } from '../accounts/world.ts';

// The pipeline with its processes and a queue; buckets of FOCUS files represent any cloud.

const secret = `sEcRet/${'k'.repeat(33)}`;
const credentials = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: secret };
const s3 = await startS3();
const clouds = { ...readConfig({}).clouds, focusEndpoints: [s3.url] };
const logged: string[] = [];
const log = openLog('trace', { write: (line) => void logged.push(line) });
const world = worldOfFile({ config: { clouds, syncCron: null, workerConcurrency: 1 }, hasQueue: true, log });
afterAll(() => s3.stop());

type Answer = AccountBody & { sync_warnings: string[] };
let token = '';

beforeAll(async () => {
  ({ token } = await world().register());
});
beforeEach(() => s3.proxy.heal());

async function call<Body = Answer>(method: string, at: string, body?: object): Promise<Body> {
  const answer = await world().rest<Body>(method, at, { token, ...(body ? { body } : {}) });
  if (answer.status >= 400) throw new Error(`${method} ${at} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

async function connect(bucket: string, costs: Record<string, string>): Promise<string> {
  for (const [day, cost] of Object.entries(costs))
    await s3.put(bucket, `${day}.csv`, csvOf([aLine({ day, cost, SubAccountId: bucket, BillingAccountId: 'payer' })]));
  const settings = { bucket, endpoint: s3.url, region: 'us-east-1' };
  return (await call('POST', '/accounts', { name: bucket, provider: 'focus', credentials, settings })).id;
}

async function work(): Promise<void> {
  const worker = await startWorker(world().deps, tasks);
  onTestFinished(() => worker.stop());
}

function until(id: string, check: (account: Answer) => void): Promise<Answer> {
  return vi.waitFor(
    async () => {
      const account = await call('GET', `/accounts/${id}`);
      check(account);
      return account;
    },
    { timeout: 40_000, interval: 50 },
  );
}

const isDone = (account: Answer) => expect(account.sync_status).toBe('succeeded');
const billed = async (id: string) => {
  const sql = `SELECT ${plain('sum(BilledCost)')} AS sum FROM facts`;
  return (await readFacts<{ sum: string }>(world().deps, id, sql))[0]?.sum;
};

/** The connector processes of this process. */
async function connectors(): Promise<{ pid: string; text: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const all = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      parent: / (\d+) /.exec((await read(pid, 'stat')).replace(/^.*\) \S/, ''))?.[1],
      text: `${await read(pid, 'cmdline')}\n${await read(pid, 'environ')}\n${await read(pid, 'limits')}`,
    })),
  );
  return all.filter(({ parent, text }) => parent === String(process.pid) && text.includes('connector/main.ts'));
}

it('lets other accounts finish while one sync hangs, and stops the hanging one', async () => {
  const [slow, fast] = [await connect('slow', { '2026-05-03': '7' }), await connect('fast', { '2026-05-03': '5' })];
  s3.proxy.fail(/GET \/slow\/2026/, { kind: 'hang' });
  await work();
  await until(fast, isDone);
  expect(await billed(fast)).toBe('5');
  expect(await call('GET', `/accounts/${slow}`)).toMatchObject({ sync_status: 'running' });

  const [only, ...others] = await connectors();
  expect(others).toEqual([]);
  expect(only?.text).toMatch(/Max core file size\s+0\s+0/);
  for (const word of [secret, credentials.access_key_id]) expect(only?.text).not.toContain(word);
  await call('DELETE', `/accounts/${slow}`);
  await vi.waitFor(async () => expect(await connectors()).toEqual([]), { timeout: 5_000 });
  // The sync removes its downloads after the process that wrote them has ended.
  const downloads = path.join(world().deps.config.dataDir, 'jobs', slow, 'downloads');
  await vi.waitFor(() => expect(existsSync(downloads)).toBe(false), { timeout: 5_000 });
  const { credentials: left } = await world().deps.db.account.findFirstOrThrow({ where: { id: slow } });
  const { sourceMemo } = await world().deps.db.accountSync.findFirstOrThrow({ where: { accountId: slow } });
  expect([left, sourceMemo]).toEqual([null, null]);
  refuseWrites(s3.proxy.log);
}, 60_000);

it('waits when the provider requests it, reports the wait, and continues on request', async () => {
  const id = await connect('busy', { '2026-05-03': '7', '2026-06-03': '5' });
  const headers = { 'retry-after': '900' };
  const body = '<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Reduce your request rate</Message></Error>';
  s3.proxy.fail(/GET \/busy\/2026-06/, { kind: 'answer', status: 503, headers, body });
  const before = Date.now();
  await work();
  const { last_sync_error: error } = await until(id, (account) => {
    expect(account.sync_status).toBe('queued');
    expect(account.last_sync_error).toMatch(/\(retry 1 of 8\)$/);
  });
  expect(error).toMatch(/retried at \d{4}-\d\d-\d\dT\d\d:\d\dZ/);
  const { retryAt } = await world().deps.db.accountSync.findFirstOrThrow({ where: { accountId: id } });
  expect((retryAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(900_000);
  const { rows } = await world().deps.pool.query<{ wait: number }>(
    `SELECT extract(epoch FROM run_at - now())::int AS wait FROM graphile_worker.jobs WHERE key = $1`,
    [`sync:${id}`],
  );
  expect(rows[0]?.wait).toBeGreaterThan(600);
  // The schedule does not shorten the wait.
  await queueSyncs(world().deps);
  expect((await world().deps.db.accountSync.findFirstOrThrow({ where: { accountId: id } })).retryAt).toEqual(retryAt);

  s3.proxy.heal();
  await call('POST', `/accounts/${id}/sync`);
  expect(await until(id, isDone)).toMatchObject({ last_sync_error: null });
  expect(await billed(id)).toBe('12');
}, 60_000);

it('encrypts credentials again after a key rotation, and finds no changes with one listing', async () => {
  const id = await connect('turned', { '2026-05-03': '7' });
  await work();
  await until(id, isDone);
  const { config, db } = world().deps;
  const keys = [randomBytes(32), ...config.encryptionKeys];
  const before = config.encryptionKeys;
  Object.assign(config, { encryptionKeys: keys });
  onTestFinished(() => void Object.assign(config, { encryptionKeys: before }));
  s3.proxy.heal();
  await call('POST', `/accounts/${id}/sync`);
  await until(id, isDone);
  expect(s3.proxy.log).toEqual([expect.stringContaining('list-type=2')]);
  const { credentials: sealed } = await db.account.findFirstOrThrow({ where: { id } });
  expect(JSON.parse(openSecrets([keys[0] ?? randomBytes(32)]).decrypt(sealed ?? randomBytes(40), id))).toMatchObject({
    secretAccessKey: secret,
  });
  Object.assign(config, { encryptionKeys: before });
  await call('DELETE', `/accounts/${id}?purge=true`);
}, 60_000);

it('warns about charges that are also billed in another account', async () => {
  const one = await connect('twin', { '2026-05-03': '7' });
  await s3.put(
    'twin2',
    '2026-05-04.csv',
    csvOf([aLine({ day: '2026-05-04', cost: '1', SubAccountId: 'twin', BillingAccountId: 'payer' })]),
  );
  const other = await connect('twin2', {});
  await work();
  await until(one, isDone);
  await until(other, isDone);
  const warnings = [one, other].map(async (id) => (await call('GET', `/accounts/${id}`)).sync_warnings);
  expect((await Promise.all(warnings)).flat()).toEqual([
    expect.stringMatching(/^Sub-account "twin" is also billed in another account of the organization, in 2026-05:/),
  ]);
}, 60_000);

it('keeps secrets out of the log, the queue and the database', async () => {
  expect(logged.length).toBeGreaterThan(5);
  expect(logged.filter((line) => line.includes(secret) || line.includes(credentials.access_key_id))).toEqual([]);
  const { rows } = await world().deps.pool.query<{ text: string }>(
    `SELECT to_jsonb(j)::text AS text FROM graphile_worker._private_jobs j
     UNION ALL SELECT to_jsonb(a)::text FROM accounts a UNION ALL SELECT to_jsonb(s)::text FROM account_syncs s
     UNION ALL SELECT to_jsonb(l)::text FROM audit_entries l`,
  );
  expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
});
