import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { removeLeftovers } from './ingest/sync/leftovers.ts';
import type { OnUpgrade, UpgradeProgress } from './ingest/upgrade/progress.ts';
import type * as App from './app.ts';
import { tasks } from './tasks.ts';
import { startWorker } from './jobs/worker.ts';
import type { Config } from './kit/config/config.ts';
import type { Deps } from './kit/deps.ts';
import { openLog } from './kit/log.ts';
import { serverTls } from './kit/network/tls.ts';
import { checkOpenFiles, connectionLimits, openFilesLimit } from './kit/process/open-files.ts';
import { open, type Opened } from './start.ts';
import { answerUpgrading } from './surfaces/probes.ts';
import { limitConnections } from './surfaces/http/crowd.ts';
import { limitBody, limitIdle } from './surfaces/http/slow-clients.ts';
import { answerUnreadable } from './surfaces/http/unreadable.ts';
import { createFirstOrganization } from './tenancy/first-run/run.ts';
import { processCounters } from './tenancy/limits/counters.ts';
import { openRedisCounters } from './tenancy/limits/redis-counters.ts';

/** A running server or worker. */
export interface Running {
  readonly deps: Deps;
  /** Address it listens on, such as `http://127.0.0.1:3000`; null for a worker only. */
  readonly address: string | null;
  /** Folder of the embedded database; null with `DATABASE_URL`. */
  readonly home: string | null;
  /** Rejects on a fatal error. */
  readonly done: Promise<void>;
  /** Stops accepting work, finishes running work within a time limit, and closes everything. */
  stop(): Promise<void>;
}

/** Time limit for open requests after a stop, in milliseconds. Container runtimes kill after 10 seconds. */
const DRAIN_MS = 7_000;

/** Longer than the 60 seconds of common load balancers; a shorter timeout would close connections that they are about to
 *  reuse. */
const KEEP_ALIVE_MS = 65_000;

/** Longest upload, in milliseconds: a file may be large and the connection slow. An idle upload ends earlier. */
const UPLOAD_MS = 3_600_000;

/** Startup hooks. */
interface ServeHooks {
  /** Runs once the server listens, before the first job. */
  readonly prepare?: () => Promise<void>;
  readonly onUpgrade?: OnUpgrade;
}

/** Starts the server: HTTP and a worker on one database. During a database upgrade it responds with 503 and the progress.
 *  @throws {Error} when a component cannot start, with the reason and the fix */
export async function serve(config: Config, hooks: ServeHooks = {}): Promise<Running> {
  warnOfFewFiles(config);
  const server = createServer(config);
  try {
    await refuseUsedPort(config);
    // The API loads while the database starts.
    const [opened, { createApp }] = await Promise.all([
      openListening(server, config, hooks.onUpgrade),
      import('./app.ts'),
    ]);
    return await serveOpened(server, config, opened, { createApp, ...hooks });
  } catch (error) {
    await drain(server);
    throw error;
  }
}

/** Opens the database. During an upgrade the server already listens. */
async function openListening(server: http.Server, config: Config, onUpgrade?: OnUpgrade): Promise<Opened> {
  let progress: UpgradeProgress = { done: 0, of: 0 };
  server.on(
    'request',
    answerUpgrading(config.publicUrl, () => progress),
  );
  return open(config, async (latest) => {
    progress = latest;
    await listen(server, config);
    await onUpgrade?.(latest);
  });
}

async function serveOpened(
  server: http.Server,
  config: Config,
  { deps, home, close }: Opened,
  { createApp, prepare }: Pick<typeof App, 'createApp'> & ServeHooks,
): Promise<Running> {
  const shared = config.redisUrl === null ? null : await openRedisCounters(config.redisUrl, deps);
  const leave = async () => {
    shared?.close();
    await close();
  };
  try {
    // Before it listens, so that no client can register first.
    await createFirstOrganization(deps);
    const app = createApp(deps, shared ?? processCounters(deps.clock));
    server.removeAllListeners('request').on('request', limitBody()).on('request', limitIdle()).on('request', app);
    const address = await listen(server, config);
    await prepare?.();
    await removeLeftovers(deps);
    const worker = await startWorker(deps, tasks);
    const stop = async () => {
      await Promise.all([drain(server), worker.stop()]);
      await leave();
    };
    return { deps, address, home, done: worker.done, stop };
  } catch (error) {
    await drain(server);
    await leave();
    throw error;
  }
}

/** Starts a worker only, next to servers on the same database. */
export async function work(config: Config): Promise<Running> {
  warnOfFewFiles(config);
  const { deps, home, close } = await open(config);
  try {
    await removeLeftovers(deps);
    const worker = await startWorker(deps, tasks);
    const stop = async () => {
      await worker.stop();
      await close();
    };
    return { deps, address: null, home, done: worker.done, stop };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws {Error} for too low a limit of open files */
function warnOfFewFiles({ logLevel }: Config): void {
  const warning = checkOpenFiles(openFilesLimit());
  if (warning !== null) openLog(logLevel).warn(warning);
}

function createServer({ tls, publicUrl }: Config): http.Server {
  // The application rejects a missing host itself, in the format of other errors.
  const options = { requireHostHeader: false };
  const server = tls ? https.createServer({ ...serverTls(tls), ...options }) : http.createServer(options);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = UPLOAD_MS;
  server.on('request', limitBody()).on('request', limitIdle());
  limitConnections(server, connectionLimits(openFilesLimit()));
  answerUnreadable(server, publicUrl);
  return server;
}

/** Checks that the port is free, before the database is opened and migrated. */
async function refuseUsedPort(config: Config): Promise<void> {
  const probe = net.createServer();
  await listen(probe, config);
  await new Promise((resolve) => probe.close(resolve));
}

/** Listens, unless it already does.
 *  @returns the address */
async function listen(server: net.Server, { host, port, tls }: Config): Promise<string> {
  if (!server.listening) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(port, host, resolve);
    await promise.catch((cause: unknown) => {
      throw new Error(`Cannot listen on ${host} port ${port}: ${reasonOf(cause)}; set another HOST or PORT`, { cause });
    });
  }
  const bound = server.address();
  const actualPort = typeof bound === 'object' && bound ? bound.port : port;
  return `${tls ? 'https' : 'http'}://${nameOf(host)}:${actualPort}`;
}

/** Formats the host for a URL; `localhost` when the server listens on all interfaces. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
}

async function drain(server: http.Server): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await promise;
  clearTimeout(limit);
}
