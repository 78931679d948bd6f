import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Statement } from '../../kit/errors/errors.ts';
import { jsonOf } from '../../kit/errors/stored-error.ts';
import { newId } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Progress of a sync. */
export interface SyncProgress {
  phase: 'listing' | 'downloading' | 'reading' | 'loading' | 'inventory';
  /** 0 to 100 */
  percent: number;
  /** Line items read. */
  rows: number;
}

/** A running sync: its process no longer owns it once another one has begun it again. */
export interface RunningSync {
  readonly accountId: string;
  readonly startedAt: Date;
}

/** Marks a sync as running, unless it was cancelled before it began, or before a killed process could react.
 *  @returns null when there is nothing to run */
export async function beginSync(db: Db, scope: OrgScope, accountId: string, now: Date): Promise<RunningSync | null> {
  const where = { accountId, organizationId: scope.organizationId };
  await db.accountSync.updateMany({
    where: { ...where, cancelRequested: true, filesChanged: false },
    data: { status: 'cancelled', cancelRequested: false, finishedAt: now, phase: null, percent: null },
  });
  const { count } = await db.accountSync.updateMany({
    where: { ...where, status: { not: 'cancelled' } },
    data: {
      status: 'running',
      cancelRequested: false,
      filesChanged: false,
      startedAt: now,
      finishedAt: null,
      retryAt: null,
      phase: 'listing',
      percent: 0,
      rows: 0n,
    },
  });
  return count === 1 ? { accountId, startedAt: now } : null;
}

/** Writes the progress of a sync.
 *  @returns whether it is to stop: cancellation was requested, or another process has begun the sync again */
export async function writeProgress(
  db: Db,
  scope: OrgScope,
  sync: RunningSync,
  progress: SyncProgress,
): Promise<boolean> {
  const [row] = await db.accountSync.updateManyAndReturn({
    where: { ...sync, organizationId: scope.organizationId, status: 'running' },
    data: {
      phase: progress.phase,
      percent: progress.percent,
      rows: BigInt(progress.rows),
    },
    select: { cancelRequested: true },
  });
  // No such row: the account was purged, or its sync was ended or begun elsewhere.
  return row?.cancelRequested ?? true;
}

/** The next retry of a sync after an unavailable provider or a crash, and the number of consecutive retries. */
export interface Retry {
  readonly at: Date;
  readonly count: number;
}

/** Outcome of a sync. `queued`: interrupted and left to the next worker, or to be retried; the reason says why. A successful
 *  one may still retry its inventory. */
export type SyncEnd = (
  | { status: 'succeeded'; retry?: Retry | null }
  | { status: 'failed'; reason: Statement }
  | { status: 'cancelled' }
  | { status: 'queued'; reason?: Statement; retry?: Retry }
) & {
  /** Whether it has loaded nothing of what it read; the history then counts no line items. */
  isEmpty?: boolean;
  /** When the sync began. If another process has begun it since, that one records the outcome. */
  startedAt?: Date;
};

/** Records the outcome of a sync; an ended one also in the history. */
export async function endSync(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  accountId: string,
  end: SyncEnd,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.$transaction(async (db) => {
    const [ended] = await db.accountSync.updateManyAndReturn({
      where: { accountId, organizationId: scope.organizationId, ...(end.startedAt && { startedAt: end.startedAt }) },
      data: {
        status: end.status,
        phase: null,
        percent: end.status === 'succeeded' ? 100 : null,
        cancelRequested: false,
        finishedAt: end.status === 'queued' ? null : now,
        ...errorOf(end),
        ...retriesOf(end),
        ...(end.status === 'succeeded' ? { lastSyncedAt: now } : {}),
      },
      select: { startedAt: true, rows: true },
    });
    if (!ended || end.status === 'queued') return;
    await queueAgain(db, scope, accountId);
    const { startedAt } = ended;
    const rows = end.isEmpty ? null : ended.rows;
    const error = end.status === 'failed' ? { error: jsonOf(end.reason) } : {};
    const run = { status: end.status, startedAt: startedAt ?? now, finishedAt: now, rows: rows ?? 0n, ...error };
    await addRun(db, scope, accountId, run);
  });
}

/** Queues an ended sync again if files were changed while it ran, or if it was requested again after a cancellation: a job for it is
 *  queued. */
async function queueAgain(db: Db, { organizationId }: OrgScope, accountId: string): Promise<void> {
  await db.accountSync.updateMany({
    where: { accountId, organizationId, filesChanged: true },
    data: { status: 'queued', startedAt: null, finishedAt: null, percent: 0, rows: 0n },
  });
}

/** Adds an ended sync to the history, and deletes those past their retention. */
async function addRun(
  db: Db,
  { organizationId }: OrgScope,
  accountId: string,
  run: Omit<Prisma.SyncRunUncheckedCreateInput, 'id' | 'accountId' | 'organizationId'> & { finishedAt: Date },
): Promise<void> {
  const of = { accountId, organizationId };
  const { finishedAt } = run;
  await db.syncRun.deleteMany({ where: { ...of, startedAt: { lt: new Date(finishedAt.getTime() - historyMs) } } });
  await db.syncRun.create({ data: { id: newId(finishedAt), ...of, ...run }, select: { id: true } });
}

/** Retention of ended syncs. */
const historyMs = 90 * 86_400_000;

/** Returns a page of the selected fields of an account's ended syncs, and their number. */
export async function pageRuns<Select extends Prisma.SyncRunSelect>(
  db: Db,
  { scope: { organizationId, accountIds }, accountId }: { readonly scope: OrgScope; readonly accountId: string },
  direction: 'asc' | 'desc',
  { select, skip, take }: PageRequest & { select: Select },
) {
  const isVisible = accountIds === null || accountIds.includes(accountId);
  const where = { organizationId, accountId: isVisible ? accountId : { in: [] } };
  const [rows, total] = await Promise.all([
    db.syncRun.findMany({ where, select, orderBy: [{ startedAt: direction }, { id: direction }], skip, take }),
    db.syncRun.count({ where }),
  ]);
  return { rows, total };
}

function errorOf(end: SyncEnd) {
  if (end.status === 'succeeded') return { lastError: Prisma.DbNull };
  return 'reason' in end && end.reason !== undefined ? { lastError: jsonOf(end.reason) } : {};
}

/** An interruption leaves the retries unchanged. */
function retriesOf(end: SyncEnd): { retries?: number; retryAt?: Date | null } {
  if (end.status === 'queued') return end.retry ? { retries: end.retry.count, retryAt: end.retry.at } : {};
  const count = end.status === 'succeeded' ? (end.retry?.count ?? 0) : 0;
  return { retries: count, retryAt: null };
}

/** Queues a sync, unless one is queued for now or running. Replaces one that waits for a retry.
 *  @param when.notBefore earliest start, if later
 *  @returns whether a sync was queued */
export async function markQueued(
  db: Db,
  scope: OrgScope,
  accountId: string,
  { now, notBefore = null }: { now: Date; notBefore?: Date | null },
): Promise<boolean> {
  const { count } = await db.accountSync.updateMany({
    where: {
      accountId,
      organizationId: scope.organizationId,
      OR: [{ status: { notIn: ['queued', 'running'] } }, { status: 'queued', retryAt: { not: null } }],
    },
    data: {
      status: 'queued',
      queuedAt: now,
      startedAt: null,
      finishedAt: null,
      phase: null,
      percent: 0,
      rows: 0n,
      cancelRequested: false,
      retries: 0,
      retryAt: notBefore,
    },
  });
  return count === 1;
}

/** Queues a sync after a change of the account's files. A running one may have listed them before, so it is queued again when it
 *  ends; one that begins waits for the caller's transaction, so that it lists the change. The caller queues the job. */
export async function markChanged(db: Db, scope: OrgScope, accountId: string, now: Date): Promise<void> {
  const { organizationId } = scope;
  await db.$queryRaw`/* markChanged */ SELECT 1 FROM account_syncs
    WHERE account_id = ${accountId}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
  if (await markQueued(db, scope, accountId, { now })) return;
  await db.accountSync.updateMany({
    where: { accountId, organizationId, status: 'running' },
    data: { queuedAt: now, filesChanged: true },
  });
}

/** Queues a sync again for when the running one has ended, if that one was cancelled. The caller queues the job.
 *  @returns whether it was queued */
export async function markAfterCancel(db: Db, scope: OrgScope, accountId: string, now: Date): Promise<boolean> {
  const { count } = await db.accountSync.updateMany({
    where: {
      accountId,
      organizationId: scope.organizationId,
      status: 'running',
      cancelRequested: true,
      filesChanged: false,
    },
    data: { queuedAt: now, filesChanged: true },
  });
  return count === 1;
}

/** Cancels a queued sync at once, which adds it to the history, or requests that a running one stop.
 *  @returns the previous state */
export async function requestCancel(
  db: Db,
  scope: OrgScope,
  accountId: string,
  now: Date,
): Promise<'queued' | 'running' | 'none'> {
  const { organizationId } = scope;
  const waiting = await db.accountSync.updateMany({
    where: { accountId, organizationId, status: 'queued' },
    data: {
      status: 'cancelled',
      finishedAt: now,
      phase: null,
      percent: null,
      rows: null,
      retries: 0,
      retryAt: null,
    },
  });
  if (waiting.count > 0) {
    await addRun(db, scope, accountId, { status: 'cancelled', startedAt: now, finishedAt: now, rows: 0n });
    return 'queued';
  }
  const running = await db.accountSync.updateMany({
    where: { accountId, organizationId, status: 'running' },
    data: { cancelRequested: true, filesChanged: false },
  });
  return running.count > 0 ? 'running' : 'none';
}

/** Returns the number of consecutive retries of an account's sync. */
export async function readRetries(db: Db, scope: OrgScope, accountId: string): Promise<number> {
  const where = { accountId, organizationId: scope.organizationId };
  return (await db.accountSync.findFirst({ where, select: { retries: true } }))?.retries ?? 0;
}

/** An account, for the schedule. */
export interface ScheduledAccount {
  readonly id: string;
  readonly organizationId: string;
  readonly syncStatus: SyncStatus;
  /** Retry that its queued sync waits for; null: it only waits for a worker. */
  readonly retry: Retry | null;
  /** Whether the sync calls a provider over the network. */
  readonly isRemote: boolean;
}

/** Lists connected accounts of all organizations, for the schedule and to find queued syncs that may have lost their job. */
export async function listForSchedule(db: Db): Promise<ScheduledAccount[]> {
  const rows = await db.account.findMany({
    where: { status: 'connected' },
    select: {
      id: true,
      organizationId: true,
      credentialsUpdatedAt: true,
      sync: { select: { status: true, retries: true, retryAt: true } },
    },
  });
  return rows.map(({ id, organizationId, credentialsUpdatedAt, sync }) => ({
    id,
    organizationId,
    syncStatus: sync?.status ?? 'never',
    retry: sync?.retryAt ? { at: sync.retryAt, count: sync.retries } : null,
    isRemote: credentialsUpdatedAt !== null,
  }));
}

/** Returns the accounts of all organizations whose sync is running. */
export async function listRunning(db: Db): Promise<string[]> {
  const rows = await db.accountSync.findMany({ where: { status: 'running' }, select: { accountId: true } });
  return rows.map(({ accountId }) => accountId);
}

/** Returns whether other organizations have accounts, too. */
export async function isSharedServer(db: Db, { organizationId }: OrgScope): Promise<boolean> {
  const other = await db.account.findFirst({
    where: { organizationId: { not: organizationId } },
    select: { id: true },
  });
  return other !== null;
}
