import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject, vi } from 'vitest';
import { shareCodeCache } from '../support/code-cache.ts';
import { administer, connectionTo } from '../support/database.ts';

/** The sample organization as `npm run demo` leaves it: a database to copy, and the data folder that belongs to it. */
export interface DemoTemplate {
  readonly database: string;
  readonly dataDir: string;
}

/** Arbitrary lock key: one process of the run creates the sample, the others wait for it. */
const lock = 7_391_604;

/** Created by the first process that needs it, once per run. */
export async function demoTemplate(): Promise<DemoTemplate> {
  const { template, maintenance } = inject('postgres');
  const database = `${template}_demo`;
  const dataDir = path.join(os.tmpdir(), database);
  const client = new pg.Client(connectionTo(maintenance));
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (rowCount === 0) await make(database, dataDir);
  } finally {
    // Ending the connection releases the lock.
    await client.end();
  }
  return { database, dataDir };
}

async function make(database: string, dataDir: string): Promise<void> {
  const { template } = inject('postgres');
  const building = `${database}_building`;
  await administer(`drop database if exists ${building} with (force)`);
  await administer(`create database ${building} template ${template}`);
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  shareCodeCache(dataDir);
  await runDemo({ DATABASE_URL: addressOf(building), DATA_DIR: dataDir, PORT: '0' });
  // Renamed once it is complete. The connections of a killed process outlive it for a moment.
  await vi.waitFor(() => administer(`alter database ${building} rename to ${database}`), { timeout: 10_000 });
}

/** Runs the command until it reports that the sample is ready. */
async function runDemo(settings: Readonly<Record<string, string>>): Promise<void> {
  const main = path.resolve(import.meta.dirname, '../../src/main.ts');
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...settings };
  const child = spawn(process.execPath, [main, 'demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Press Ctrl-C to stop')) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}: ${said}`)));
  });
  await ready;
  child.kill('SIGTERM');
  await ended;
}

/** Returns the `DATABASE_URL` of a database of the test run's PostgreSQL. */
export function addressOf(database: string): string {
  const { host, port, user, password = '' } = inject('postgres').connection;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgresql://${login}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
