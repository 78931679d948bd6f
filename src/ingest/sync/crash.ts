import { nextRun } from '../../jobs/schedule.ts';
import type { Config } from '../../kit/config/config.ts';
import { AppError, fix, message, type Statement } from '../../kit/errors/errors.ts';
import { freeBytes, leastFreeBytes } from '../../kit/disk.ts';
import { exhaustedBy } from '../../kit/errors/exhausted.ts';
import { ProcessEnded } from '../../kit/process/asked-process.ts';
import type { Deps } from '../../kit/deps.ts';
import { formatBytes } from '../../kit/text/format.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { leastLoaderMemoryMiB } from './loader/protocol.ts';
import { readRetries, type SyncEnd } from './store.ts';

/** Delays before the retries of a crashed sync, in milliseconds. */
const crashWaitsMs = [10_000, 60_000] as const;

type Limits = Pick<Config, 'dataDir' | 'loaderMemoryMiB' | 'workerConcurrency'>;

/** Delay before free space is checked again, in milliseconds. */
const roomWaitMs = 5_000;

/** Returns the outcome of a sync that cannot start because the disk is full: it waits for free space without a limit; null if
 *  there is enough. */
export async function withoutRoom(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  scope: OrgScope,
  accountId: string,
): Promise<SyncEnd | null> {
  const free = await freeBytes(config.dataDir);
  if (free === null || free >= leastFreeBytes) return null;
  const at = new Date(clock.now().getTime() + roomWaitMs);
  const reason = message`The disk of the server is full: ${formatBytes(free)} free. The sync starts within seconds once ${formatBytes(leastFreeBytes)} is free${fix}make space in ${config.dataDir}, or move DATA_DIR to a larger disk`;
  return { status: 'queued', reason, retry: { at, count: await readRetries(db, scope, accountId) } };
}

/** Names what stopped a sync inside the server, and which setting helps; null for an error of the bills or a defect. */
export function crashOf(error: unknown, limits: Limits): Statement | null {
  if (error instanceof AppError) return error.code === 'SERVICE_UNAVAILABLE' ? error.statement : null;
  switch (exhaustedBy(error)) {
    case 'disk':
      return message`The disk of the server is full${fix}make space in ${limits.dataDir}, or move DATA_DIR to a larger disk`;
    case 'readOnlyDisk':
      return message`The disk of the server is read-only${fix}make ${limits.dataDir} and the location of the fact files writable`;
    case 'descriptors':
      return message`The server has too many open files${fix}raise its limit of open files, for example with LimitNOFILE or "ulimit -n"`;
    case 'memory':
      return outOfMemory('The server ran out of memory', limits);
    case null:
      break;
  }
  return error instanceof ProcessEnded ? ended(error, limits) : null;
}

/** The kernel sends SIGKILL to a process that exceeds the memory of the machine or container; Node aborts at its own limit. */
function ended({ process, killer }: ProcessEnded, limits: Limits): Statement {
  const name = `${process.charAt(0).toUpperCase()}${process.slice(1)}`;
  if (killer === 'SIGKILL') return outOfMemory(`${name} was killed, most likely for lack of memory`, limits);
  if (killer === 'SIGABRT') return outOfMemory(`${name} ran out of memory`, limits);
  return message`${name} ended unexpectedly${fix}see the log of the server`;
}

function outOfMemory(what: string, { loaderMemoryMiB, workerConcurrency }: Limits): Statement {
  const other = `WORKER_CONCURRENCY (now ${workerConcurrency})`;
  const settings =
    loaderMemoryMiB > leastLoaderMemoryMiB ? `LOADER_MEMORY_MIB (now ${loaderMemoryMiB}) or ${other}` : other;
  return message`${what}${fix}give the server more memory, or lower ${settings}`;
}

/** Returns the outcome of a sync that stopped inside the server: it is retried soon, at most twice, then by the schedule. */
export async function crashed(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  scope: OrgScope,
  accountId: string,
  crash: Statement,
): Promise<SyncEnd> {
  const retries = await readRetries(deps.db, scope, accountId);
  const now = deps.clock.now();
  const waitMs = crashWaitsMs[retries];
  if (waitMs === undefined)
    return { status: 'failed', reason: withNext(crash, `${retries} retries failed. ${nextTry(deps.config, now)}`) };
  const at = new Date(now.getTime() + waitMs);
  const next = `The sync will be retried at ${shown(at)} (retry ${retries + 1} of ${crashWaitsMs.length})`;
  return { status: 'queued', reason: withNext(crash, next), retry: { at, count: retries + 1 } };
}

/** Returns the reason of a sync that failed because of a defect. */
export function defect(config: Config, now: Date): Statement {
  return withNext(
    message`Unexpected error: the server log has the details, and the last successful load is kept${fix}sync again, or contact the operator`,
    nextTry(config, now),
  );
}

function withNext(crash: Statement, next: string): Statement {
  return { ...crash, reason: [...crash.reason, `. ${next}`] };
}

/** Says when a failed sync is tried again. */
export function nextTry(config: Config, now: Date): string {
  const at = nextRun(config, 'sync_all', now);
  return at === null ? 'SYNC_CRON is off, so no retry follows' : `The next scheduled sync at ${shown(at)} tries again`;
}

/** Formats a time to the second: the first retry follows after ten seconds. */
function shown(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
