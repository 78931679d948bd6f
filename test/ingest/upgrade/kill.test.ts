import packageJson from '../../../package.json' with { type: 'json' };
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { FactFile } from '../../../src/engine/fact-set.ts';
import { freePort } from '../../support/free-port.ts';
import { aPreviousDatabase, type PreviousDatabase } from './database.ts';
import { newSums, oldSums } from './sums.ts';

const main = path.resolve(import.meta.dirname, '../../../src/main.ts');

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a server without waiting. */
async function start({ env }: PreviousDatabase): Promise<Server> {
  const port = String(await freePort());
  const child = spawn(process.execPath, [main, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', ...env, PORT: port, SYNC_CRON: 'off', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { url: `http://127.0.0.1:${port}`, child };
}

interface Ready {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly progress?: { readonly months_done: number; readonly months_total: number };
}

/** Polls readiness until a response matches. */
async function untilReady({ url, child }: Server, isWanted: (ready: Ready) => boolean): Promise<Ready> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/ready`).catch(() => null);
    if (answer) {
      const ready = (await answer.json()) as Ready;
      if (isWanted(ready)) return ready;
    }
    await pause(5);
  }
}

const isAt = (months: number) => (ready: Ready) =>
  ready.status === 'ok' || (ready.progress?.months_done ?? 0) >= months;

/** Kills the server like `kill -9`, alone or with its loader process. */
async function kill({ child }: Server, everything: boolean): Promise<void> {
  const gone = once(child, 'exit');
  process.kill(everything ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL');
  await gone;
}

/** Returns the number of converted months, after checking that all their files exist. */
async function countConverted(database: PreviousDatabase): Promise<number> {
  const rows = await database.query<{ facts: FactFile[] }>(`SELECT facts FROM billing_periods WHERE facts <> '[]'`);
  for (const { facts } of rows) {
    expect(new Set(facts.map(({ grain }) => grain))).toEqual(new Set(['day', 'month']));
    for (const { key } of facts) expect(existsSync(path.join(database.dataDir, 'facts', key))).toBe(true);
  }
  return rows.length;
}

it('converts each month once and loses nothing when an upgrade is killed repeatedly', async () => {
  const database = await aPreviousDatabase();
  const before = await oldSums(database);
  let converted = 0;
  for (const [round, months] of [0, 2, 7, 13, 19].entries()) {
    const server = await start(database);
    await untilReady(server, isAt(months));
    await pause(7 * round); // not always at the start of a month
    await kill(server, round % 2 === 0);
    const count = await countConverted(database);
    expect(count).toBeGreaterThanOrEqual(Math.max(converted, months));
    converted = count;
  }
  expect(converted).toBeLessThan(24);
  const server = await start(database);
  await untilReady(server, ({ status }) => status === 'ok');
  expect(await newSums(database, 'day')).toEqual(before);
  expect(await database.query(`SELECT to_regclass('cost_facts') AS name`)).toEqual([{ name: null }]);
}, 300_000);

it('is alive but not ready during an upgrade, and answers other requests with 503 and its progress', async () => {
  const database = await aPreviousDatabase();
  const server = await start(database);
  const ready = await untilReady(server, () => true);
  expect(ready).toEqual({
    status: 'failed',
    checks: { database: 'ok', migrations: 'failed', queue: 'failed', limits: 'ok' },
    progress: { months_done: expect.any(Number), months_total: 24 },
  });
  const answers = await Promise.all(
    ['/health', '/ready?x=1', '/api/v1/org', '/graphql', '/'].map((at) => fetch(server.url + at)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 503, 503]);
  expect(await answers[0]?.json()).toEqual({ status: 'ok', version: packageJson.version });
  expect(answers[2]?.headers.get('retry-after')).toBe('10');
  expect(await answers[2]?.json()).toEqual({
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(
        /^The server is upgrading its database \(\d+ of 24 billing months are converted\); try again later$/,
      ),
      status: 503,
      reason: expect.stringMatching(
        /^The server is upgrading its database \(\d+ of 24 billing months are converted\)$/,
      ),
      remedy: 'try again later',
    },
  });
  await untilReady(server, ({ status }) => status === 'ok');
  expect((await fetch(`${server.url}/api/v1/org`)).status).toBe(401);
  expect((await (await fetch(`${server.url}/ready`)).json()) as Ready).not.toHaveProperty('progress');
}, 120_000);
