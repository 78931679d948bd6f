import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { SyncStatus } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Statement } from '../../kit/errors.ts';
import { jsonOf } from '../../kit/stored-error.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** How far a sync is. */
export interface SyncProgress {
  phase: 'listing' | 'downloading' | 'reading' | 'loading' | 'inventory';
  /** 0 to 100 */
  percent: number;
  /** Line items read. */
  rows: number;
}

/** Marks a sync as running, unless someone cancelled it before it began, or before a killed process could obey.
 *  @returns false when there is nothing to run */
export async function beginSync(db: Db, scope: OrgScope, accountId: string, now: Date): Promise<boolean> {
  const where = { accountId, organizationId: scope.organizationId };
  await db.accountSync.updateMany({
    where: { ...where, cancelRequested: true },
    data: { status: 'cancelled', cancelRequested: false, finishedAt: now, phase: null, percent: null },
  });
  const { count } = await db.accountSync.updateMany({
    where: { ...where, status: { not: 'cancelled' } },
    data: {
      status: 'running',
      startedAt: now,
      finishedAt: null,
      retryAt: null,
      phase: 'listing',
      percent: 0,
      rows: 0n,
    },
  });
  return count === 1;
}

/** Writes how far a sync is.
 *  @returns whether someone asked to cancel it */
export async function writeProgress(
  db: Db,
  scope: OrgScope,
  accountId: string,
  progress: SyncProgress,
): Promise<boolean> {
  const [row] = await db.accountSync.updateManyAndReturn({
    where: {
      accountId,
      organizationId: scope.organizationId,
      status: 'running',
    },
    data: {
      phase: progress.phase,
      percent: progress.percent,
      rows: BigInt(progress.rows),
    },
    select: { cancelRequested: true },
  });
  // No running row: the account was purged or its sync was ended elsewhere.
  return row?.cancelRequested ?? true;
}

/** When a sync is tried again because its provider asked for it, and how often in a row that was. */
export interface Retry {
  readonly at: Date;
  readonly count: number;
}

/** How a sync ended. A `queued` one was interrupted, and is left to the next worker, or is tried again for a reason. One that
 *  succeeded may have left its inventory for a retry. */
export type SyncEnd =
  | { status: 'succeeded'; retry?: Retry | null }
  | { status: 'failed'; reason: Statement }
  | { status: 'cancelled' }
  | { status: 'queued'; reason?: Statement; retry?: Retry };

/** Writes how a sync ended. */
export async function endSync(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  accountId: string,
  end: SyncEnd,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.accountSync.updateMany({
    where: { accountId, organizationId: scope.organizationId },
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
  });
}

function errorOf(end: SyncEnd) {
  if (end.status === 'succeeded') return { lastError: Prisma.DbNull };
  return 'reason' in end && end.reason !== undefined ? { lastError: jsonOf(end.reason) } : {};
}

/** An interruption leaves them as they are. */
function retriesOf(end: SyncEnd): { retries?: number; retryAt?: Date | null } {
  if (end.status === 'queued') return end.retry ? { retries: end.retry.count, retryAt: end.retry.at } : {};
  const count = end.status === 'succeeded' ? (end.retry?.count ?? 0) : 0;
  return { retries: count, retryAt: null };
}

/** Queues a sync, unless one is queued for now or running. One that waits to be tried again need not wait any longer.
 *  @param when.notBefore when it may begin, where that is later
 *  @returns whether it was queued now */
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

/** Ends a waiting sync at once and asks a running one to stop.
 *  @returns the state it was found in */
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
  if (waiting.count > 0) return 'queued';
  const running = await db.accountSync.updateMany({
    where: { accountId, organizationId, status: 'running' },
    data: { cancelRequested: true },
  });
  return running.count > 0 ? 'running' : 'none';
}

/** How often in a row an account's sync was tried again. */
export async function readRetries(db: Db, scope: OrgScope, accountId: string): Promise<number> {
  const where = { accountId, organizationId: scope.organizationId };
  return (await db.accountSync.findFirst({ where, select: { retries: true } }))?.retries ?? 0;
}

/** An account as the schedule sees it. */
export interface ScheduledAccount {
  readonly id: string;
  readonly organizationId: string;
  readonly syncStatus: SyncStatus;
  /** Until when its queued sync waits, and how often in a row it was tried again; null: it waits for a worker alone. */
  readonly retry: Retry | null;
  /** Whether a provider is asked, over a network. */
  readonly isRemote: boolean;
}

/** Connected accounts of every organization, for the schedule, and those whose queued sync may have lost its job. */
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
