import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Binaries } from './binaries.ts';
import { pipeOf } from './hold.ts';
import { makePrivate } from './place.ts';
import type { Place } from './place.ts';

/** PostgreSQL settings by name. */
export type Settings = Readonly<Record<string, string>>;

/** Name of both the superuser and the database. */
export const DATABASE_NAME = 'costkeep';

const MIB = 2 ** 20;
const LOG_LIMIT = 8 * MIB;

/** Reads the pipe until its last writer is gone, then requests a fast shutdown (SIGINT) of the server. */
const WATCH = '(while read -r _; do :; done; kill -INT "$server") <&3 >/dev/null 2>&1 & watcher=$!';

// Opens the pipe before the server starts: if we are killed earlier, nothing keeps running.
const START = `exec 3<"$1"; shift; "$@" </dev/null 3<&- & server=$!; ${WATCH}; exec 3<&-; wait "$server"; code=$?; kill "$watcher" 2>/dev/null; exit "$code"`;
const ADOPT = `exec 3<"$1"; server=$2; ${WATCH}; exec 3<&-; wait`;

/** Initializes the data folder under a temporary name, then renames it, so that a failed or concurrent first start
 *  leaves nothing half initialized. Does nothing if it exists, except for deleting leftovers of killed first starts.
 *  @throws {Error} with the output of initdb */
export function initialize(place: Place, binaries: Binaries, sync: boolean): void {
  removeDrafts(place.data);
  if (fs.existsSync(path.join(place.data, 'PG_VERSION'))) return;
  const draft = `${place.data}.${process.pid}`;
  makePrivate(draft, place.user);
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const rest = ['-A', 'trust', '--data-checksums', '--no-instructions', ...(sync ? [] : ['--no-sync'])];
  const options = { ...place.user, cwd: '/', env: environment(), encoding: 'utf8' } as const;
  const result = spawnSync(binaries.initdb, ['-D', draft, '-U', DATABASE_NAME, ...locale, ...rest], options);
  try {
    if (result.status !== 0)
      throw new Error(`The database could not be created: ${result.error?.message ?? result.stderr}`);
    fs.renameSync(draft, place.data);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(path.join(place.data, 'PG_VERSION'))) throw error; // otherwise another process was faster
  }
}

/** Age in milliseconds after which a draft is deleted as a leftover: initialization takes only seconds. */
const DRAFT_MS = 600_000;

function removeDrafts(data: string): void {
  const parent = path.dirname(data);
  if (!fs.existsSync(parent)) return;
  for (const name of fs.readdirSync(parent)) {
    const draft = path.join(parent, name);
    if (!name.startsWith(`${path.basename(data)}.`) || !/\.\d+$/.test(name)) continue;
    const found = fs.statSync(draft, { throwIfNoEntry: false });
    if (!found || found.mtimeMs >= Date.now() - DRAFT_MS) continue;
    // PostgreSQL writes it at its first start: the folder is a manual copy, not a draft.
    if (fs.existsSync(path.join(draft, 'postmaster.opts'))) continue;
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** A server process that we started or tried to start. */
export interface Started {
  readonly child: ChildProcess;
  /** Its log output since then. */
  output(): string;
}

/** Starts the server and its watcher in a separate process group, so that Ctrl-C reaches only us. */
export function startServer(place: Place, binaries: Binaries, settings: Settings): Started {
  // Kubernetes opens the files of a volume to its group, and PostgreSQL refuses such a folder.
  makePrivate(place.data, place.user);
  removeStaleLocks(place);
  const log = path.join(place.home, 'postgres.log');
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) fs.truncateSync(log);
  const from = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const file = fs.openSync(log, 'a', 0o600);
  const flags = Object.entries({ ...defaults(place), ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawnDetached(place, START, [pipeOf(place), binaries.postgres, '-D', place.data, ...flags], file);
  fs.closeSync(file);
  return { child, output: () => fs.readFileSync(log).subarray(from).toString('utf8').slice(-4000) };
}

/** Starts a new watcher for a server whose watcher was killed. */
export function adoptServer(place: Place): void {
  const server = lockHolder(path.join(place.data, 'postmaster.pid'));
  if (server) spawnDetached(place, ADOPT, [pipeOf(place), String(server)], 'ignore');
}

function spawnDetached(place: Place, script: string, args: readonly string[], output: number | 'ignore'): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...args], {
    ...place.user,
    cwd: place.home,
    env: environment(),
    detached: true,
    stdio: ['ignore', output, output],
  });
  child.on('error', () => {}); // reported as an exit
  child.unref();
  return child;
}

function defaults(place: Place): Settings {
  return {
    listen_addresses: '',
    unix_socket_directories: place.run,
    unix_socket_permissions: '0700',
    port: '5432',
    shared_buffers: `${sharedBuffersMiB()}MB`,
    work_mem: '32MB',
    // Loads write a lot of data that is soon replaced: the WAL would otherwise grow larger than the data.
    max_wal_size: '96MB',
    min_wal_size: '32MB',
    wal_compression: 'on',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(isShmSmall() ? { dynamic_shared_memory_type: 'mmap' } : {}),
  };
}

/** One eighth of the available memory, at most 512 MiB, since we share the machine. */
function sharedBuffersMiB(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
  return Math.max(64, Math.min(512, Math.floor(memory / 8 / MIB)));
}

/** Docker limits /dev/shm to 64 MB, too little for parallel queries. */
function isShmSmall(): boolean {
  if (process.platform !== 'linux' || !fs.existsSync('/dev/shm')) return false;
  const { blocks, bsize } = fs.statfsSync('/dev/shm');
  return blocks * bsize < 256 * MIB;
}

/** Removes lock files of dead servers. After a container restarts, the process id in a lock may belong to any other
 *  program, and PostgreSQL would never start. */
function removeStaleLocks(place: Place): void {
  for (const lock of [path.join(place.data, 'postmaster.pid'), path.join(place.run, '.s.PGSQL.5432.lock')]) {
    const pid = lockHolder(lock);
    if (pid && !isPostgres(pid)) fs.rmSync(lock, { force: true });
  }
}

/** Whether a server holds the data folder: starting, running or stopping. */
export function isServerAlive(place: Place): boolean {
  const pid = lockHolder(path.join(place.data, 'postmaster.pid'));
  return pid !== null && isPostgres(pid);
}

function lockHolder(lock: string): number | null {
  const pid = Number.parseInt(readIfThere(lock) ?? '', 10);
  return pid > 0 ? pid : null;
}

function isPostgres(pid: number): boolean {
  if (process.platform === 'linux') return /\(postgres\) [^ZX]/.test(readIfThere(`/proc/${pid}/stat`) ?? '');
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readIfThere(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}
