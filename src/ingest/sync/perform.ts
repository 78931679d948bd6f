import { queueChecks } from '../../jobs/checks.ts';
import { isDatabaseAway } from '../../kit/database/away.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { TryLater } from '../../providers/faults.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import { queueMissingRates } from '../../tenancy/org/rates/fetch.ts';
import { readSource } from '../accounts/store.ts';
import { crashed, crashOf, defect, withoutRoom } from './crash.ts';
import { syncAccount, type AccountResult } from './account.ts';
import type { SyncDeps } from './bills/run.ts';
import { Reporter } from './progress.ts';
import { jitterOf, nextRetry, postponed } from './retry.ts';
import { beginSync, endSync, listForSchedule, markQueued, type SyncEnd } from './store.ts';

type PerformDeps = SyncDeps & Pick<Deps, 'queue'>;

/** Runs a queued sync and records its progress and outcome. A sync interrupted by a server shutdown or a lost database stays
 *  queued, and the error is rethrown, so that the job runs again. If the provider requests a later retry, the sync is queued
 *  for then. A separate job evaluates new bills and listings.
 *  @param shutdown aborted when this process stops */
export async function performSync(
  deps: PerformDeps,
  scope: OrgScope,
  accountId: string,
  shutdown: AbortSignal,
): Promise<void> {
  const sync = await beginSync(deps.db, scope, accountId, deps.clock.now());
  if (!sync) return;
  const { startedAt } = sync;
  const waiting = await withoutRoom(deps, scope, accountId);
  if (waiting) return postpone(deps, scope, accountId, { ...waiting, startedAt });
  const cancelled = new AbortController();
  const signal = AbortSignal.any([shutdown, cancelled.signal]);
  const reporter = new Reporter(deps, scope, sync, cancelled);
  let hasReplaced = false;
  try {
    const result = await syncAccount(deps, scope, accountId, {
      signal,
      onProgress: (progress) => reporter.report(progress),
      onReplaced: () => void (hasReplaced = true),
    });
    await reporter.stop();
    await endSync(deps, scope, accountId, { ...(await succeed(deps, scope, accountId, result)), startedAt });
  } catch (error) {
    await reporter.stop();
    // Nothing can be written now; the job is retried and finds the sync's state unchanged.
    if (error instanceof Error && isDatabaseAway(error)) throw error;
    const end = await endOf(deps, { scope, accountId }, error, { cancelled: cancelled.signal, shutdown });
    deps.log[isForOwner(error) || signal.aborted ? 'info' : 'error'](
      { accountId, err: error, end: end.status },
      'A sync ended early',
    );
    await postpone(deps, scope, accountId, { ...end, isEmpty: !hasReplaced, startedAt });
    if (end.status === 'queued' && !end.retry) throw error;
    // Months without errors are loaded all the same. A deleted account needs no evaluation.
    const isWorth = hasReplaced || !(error instanceof TryLater || end.status === 'queued');
    if (isWorth && (await readSource(deps.db, scope, accountId))) await queueWhatFollows(deps, scope, accountId);
  }
}

/** Queues what follows a successful sync.
 *  @returns its outcome */
async function succeed(deps: PerformDeps, scope: OrgScope, accountId: string, result: AccountResult): Promise<SyncEnd> {
  const { lineItems, months, hasStatements, inventory } = result;
  deps.log.info({ accountId, lineItems, months: months.map(({ month }) => month), inventory }, 'A sync succeeded');
  if (months.length > 0 || hasStatements || inventory === 'listed') await queueWhatFollows(deps, scope, accountId);
  const retry = result.later ? await nextRetry(deps, scope, accountId, result.later) : null;
  if (retry) await queueRetry(deps, scope, accountId, retry.at);
  return { status: 'succeeded', retry };
}

/** Records the outcome of a sync that did not succeed. Queues the retry first, so that it cannot postpone a sync that a user
 *  requests right afterwards. */
async function postpone(deps: PerformDeps, scope: OrgScope, accountId: string, end: SyncEnd): Promise<void> {
  if (end.status === 'queued' && end.retry) await queueRetry(deps, scope, accountId, end.retry.at);
  await endSync(deps, scope, accountId, end);
}

function queueRetry(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountId: string,
  runAt: Date,
): Promise<void> {
  return queue.add('sync', { organizationId, accountId }, { runAt });
}

/** Queues a sync of every connected account, spread over ten minutes for cloud accounts. Waiting retries keep their time. Also
 *  re-creates a lost job. */
export async function queueSyncs(deps: Pick<Deps, 'db' | 'queue' | 'clock'>): Promise<void> {
  const now = deps.clock.now();
  for (const { id, organizationId, syncStatus, retry, isRemote } of await listForSchedule(deps.db)) {
    if (syncStatus === 'running') continue;
    const scope = orgScope(organizationId, null);
    const isWaiting = syncStatus === 'queued' && retry !== null && retry.at > now;
    const at = isWaiting ? retry.at : isRemote ? new Date(now.getTime() + jitterOf(id)) : null;
    await deps.db.$transaction(async (within) => {
      if (!isWaiting) await markQueued(within, scope, id, { now, notBefore: at });
      await deps.queue.add('sync', { organizationId, accountId: id }, { within, ...(at && { runAt: at }) });
    });
  }
}

/** Queues the jobs that follow new data. The checks of budgets and alert rules are separate from the evaluation, so that a slow or
 *  failing one does not delay alerts. */
async function queueWhatFollows(
  deps: Pick<Deps, 'db' | 'queue' | 'config'>,
  scope: OrgScope,
  accountId: string,
): Promise<void> {
  const { organizationId } = scope;
  await queueMissingRates(deps, scope);
  await queueChecks(deps, organizationId);
  await deps.queue.add('evaluate', { organizationId, accountId });
}

/** Returns whether an error message is meant for the account's owner. */
function isForOwner(error: unknown): boolean {
  return error instanceof AppError || error instanceof TryLater;
}

async function endOf(
  deps: PerformDeps,
  { scope, accountId }: { readonly scope: OrgScope; readonly accountId: string },
  error: unknown,
  { cancelled, shutdown }: { readonly cancelled: AbortSignal; readonly shutdown: AbortSignal },
): Promise<SyncEnd> {
  if (cancelled.aborted) return { status: 'cancelled' };
  if (shutdown.aborted) return { status: 'queued' };
  if (error instanceof TryLater) return postponed(deps, scope, accountId, error);
  const crash = crashOf(error, deps.config);
  if (crash) return crashed(deps, scope, accountId, crash);
  if (error instanceof AppError) return { status: 'failed', reason: error.statement };
  return { status: 'failed', reason: defect(deps.config, deps.clock.now()) };
}
