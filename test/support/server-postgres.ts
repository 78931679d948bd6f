import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { makePrivate } from '../../src/kit/database/embedded/place.ts';
import type { User } from '../../src/kit/database/embedded/place.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL of this machine, reached over TCP with a password, like in operation. */
export interface ServerPostgres {
  /** The DATABASE_URL of a new, empty database. */
  freshUrl(): Promise<string>;
  /** Stops it: SIGINT ends every session, SIGQUIT stops it like a crash. */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  start(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Folder of the newest PostgreSQL programs on this machine; null if there are none. */
export function findPrograms(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = fs.existsSync(debian) ? fs.readdirSync(debian) : [];
  const newestFirst = versions.map(Number).toSorted((a, b) => b - a);
  const folders = [
    ...newestFirst.map((version) => `${debian}/${version}/bin`),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return (
    folders.find((folder) => ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(folder, name)))) ?? null
  );
}

const PASSWORD = 'a/b:c@d?e%f g';

/** Starts an empty one on a free port. */
export async function startServerPostgres(programs: string): Promise<ServerPostgres> {
  const user = unprivileged();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-server-'));
  fs.chmodSync(folder, 0o711);
  const data = path.join(folder, 'data');
  makePrivate(data, user);
  initialize(programs, data, user);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = { host: '127.0.0.1', port, user: 'owner', password: PASSWORD, database: 'postgres' };
  let child: ChildProcess | null = null;
  let made = 0;
  const start = async () => {
    const log = fs.openSync(path.join(folder, 'log'), 'a');
    child = spawn(path.join(programs, 'postgres'), args, { ...user, cwd: '/', stdio: ['ignore', log, log] });
    fs.closeSync(log);
    await untilUp(server, child);
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  await start();
  return {
    async freshUrl() {
      made += 1;
      await query(server, `create database "world ${made}"`);
      return `postgresql://owner:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/world%20${made}`;
    },
    start,
    stop,
    async remove() {
      await stop('SIGQUIT');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the user to run as: PostgreSQL and PgBouncer refuse to run as root. */
export function unprivileged(): User {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string, name: string) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout);
  const name = idOf('-u', 'postgres') > 0 ? 'postgres' : 'nobody';
  return { uid: idOf('-u', name), gid: idOf('-g', name) };
}

function initialize(programs: string, data: string, user: User): void {
  const secret = path.join(data, '..', 'password');
  fs.writeFileSync(secret, `${PASSWORD}\n`, { mode: 0o644 });
  const auth = ['-U', 'owner', '-A', 'scram-sha-256', `--pwfile=${secret}`];
  const options = { ...user, cwd: '/', encoding: 'utf8' } as const;
  const args = ['-D', data, ...auth, '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr } = spawnSync(path.join(programs, 'initdb'), args, options);
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

async function untilUp(server: pg.ClientConfig, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    const up = await query(server, 'select 1').then(
      () => true,
      () => false,
    );
    if (up) return;
    await sleep(50);
  }
}

async function query(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(server);
  client.on('error', () => {}); // its termination is part of the test
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
