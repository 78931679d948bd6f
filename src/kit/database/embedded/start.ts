import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { formatBytes } from '../../text/format.ts';
import { findBinaries } from './binaries.ts';
import type { Binaries } from './binaries.ts';
import { hold, isWatched } from './hold.ts';
import { preparePlace } from './place.ts';
import type { Place } from './place.ts';
import { adoptServer, DATABASE_NAME, initialize, isServerAlive, startServer } from './process.ts';
import type { Settings, Started } from './process.ts';

/** The running embedded PostgreSQL, in use by this process. */
export interface Embedded {
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Folder of its data, socket and log. */
  readonly home: string;
  /** Releases the database and waits until it has stopped, unless another of our processes uses it. */
  leave(): Promise<void>;
}

interface Options {
  /** Absolute path. */
  dataDir: string;
  log: Log;
  /** Override our own; tests disable fsync. */
  settings?: Settings;
}

interface Server {
  readonly place: Place;
  readonly binaries: Binaries;
  readonly settings: Settings;
  readonly log: Log;
}

const START_LIMIT_MS = 60_000;
const RESTART_MS = 5_000;
const STOP_LIMIT_MS = 30_000;
const PROBE_LIMIT_MS = 2_000;
const POLL_MS = 25;

/** Connection errors from a server that is starting, stopping or absent. */
const NOT_YET = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P03']);

/** Starts the PostgreSQL under `dataDir`, or joins the one that another of our processes started. It has no port: it
 *  listens on a socket in a private folder. It runs as long as any of our processes uses it, and is restarted if it
 *  dies.
 *  @throws {Error} with its log output, if it cannot start */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { dataDir, log, settings = {} } = options;
  if (process.platform === 'win32') throw new Error('There is no embedded database on Windows: set DATABASE_URL');
  const place = preparePlace(dataDir, log);
  refuseFullDisk(place);
  const server = { place, settings, log, binaries: await findBinaries(place) };
  initialize(place, server.binaries, settings['fsync'] !== 'off');
  const release = hold(place);
  const stopWatching = await keepUp(server).catch((error: unknown) => {
    release();
    throw error;
  });
  const leave = async () => {
    await stopWatching();
    release();
    await untilStopped(place);
  };
  return { connection: connectionTo(place, DATABASE_NAME), home: place.home, leave };
}

function connectionTo(place: Place, database: string): Embedded['connection'] {
  return { host: place.run, port: 5432, user: DATABASE_NAME, database };
}

/** Keeps one connection open: if it breaks, the server has died and is restarted. */
async function keepUp(server: Server): Promise<() => Promise<void>> {
  let leaving = false;
  let client = await ensureUp(server);
  const onEnd = () => {
    if (leaving) return;
    server.log.warn('The embedded database has stopped; restarting it');
    ensureUp(server).then(watch, (err: unknown) => {
      server.log.error({ err }, 'The embedded database cannot be restarted');
      setTimeout(onEnd, RESTART_MS).unref();
    });
  };
  const watch = (next: pg.Client) => {
    client = next;
    if (leaving) void client.end();
    else client.once('end', onEnd);
  };
  watch(client);
  return async () => {
    leaving = true;
    await client.end();
  };
}

/** Starts the server if it is not running, and creates its database.
 *  @returns a connection to it */
async function ensureUp(server: Server): Promise<pg.Client> {
  const deadline = Date.now() + START_LIMIT_MS;
  let started: Started | null = null;
  while (Date.now() < deadline) {
    const client = await tryConnect(server.place);
    if (client) {
      if (!isWatched(server.place)) adoptServer(server.place);
      await createDatabase(client);
      return client;
    }
    if (!isRunning(started)) {
      refuseHopeless(server.place, started);
      if (!isServerAlive(server.place)) started = startServer(server.place, server.binaries, server.settings);
    }
    await sleep(POLL_MS);
  }
  throw new Error(
    `The embedded database did not start within ${START_LIMIT_MS / 1000} s: ${started?.output() ?? 'it is busy'}`,
  );
}

function isRunning(started: Started | null): boolean {
  return started !== null && started.child.exitCode === null && started.child.signalCode === null;
}

/** Free space that the database needs to start, in bytes: two WAL segments. A new one also has files of 40 MiB. */
const leastFree = { existing: 32 * 2 ** 20, fresh: 128 * 2 ** 20 };

/** On a full disk, PostgreSQL starts to recover, fails and says so only in its own log.
 *  @throws {Error} naming the folder, the free and the required space, unless the database already runs */
function refuseFullDisk(place: Place): void {
  if (!isServerAlive(place) && freeIn(place) < neededIn(place)) throw fullDisk(place);
}

function freeIn({ home }: Place): number {
  const { bavail, bsize } = fs.statfsSync(home);
  return bavail * bsize;
}

function neededIn({ data }: Place): number {
  return fs.existsSync(data) ? leastFree.existing : leastFree.fresh;
}

function fullDisk(place: Place): Error {
  const [free, needed] = [freeIn(place), neededIn(place)].map((bytes) => formatBytes(bytes));
  return new Error(
    `The disk of ${place.home} is full: ${free} is free, and the database needs ${needed} to start. Make space, or move DATA_DIR to a larger disk, and start again; nothing is lost`,
  );
}

/** Retries a server that lost a race for the lock or found leftovers of a killed one; throws on any other failure. */
function refuseHopeless(place: Place, started: Started | null): void {
  const output = started?.output() ?? '';
  if (/No space left on device|Disk quota exceeded/.test(output)) throw fullDisk(place);
  if (started && !/postmaster\.pid|\.lock"|shared memory/.test(output))
    throw new Error(`The embedded database cannot be started: ${output.trim() || 'it could not write to its log'}`);
}

async function tryConnect(place: Place): Promise<pg.Client | null> {
  const client = new pg.Client({ ...connectionTo(place, 'postgres'), connectionTimeoutMillis: PROBE_LIMIT_MS });
  client.on('error', () => {}); // only its `end` event matters
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (error instanceof Error && 'code' in error && NOT_YET.has(String(error.code))) return null;
    if (error instanceof Error && /terminated unexpectedly|timeout expired/.test(error.message)) return null;
    throw error;
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
  if (rowCount) return;
  await client.query(`create database ${DATABASE_NAME}`).catch((error: unknown) => {
    const code = error instanceof pg.DatabaseError ? error.code : '';
    if (code !== '42P04' && code !== '23505') throw error; // otherwise another process was faster
  });
}

/** Waits until the server has stopped. If it still runs after half a second, another process uses it. */
async function untilStopped(place: Place): Promise<void> {
  const started = Date.now();
  while (Date.now() < started + STOP_LIMIT_MS && isServerAlive(place)) {
    const client = await tryConnect(place).catch(() => null);
    await client?.end();
    if (client && Date.now() > started + 500) return;
    await sleep(POLL_MS);
  }
}
