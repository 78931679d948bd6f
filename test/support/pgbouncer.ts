import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { unprivileged } from './server-postgres.ts';

/** A PgBouncer in transaction mode in front of one server. */
export interface PgBouncer {
  /** The URL of a database through it.
   *  @param direct the URL of the database itself */
  urlOf(direct: string): string;
  stop(): Promise<void>;
}

/** Path of pgbouncer on this machine; null if missing. */
export function findPgBouncer(): string | null {
  const folders = ['/usr/sbin', '/usr/local/sbin', ...(process.env['PATH'] ?? '').split(':')];
  return folders.map((folder) => path.join(folder, 'pgbouncer')).find((file) => fs.existsSync(file)) ?? null;
}

/** Starts one on a free port, with its default settings except for mode, authentication and number of clients.
 *  @param server the URL of any database of the server */
export async function startPgBouncer(program: string, server: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-pgbouncer-'));
  fs.chmodSync(folder, 0o711);
  const port = await freePort();
  const secret = password && ` password='${decodeURIComponent(password)}'`;
  const login = `user='${decodeURIComponent(username)}'${secret}`;
  const settings = `[databases]
* = host=${hostname} port=${serverPort} ${login}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 300
`;
  const file = path.join(folder, 'pgbouncer.ini');
  fs.writeFileSync(file, settings, { mode: 0o644 });
  const child = spawn(program, ['-q', file], { ...unprivileged(), cwd: '/', stdio: 'ignore' });
  const urlOf = (direct: string) => {
    const url = new URL(direct);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  await untilUp(urlOf(server), () => child.exitCode);
  return {
    urlOf,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const mostTries = 200;

async function untilUp(connectionString: string, ended: () => number | null): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if (ended() !== null) throw new Error(`PgBouncer ended with ${ended()}`);
    const client = new pg.Client({ connectionString });
    client.on('error', () => {});
    const failure = await client.connect().then(
      () => null,
      (error: unknown) => error,
    );
    await client.end().catch(() => {});
    if (failure === null) return;
    if (tries === mostTries) throw failure;
    await sleep(50);
  }
}
