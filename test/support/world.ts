import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createApp } from '../../src/app.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { systemClock, type Clock } from '../../src/kit/time/clock.ts';
import { readConfig, type Config } from '../../src/kit/config/config.ts';
import { openSecrets } from '../../src/kit/secrets/crypto.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { openLog, type Log } from '../../src/kit/log.ts';
import type { Mail } from '../../src/kit/mail/mail.ts';
import { shareCodeCache } from './code-cache.ts';
import { freshDatabase } from './database.ts';
import { factWorld } from './facts.ts';
import { recordingQueue, type QueuedJob } from './jobs.ts';

/** A complete response of the server. */
export interface Answered<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly body: Body;
}

interface RestOptions {
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server with its own database, reached over HTTP. */
export interface World {
  readonly url: string;
  readonly deps: Deps;
  /** Queued jobs, in order. */
  readonly jobs: QueuedJob[];
  /** Sent mails, in order; see `runJobs` in `jobs.ts`. */
  readonly mails: Mail[];
  /** Calls `/api/v1` + path. */
  rest<Body = unknown>(method: string, path: string, options?: RestOptions): Promise<Answered<Body>>;
  /** Calls `/graphql` with POST. */
  gql<Data = unknown>(query: string, variables?: object, token?: string): Promise<Answered<GraphQLBody<Data>>>;
  /** Registers a user with a new organization, as its Super Admin. */
  register(overrides?: object): Promise<{ token: string; refreshToken: string; email: string; password: string }>;
}

interface GraphQLBody<Data> {
  readonly data?: Data;
  readonly errors?: {
    message: string;
    path?: (string | number)[];
    extensions: { code: string; status: number; field?: string };
  }[];
}

/** Hashing a password would take 40 ms; `password.test.ts` checks the real cost. */
export const cheapHashes: Config['passwordCost'] = { memoryKiB: 8, passes: 1 };

/** Rate limits that no test reaches, unless it sets its own. */
const generous = { auth: 100_000, read: 100_000, write: 100_000, report: 100_000, export: 100_000 };

/** Changes to the defaults. */
interface WorldOptions {
  readonly config?: Partial<Config>;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Queues jobs in the database for a worker, instead of only recording them. */
  readonly hasQueue?: boolean;
}

/** Starts a server on a new database and a random port; it ends with the test. */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const { world, stop } = await openWorld(options);
  onTestFinished(stop);
  return world;
}

/** One server for all tests of a file, for tests that do not affect each other. */
export function worldOfFile(options: WorldOptions = {}): () => World {
  let opened: Awaited<ReturnType<typeof openWorld>> | undefined;
  beforeAll(async () => {
    opened = await openWorld(options);
  });
  afterAll(() => opened?.stop());
  return () => {
    if (!opened) throw new Error('The world is not open yet; use it in a test');
    return opened.world;
  };
}

async function openWorld({ config, clock = systemClock, log = openLog('silent'), hasQueue = false }: WorldOptions) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'costkeep-world-'));
  shareCodeCache(dataDir);
  const { folder, ...facts } = factWorld(log);
  const settings: Config = {
    ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', FACTS_URL: folder }),
    rateLimits: generous,
    passwordCost: cheapHashes,
    ...config,
  };
  const { prisma: db, pool, connection, stop: leave } = await freshDatabase();
  const jobs: World['jobs'] = [];
  const queue = hasQueue ? await openQueue(pool, log) : recordingQueue(jobs);
  const secrets = openSecrets(settings.encryptionKeys);
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const basics = { db, pool, connection, clock, log, config: settings };
  const deps: Deps = { ...basics, queue, mailer, secrets, ...facts };
  // A test that computes for seconds between two requests must not hit a connection that is closing.
  const server = createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, createApp(deps));
  const stop = async () => {
    await closed(server);
    await leave();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { world: worldAt(await listening(server), { deps, jobs, mails }), stop };
}

function worldAt(url: string, { deps, jobs, mails }: Pick<World, 'deps' | 'jobs' | 'mails'>): World {
  const rest: World['rest'] = (method, at, options = {}) => call(`${url}/api/v1${at}`, method, options);
  const gql: World['gql'] = (query, variables = {}, token) => {
    return call(`${url}/graphql`, 'POST', { body: { query, variables }, ...(token === undefined ? {} : { token }) });
  };
  let made = 0;
  const register: World['register'] = async (overrides = {}) => {
    made += 1;
    const person = {
      email: `person${made}@example.com`,
      password: 'plum kite orbit',
      name: 'Ana',
      organization_name: 'Plum',
    };
    const input = { ...person, ...overrides };
    const answer = await rest<{ access_token: string; refresh_token: string }>('POST', '/auth/register', {
      body: input,
    });
    if (answer.status !== 201) throw new Error(`Registering answered ${answer.status}: ${answer.text}`);
    const { email, password } = input;
    return { token: answer.body.access_token, refreshToken: answer.body.refresh_token, email, password };
  };
  return { url, deps, jobs, mails, rest, gql, register };
}

async function call<Body>(url: string, method: string, options: RestOptions): Promise<Answered<Body>> {
  const headers = new Headers(options.headers);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const response = await fetch(url, { method, headers, body, redirect: 'manual' });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

/** The test knows the type. */
function parsed<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined as Body;
  }
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port');
  return `http://127.0.0.1:${address.port}`;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
