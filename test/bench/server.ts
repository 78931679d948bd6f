import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const unlimited = '1000000';

/** A measured process, reached over HTTP. */
export interface Running {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process to its first successful response. */
  startMs: number;
  stop(): Promise<void>;
}

/** Starts a program of this repository on a free port, and waits until it responds. */
export async function start(
  program: readonly string[],
  env: Record<string, string>,
  readyPath: string,
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const child = spawn(process.execPath, [...program], {
    env: {
      ...process.env,
      PORT: String(port),
      PUBLIC_URL: url,
      // Like in production: graphql-js skips its development checks.
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      SYNC_CRON: 'off',
      RATE_LIMIT_AUTH: unlimited,
      RATE_LIMIT_READ: unlimited,
      RATE_LIMIT_WRITE: unlimited,
      RATE_LIMIT_REPORT: unlimited,
      RATE_LIMIT_EXPORT: unlimited,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilReady(child, url + readyPath);
  return { url, pid: child.pid ?? 0, startMs: performance.now() - begun, stop: () => stop(child) };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await sleep(10);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/** A port of this machine that is not in use. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** Calls the REST API and returns the body. Throws with the response text for an error status. */
export async function rest<T>(
  server: Running,
  route: `${string} /${string}`,
  token: string | null,
  body?: object,
): Promise<T> {
  const [method = '', path = ''] = route.split(' ');
  const send = () =>
    fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  // The server may close a keep-alive connection just when a busy machine reuses it.
  const response = await send().catch((error: unknown) => {
    if (method === 'GET') return send();
    throw error;
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Registers an organization, and returns its access token. */
export async function register(server: Running): Promise<string> {
  const body = {
    email: `bench-${crypto.randomUUID()}@costkeep.example`,
    password: 'measure twice, cut once',
    name: 'Bench',
    organization_name: 'Bench',
  };
  const { access_token: token } = await rest<{ access_token: string }>(server, 'POST /auth/register', null, body);
  return token;
}

interface Account {
  id: string;
  sync_status: string;
  last_sync_error: string | null;
}

/** Connects a folder, and waits until its first sync has loaded it. */
export async function load(server: Running, token: string, path: string): Promise<Account> {
  return connect(server, token, { name: path, provider: 'focus', settings: { path } });
}

/** Connects an account with the given body of `POST /accounts`, and waits until its first sync has loaded it. */
export async function connect(server: Running, token: string, body: object): Promise<Account> {
  const { id } = await rest<Account>(server, 'POST /accounts', token, body);
  return synced(server, token, id);
}

/** Waits until the sync of an account has succeeded. */
export async function synced(server: Running, token: string, id: string): Promise<Account> {
  for (;;) {
    const account = await rest<Account>(server, `GET /accounts/${id}`, token);
    if (account.sync_status === 'succeeded') return account;
    if (account.sync_status !== 'queued' && account.sync_status !== 'running')
      throw new Error(`the sync ${account.sync_status}: ${account.last_sync_error}`);
    // Polls rarely: twenty polls per second would slow the load by a tenth.
    await sleep(200);
  }
}
