import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { crashOf } from '../../../src/ingest/sync/crash.ts';
import { Loader } from '../../../src/ingest/sync/bills/loader.ts';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { beginSync, endSync } from '../../../src/ingest/sync/store.ts';
import { mostRetries, postponed } from '../../../src/ingest/sync/retry.ts';
import type { JobOptions } from '../../../src/jobs/queue.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { AppError, invalid, restName, spelled } from '../../../src/kit/errors/errors.ts';
import { storedMessage } from '../../../src/kit/errors/stored-error.ts';
import { ProcessEnded } from '../../../src/kit/process/asked-process.ts';
import { TryLater } from '../../../src/providers/faults.ts';
import { aLine } from '../../support/focus.ts';
import { noQueue } from '../../support/jobs.ts';
import { mountTmpfs } from '../../support/tmpfs.ts';
import { billsOfFile, monthsOf, testNow, type Bills } from '../world.ts';

const bills = billsOfFile();
const { signal } = new AbortController();
const loaderAsk = Loader.prototype.ask;

/** Runs the queued sync like a worker, and returns the start times of further syncs that it queued. */
async function perform({ deps, scope, accountId }: Bills, config = {}): Promise<(Date | undefined)[]> {
  const queued: (Date | undefined)[] = [];
  const add = async (name: string, _payload: object, options: JobOptions = {}) => {
    if (name === 'sync') queued.push(options.runAt);
  };
  const all = { ...deps, config: { ...deps.config, ...config }, queue: { ...noQueue, add } };
  await performSync(all, scope, accountId, signal);
  return queued;
}

async function queue({ deps, scope, accountId }: Bills): Promise<void> {
  const of = { accountId, organizationId: scope.organizationId };
  await deps.db.accountSync.upsert({
    where: { accountId },
    create: { ...of, status: 'queued' },
    update: { status: 'queued' },
  });
}

async function syncOf({ deps, accountId }: Bills) {
  const { status, lastError, retryAt, retries } = await deps.db.accountSync.findFirstOrThrow({ where: { accountId } });
  return { status, retryAt, retries, error: storedMessage(lastError, restName) };
}

const after = (seconds: number) => new Date(testNow.getTime() + seconds * 1000);

/** Performs the sync, and kills its loader process with SIGKILL during its second command. */
async function performKilled(account: Bills): Promise<(Date | undefined)[]> {
  const ask = vi.spyOn(Loader.prototype, 'ask');
  ask.mockImplementationOnce(function (this: Loader, ...first) {
    ask.mockImplementationOnce(function (this: Loader, ...second) {
      ask.mockRestore();
      const answer = this.ask(...second);
      killLoader();
      return answer;
    });
    return loaderAsk.apply(this, first);
  });
  return perform(account);
}

function killLoader(): void {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const loaders = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/loader/main.ts'));
  expect(loaders).not.toEqual([]);
  for (const pid of loaders) process.kill(Number(pid), 'SIGKILL');
}

describe('performSync', () => {
  it('retries a sync after 10 and 60 seconds if its loader is killed, then leaves it to the schedule', async () => {
    const account = await bills();
    await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '1' })]);
    await queue(account);
    const reason =
      'The loader process was killed, most likely for lack of memory. The sync will be retried at 2026-08-10T12:00:10Z (retry 1 of 2); give the server more memory, or lower WORKER_CONCURRENCY (now 2)';
    const first = await performKilled(account);
    expect(first).toEqual([after(10)]);
    expect(await syncOf(account)).toEqual({ status: 'queued', retryAt: after(10), retries: 1, error: reason });
    const second = await performKilled(account);
    expect(second).toEqual([after(60)]);
    const third = await performKilled(account);
    expect(third).toEqual([]);
    const failed = await syncOf(account);
    expect(failed).toMatchObject({ status: 'failed', retryAt: null, retries: 0 });
    expect(failed.error).toContain('2 retries failed. The next scheduled sync at 2026-08-10T18:00:00Z tries again;');

    await queue(account);
    expect(await perform(account)).toEqual([]);
    expect(await syncOf(account)).toEqual({ status: 'succeeded', retryAt: null, retries: 0, error: null });
    expect(await monthsOf(account)).toEqual({ '2026-05': '1' });
  });

  it('leaves the outcome to another process that has begun the sync meanwhile', async () => {
    const account = await bills();
    await account.put('a.csv', [aLine({ day: '2026-07-02', cost: '5' })]);
    await queue(account);
    const { deps, scope, accountId } = account;
    const takenOver = after(1);
    vi.spyOn(Loader.prototype, 'ask').mockImplementationOnce(async function (this: Loader, ...command) {
      await beginSync(deps.db, scope, accountId, takenOver);
      return loaderAsk.apply(this, command);
    });
    await perform(account);
    expect((await syncOf(account)).status).toBe('running');
    expect(await deps.db.syncRun.count({ where: { accountId } })).toBe(0);
    await endSync(deps, scope, accountId, { status: 'succeeded', startedAt: takenOver });
    expect((await syncOf(account)).status).toBe('succeeded');
    expect(await deps.db.syncRun.count({ where: { accountId } })).toBe(1);
  });

  it('names a full disk, and not the bill, when the loader cannot write', async ({ skip }) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'costkeep-disk-'));
    const disk = mountTmpfs(dataDir, 66);
    onTestFinished(() => {
      disk?.unmount();
      rmSync(dataDir, { recursive: true, force: true });
    });
    if (!disk) return skip('mounting requires root');
    const account = await bills();
    await account.put('a.csv', [aLine({ day: '2026-05-03', cost: '1' })]);
    await queue(account);
    const put = vi.spyOn(account.deps.factStore, 'put');
    put.mockRejectedValueOnce(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    await perform(account, { dataDir });
    expect((await syncOf(account)).error).toMatch(
      /^The disk of the server is full\. The sync will be retried at 2026-08-10T12:00:10Z \(retry 1 of 2\); make space in /,
    );
    // Without enough space to begin, the sync waits, which does not count as a retry.
    disk.resize(16);
    expect(await perform(account, { dataDir })).toEqual([after(5)]);
    const { status, retries, error } = await syncOf(account);
    expect([status, retries]).toEqual(['queued', 1]);
    expect(error).toMatch(
      /^The disk of the server is full: .* free\. The sync starts within seconds once .* is free; /,
    );
    disk.resize(128);
    expect(await perform(account, { dataDir })).toEqual([]);
    expect(await syncOf(account)).toMatchObject({ status: 'succeeded', error: null });
  });
});

describe('postponed', () => {
  it('says after the last retry when the next scheduled sync is, if there is one', async () => {
    const { deps, scope, accountId } = await bills();
    const row = { accountId, organizationId: scope.organizationId, status: 'running' as const, retries: mostRetries };
    await deps.db.accountSync.create({ data: row });
    const reasonWith = async (syncCron: string | null) => {
      const config = { ...deps.config, syncCron };
      const end = await postponed({ ...deps, config }, scope, accountId, new TryLater('S3 is away'));
      return end.status === 'failed' && spelled(end.reason, restName).message;
    };
    expect(await reasonWith('0 */6 * * *')).toBe(
      'S3 is away. The sync was retried 8 times in a row. The next scheduled sync at 2026-08-10T18:00:00Z tries again',
    );
    expect(await reasonWith(null)).toBe(
      'S3 is away. The sync was retried 8 times in a row. SYNC_CRON is off, so no retry follows',
    );
  });
});

describe('crashOf', () => {
  const limits = { ...readConfig({}), dataDir: '/data' };
  const text = (error: unknown) => {
    const crash = crashOf(error, limits);
    return crash && spelled(crash, restName).message;
  };

  it('names what ran out', () => {
    const loader = (message: string) => new Error(`loader process: ${message}`);
    const full = 'The disk of the server is full; make space in /data, or move DATA_DIR to a larger disk';
    expect(text(loader('IO Error: Could not write file "/data/x": No space left on device'))).toBe(full);
    expect(text(Object.assign(new Error('could not extend file'), { code: '53100' }))).toBe(full);
    expect(text(loader('EROFS: read-only file system, open x.parquet'))).toBe(
      'The disk of the server is read-only; make /data and the location of the fact files writable',
    );
    expect(text(loader('EMFILE: too many open files, open a.csv'))).toMatch(
      /^The server has too many open files; raise /,
    );
    expect(text(new ProcessEnded('the loader process', null, 'SIGABRT'))).toMatch(
      /^The loader process ran out of memory; /,
    );
    expect(text(new ProcessEnded('the connector process', 1, null))).toMatch(
      /^The connector process ended unexpectedly; /,
    );
    expect(text(new AppError('SERVICE_UNAVAILABLE', 'The cost engine stopped'))).toBe('The cost engine stopped');
  });

  it('returns null for invalid bills and defects', () => {
    expect(text(invalid`a.csv, row 2: "No space left on device" is not a number`)).toBeNull();
    expect(text(new TypeError('x is undefined'))).toBeNull();
  });
});
