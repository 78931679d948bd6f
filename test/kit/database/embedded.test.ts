import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startEmbedded } from '../../../src/kit/database/embedded/start.ts';
import { inSession } from '../../../src/kit/database/open.ts';
import { mountTmpfs } from '../../support/tmpfs.ts';
import { openLog } from '../../../src/kit/log.ts';

let dataDir = '';

beforeEach(() => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-embedded-'));
  fs.chmodSync(folder, 0o711);
  dataDir = path.join(folder, 'data');
  return () => fs.rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

/** A process that uses the database. */
async function aHolder(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'holder.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  expect(child.exitCode).toBeNull();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const postmaster = () => Number.parseInt(fs.readFileSync(path.join(dataDir, 'pg18/postmaster.pid'), 'utf8'), 10);

const isStopped = () => expect(fs.existsSync(path.join(dataDir, 'pg18/postmaster.pid'))).toBe(false);

/** Runs one statement, starting the database if needed, with the disk settings of production. */
async function query(sql: string) {
  const embedded = await startEmbedded({ dataDir, log: openLog('silent'), settings: { shared_buffers: '32MB' } });
  const client = new pg.Client(inSession(embedded.connection));
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  await embedded.leave();
  return rows;
}

describe('startEmbedded', () => {
  it('reports a full disk at once, with the free and the required space', async ({ skip }) => {
    const disk = mountTmpfs(dataDir, 20);
    if (!disk) return skip('mounting requires root');
    try {
      const start = performance.now();
      await expect(query('select 1')).rejects.toThrow(
        /^The disk of .*data is full: 2\d(\.\d)? MB is free, and the database needs 134\.2 MB to start\. Make space, /,
      );
      expect(performance.now() - start).toBeLessThan(2_000);
      disk.resize(400);
      expect(await query('create table kept as select 1 as value')).toEqual([]);
      const filler = path.join(dataDir, 'filler');
      const { bavail, bsize } = fs.statfsSync(dataDir);
      fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - 2 ** 20));
      await expect(query('select 1')).rejects.toThrow(/^The disk of .* and the database needs 33\.6 MB to start\. /);
      fs.rmSync(filler);
      expect(await query('select * from kept')).toEqual([{ value: 1 }]);
    } finally {
      disk.unmount();
    }
  });

  it('creates a database in UTC that listens only on a private socket, and stops with its last user', async () => {
    expect(
      await query(`select current_setting('TimeZone') as zone, current_setting('listen_addresses') as addresses`),
    ).toEqual([{ zone: 'UTC', addresses: '' }]);
    expect(fs.statSync(path.join(dataDir, 'run')).mode & 0o777).toBe(0o700);
    isStopped();
  });

  it('lets a second process join, and stays up when the first one is killed', async () => {
    const first = await aHolder();
    const server = postmaster();
    await aHolder();
    await kill(first);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(postmaster()).toBe(server);
  });

  it('lets several processes create it at the same time', async () => {
    await Promise.all([aHolder(), aHolder(), aHolder()]);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(fs.readdirSync(dataDir).toSorted()).toEqual(['pg18', 'postgres.log', 'run']);
  });

  it('deletes only the leftovers of first starts that were killed long ago', async () => {
    const names = ['pg18.4711', 'pg18.4712', 'pg18.2026', 'pg18.before', 'pg17.4711'];
    for (const name of names) fs.mkdirSync(path.join(dataDir, name, 'base'), { recursive: true });
    // A copy of a database that was in use.
    fs.writeFileSync(path.join(dataDir, 'pg18.2026', 'postmaster.opts'), '');
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const name of names.filter((one) => one !== 'pg18.4712'))
      fs.utimesSync(path.join(dataDir, name), longAgo, longAgo);
    await query('select 1');
    const left = fs.readdirSync(dataDir).filter((name) => name.startsWith('pg1'));
    expect(left.sort()).toEqual(['pg17.4711', 'pg18', 'pg18.2026', 'pg18.4712', 'pg18.before']);
  });

  it('stops when its last user is killed', async () => {
    await kill(await aHolder());
    await vi.waitFor(isStopped, { timeout: 10_000 });
  });

  it('keeps every commit after all processes were killed', async () => {
    const holder = await aHolder();
    await query('create table kept as select 1 as x');
    process.kill(postmaster(), 'SIGKILL');
    await kill(holder);
    expect(await query('select x from kept')).toEqual([{ x: 1 }]);
  });

  it('restarts while it is in use', async () => {
    await aHolder();
    const killed = postmaster();
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(postmaster()).not.toBe(killed), { timeout: 10_000 });
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts despite a lock whose process id now belongs to another program', async () => {
    await query('select 1');
    const lock = path.join(dataDir, 'pg18/postmaster.pid');
    fs.writeFileSync(lock, `${process.pid}\n${path.dirname(lock)}\n`);
    expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts after the files of its volume were made writable for their group, as by fsGroup in Kubernetes', async () => {
    await query('create table kept as select 42 as answer');
    for (const folder of [path.join(dataDir, 'pg18'), dataDir]) fs.chmodSync(folder, 0o2775);
    expect(await query('select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('repeats the message of PostgreSQL when it cannot start', async () => {
    const settings = { shared_buffers: 'many' };
    await expect(startEmbedded({ dataDir, log: openLog('silent'), settings })).rejects.toThrow(
      /cannot be started: [^]*invalid value for parameter "shared_buffers": "many"/,
    );
  });

  const isRoot = process.getuid?.() === 0;
  it.runIf(isRoot)('uses a reachable folder when root keeps the data folder private', async () => {
    const clone = path.dirname(dataDir);
    fs.chmodSync(clone, 0o700);
    const homes: string[] = [];
    onTestFinished(() => homes.forEach((home) => fs.rmSync(home, { recursive: true, force: true })));
    const home = async () => {
      const embedded = await startEmbedded({ dataDir, log: openLog('silent'), settings: { fsync: 'off' } });
      homes.push(embedded.home);
      await embedded.leave();
      return embedded.home;
    };
    const first = await home();
    expect(first).not.toContain(clone);
    expect(await home(), 'the next start').toBe(first);
    fs.renameSync(dataDir, `${dataDir}-moved`);
    expect(await home(), 'a new data folder in its place').not.toBe(first);
    dataDir = `${dataDir}-moved`;
    expect(await home(), 'the data folder, moved').toBe(first);
  });
});
