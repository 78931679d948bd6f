import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import {
  costsIn,
  costsInFacts,
  deliverMonth,
  monthlyCosts,
  monthlyCostsOfFacts,
  restatedMonths as months,
  type MonthlyCosts,
  type MonthlyCostsOfFacts,
} from '../../support/restated-bill.ts';
import { spawnServer, type SpawnedServer } from '../../support/server.ts';

const kills = 52;
const linesPerMonth = 400;
/** Each sync is killed this many times, then left to finish. */
const killsPerSync = 4;
/** Poll interval in ms: long enough to leave the processor to the sync. */
const pollMs = 100;

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-kill-'));
chmodSync(base, 0o711); // root's database user must be able to pass through it
const focusRoot = path.join(base, 'bills');
const env = {
  PATH: process.env['PATH'] ?? '',
  DATA_DIR: path.join(base, 'data'),
  FOCUS_ROOT: focusRoot,
  PORT: '0',
  LOG_LEVEL: 'error',
  SYNC_CRON: 'off',
  ...Object.fromEntries(['AUTH', 'READ', 'WRITE', 'REPORT', 'EXPORT'].map((name) => [`RATE_LIMIT_${name}`, '1000000'])),
};

let server: SpawnedServer | undefined;
let token = '';

afterAll(async () => {
  await server?.stop();
  rmSync(base, { recursive: true, force: true });
}, 30_000);

/** Delivers every month again: each line item costs as much as the number of the delivery. */
async function deliver(cost: number): Promise<void> {
  for (const month of months)
    await deliverMonth(path.join(focusRoot, 'export', `${month}.parquet`), { month, cost, lines: linesPerMonth });
}

async function call<Body>(method: string, at: string, body?: object): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${server?.url}/api/v1${at}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** The cost of each month per line item, from the rollups. */
async function costs(): Promise<number[]> {
  const answer = await call<MonthlyCosts>('GET', monthlyCosts);
  expect(answer.status).toBe(200);
  return costsIn(answer.body, linesPerMonth);
}

/** The same from the fact files. Returns nothing while the engine is down (503), since it may be the killed process. */
async function costsOfFacts(): Promise<number[]> {
  const answer = await call<MonthlyCostsOfFacts>('GET', monthlyCostsOfFacts);
  if (answer.status === 503) return [];
  expect(answer.status).toBe(200);
  return costsInFacts(answer.body, linesPerMonth);
}

/** Polls and expects each response to contain whole months, of the old delivery or the new one. */
async function watch(deliveries: readonly number[], isOver: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const over = await isOver();
    for (const cost of [...(await costs()), ...(await costsOfFacts())]) expect(deliveries).toContain(cost);
    if (over) return;
    await pause(pollMs);
  }
}

async function statusOf(accountId: string): Promise<string> {
  return (await call<{ sync_status: string }>('GET', `/accounts/${accountId}`)).body.sync_status;
}

async function isSynced(accountId: string): Promise<boolean> {
  const status = await statusOf(accountId);
  // A repeated sync keeps the error of the previous one until it ends.
  expect(status).not.toBe('failed');
  return status === 'succeeded';
}

/** The processes to kill, round-robin. A new server takes longer than a sync, so the server is killed less often. */
const victims = [
  'server',
  'loader',
  'engine',
  'loader',
  'engine',
  'everything',
  'loader',
  'engine',
  'loader',
  'engine',
] as const;

/** Kills it and lets the sync continue: a new server resumes it; one that ended with its loader is retried. */
async function kill(victim: (typeof victims)[number], accountId: string, deliveries: readonly number[]): Promise<void> {
  if (victim === 'server' || victim === 'everything') {
    await server?.kill(victim === 'everything');
    server = await spawnServer(env);
    return;
  }
  server?.killChild(victim);
  let status = '';
  await watch(deliveries, async () => {
    status = await statusOf(accountId);
    return status !== 'running';
  });
  // Starts a retry at once that would follow in ten seconds or a minute.
  if (status !== 'succeeded') expect((await call('POST', `/accounts/${accountId}/sync`)).status).toBe(202);
}

/** Delivers and syncs. */
async function begin(accountId: string, cost: number): Promise<void> {
  await deliver(cost);
  expect((await call('POST', `/accounts/${accountId}/sync`)).status).toBe(202);
}

async function connect(): Promise<string> {
  const person = { email: 'ana@example.com', password: 'plum kite orbit', name: 'Ana', organization_name: 'Plum' };
  token = (await call<{ access_token: string }>('POST', '/auth/register', person)).body.access_token;
  const account = { name: 'Bills', provider: 'focus', settings: { path: 'export' } };
  return (await call<{ id: string }>('POST', '/accounts', account)).body.id;
}

it('never shows part of a month when processes are killed 52 times during syncs, and finishes each sync', async () => {
  await deliver(1);
  server = await spawnServer(env);
  const id = await connect();
  await watch([0, 1], () => isSynced(id));
  let cost = 2;
  const start = performance.now();
  await begin(id, cost);
  await watch([1, 2], () => isSynced(id));
  const syncMs = performance.now() - start;
  for (let count = 0; count < kills; count++) {
    if (await isSynced(id)) await begin(id, ++cost);
    // Moments spread over the whole sync and slightly beyond, also for each victim.
    const killAt = performance.now() + 1.2 * syncMs * ((count * 0.618) % 1);
    const deliveries = [cost - 1, cost];
    await watch(deliveries, async () => performance.now() >= killAt);
    await kill(victims[count % victims.length] ?? 'server', id, deliveries);
    if (count % killsPerSync !== killsPerSync - 1) continue;
    await watch(deliveries, () => isSynced(id));
    expect(await costs()).toEqual(months.map(() => cost));
    expect(await costsOfFacts()).toEqual(months.map(() => cost));
  }
  expect(cost).toBeGreaterThanOrEqual(2 + kills / killsPerSync);
  // A minute on an idle machine; several times as long on a busy one.
}, 900_000);
