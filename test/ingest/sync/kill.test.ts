import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { runDuck } from '../../support/focus.ts';
import { spawnServer, type SpawnedServer } from '../../support/server.ts';

const kills = 52;
const months = ['2026-03', '2026-04', '2026-05'];
const linesPerMonth = 10_000;
const latestKillMs = 1300;

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-kill-'));
chmodSync(base, 0o711); // as root, the database's user must pass through it
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

/** Delivers every month anew: each line item costs as much as the delivery's number. */
async function deliver(cost: number): Promise<void> {
  mkdirSync(path.join(focusRoot, 'export'), { recursive: true });
  for (const month of months) {
    const file = path.join(focusRoot, 'export', `${month}.parquet`);
    const lines = `SELECT ${cost}::DECIMAL(12,2) AS BilledCost, ${cost}::DECIMAL(12,2) AS EffectiveCost, ${cost}::DECIMAL(12,2) AS ListCost,
      ${cost}::DECIMAL(12,2) AS ContractedCost, 'USD' AS BillingCurrency, TIMESTAMP '${month}-01' AS BillingPeriodStart,
      TIMESTAMP '${month}-01' + INTERVAL (i % 28) DAY AS ChargePeriodStart, 'Usage' AS ChargeCategory, 'Service ' || (i % 9) AS ServiceName,
      'AWS' AS ProviderName, 'account ' || (i % 5) AS SubAccountId, 'vm-' || (i // 28) AS ResourceId,
      '{"team":"' || (i % 40) || '"}' AS Tags FROM range(${linesPerMonth}) t(i)`;
    await runDuck(`COPY (${lines}) TO '${file}.tmp' (FORMAT parquet)`);
    renameSync(`${file}.tmp`, file);
  }
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

/** What every month costs per line item, from the rollups. */
async function costs(): Promise<number[]> {
  const query = 'start_date=2026-03-01&end_date=2026-05-31&granularity=monthly&cost_metric=billed';
  const answer = await call<{ periods: { cost: number }[] }>('GET', `/costs/summary?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.periods.map((period) => period.cost / linesPerMonth);
}

/** The same from the fact files. The engine may be the process that was killed: then the answer is 503.
 *  @returns nothing while the engine is away */
async function costsOfFacts(): Promise<number[]> {
  const found: number[] = [];
  for (const month of months) {
    const range = `start_date=${month}-01&end_date=${month}-${month === '2026-04' ? 30 : 31}`;
    const query = `group_by=resource&limit=1&cost_metric=billed&${range}`;
    const answer = await call<{ total_cost: number }>('GET', `/costs?${query}`);
    if (answer.status === 503) return [];
    expect(answer.status).toBe(200);
    found.push(answer.body.total_cost / linesPerMonth);
  }
  return found;
}

/** Asks again and again, and expects each answer's months to be whole: of the old delivery or the new one. */
async function watch(deliveries: readonly number[], isOver: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const over = await isOver();
    for (const cost of [...(await costs()), ...(await costsOfFacts())]) expect(deliveries).toContain(cost);
    if (over) return;
    await pause(20);
  }
}

interface SyncState {
  readonly sync_status: string;
  readonly last_sync_error: string | null;
}

async function isSynced(accountId: string): Promise<boolean> {
  const { body } = await call<SyncState>('GET', `/accounts/${accountId}`);
  // Of a sync that is repeated, the error of the one before stands until it ends.
  expect(body.sync_status).not.toBe('failed');
  return body.sync_status === 'succeeded';
}

/** Waits until a sync whose loading process was killed has ended, and repeats it when it failed for that. */
async function syncAgain(accountId: string): Promise<void> {
  for (;;) {
    const { body } = await call<SyncState>('GET', `/accounts/${accountId}`);
    if (body.sync_status === 'succeeded') return;
    if (body.sync_status === 'failed') break;
    await pause(20);
  }
  expect((await call('POST', `/accounts/${accountId}/sync`)).status).toBe(202);
}

/** What is killed, by turns. */
const victims = ['server', 'everything', 'loader', 'engine'] as const;

async function kill(victim: (typeof victims)[number], accountId: string): Promise<void> {
  if (victim === 'loader' || victim === 'engine') {
    server?.killChild(victim);
    return syncAgain(accountId);
  }
  await server?.kill(victim === 'everything');
  server = await spawnServer(env);
}

it('never shows half a month when server, loader or engine are killed at any moment of 52 syncs, and finishes each', async () => {
  await deliver(1);
  server = await spawnServer(env);
  const person = { email: 'ana@example.com', password: 'plum kite orbit', name: 'Ana', organization_name: 'Plum' };
  token = (await call<{ access_token: string }>('POST', '/auth/register', person)).body.access_token;
  const connect = { name: 'Bills', provider: 'focus', settings: { path: 'export' } };
  const { id } = (await call<{ id: string }>('POST', '/accounts', connect)).body;
  await watch([0, 1], () => isSynced(id));
  for (let round = 1; round <= kills; round++) {
    const [old, fresh] = [round, round + 1];
    await deliver(fresh);
    expect((await call('POST', `/accounts/${id}/sync`)).status).toBe(202);
    // Moments spread over the whole sync, and a little beyond.
    const killAt = performance.now() + (latestKillMs * round) / kills;
    await watch([old, fresh], async () => performance.now() >= killAt);
    await kill(victims[round % victims.length] ?? 'server', id);
    await watch([old, fresh], () => isSynced(id));
    expect(await costs()).toEqual(months.map(() => fresh));
    expect(await costsOfFacts()).toEqual(months.map(() => fresh));
  }
  // Two minutes on an idle machine; a busy one takes several times as long.
}, 900_000);
