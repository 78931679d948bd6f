import { queueChecks } from '../../jobs/checks.ts';
import { isDatabaseAway } from '../../kit/database/away.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message } from '../../kit/errors.ts';
import { TryLater } from '../../providers/faults.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readSource } from '../accounts/store.ts';
import { syncAccount, type AccountResult } from './account.ts';
import type { SyncDeps } from './bills/run.ts';
import { Reporter } from './progress.ts';
import { nextRetry, postponed } from './retry.ts';
import { beginSync, endSync, type SyncEnd } from './store.ts';

type PerformDeps = SyncDeps & Pick<Deps, 'queue'>;

/** Runs a queued sync to its end and keeps its state: progress while it runs, then how it ended. A sync that the server's
 *  own stop interrupts is left queued, and the error passed on, so that the job runs again; so is one that lost the database.
 *  One whose provider asks to come back later is queued for then. What follows from new bills and listings is worked out by a
 *  job of its own.
 *  @param shutdown aborted when this process stops */
export async function performSync(
  deps: PerformDeps,
  scope: OrgScope,
  accountId: string,
  shutdown: AbortSignal,
): Promise<void> {
  if (!(await beginSync(deps.db, scope, accountId, deps.clock.now()))) return;
  const cancelled = new AbortController();
  const signal = AbortSignal.any([shutdown, cancelled.signal]);
  const reporter = new Reporter(deps, scope, accountId, cancelled);
  let hasReplaced = false;
  try {
    const result = await syncAccount(deps, scope, accountId, {
      signal,
      onProgress: (progress) => reporter.report(progress),
      onReplaced: () => void (hasReplaced = true),
    });
    await reporter.stop();
    await succeed(deps, scope, accountId, result);
  } catch (error) {
    await reporter.stop();
    // Nothing can be written now: the job is tried again, and finds the sync as it stands.
    if (error instanceof Error && isDatabaseAway(error)) throw error;
    const isInterrupted = signal.aborted;
    const end =
      error instanceof TryLater && !isInterrupted
        ? await postponed(deps, scope, accountId, error)
        : endOf(error, cancelled.signal.aborted, shutdown.aborted);
    deps.log[end.status === 'failed' && !isForOwner(error) ? 'error' : 'info'](
      { accountId, err: error, end: end.status },
      'sync ended early',
    );
    // Before it is said: who then asks for a sync at once is not set back.
    if (end.status === 'queued' && end.retry) await queueRetry(deps, scope, accountId, end.retry.at);
    await endSync(deps, scope, accountId, end);
    if (end.status === 'queued' && !end.retry) throw error;
    // Months without a fault are loaded all the same. An account that is gone by now has nothing to evaluate.
    const isWorth = hasReplaced || !(error instanceof TryLater);
    if (isWorth && (await readSource(deps.db, scope, accountId))) await queueWhatFollows(deps, scope, accountId);
  }
}

async function succeed(deps: PerformDeps, scope: OrgScope, accountId: string, result: AccountResult): Promise<void> {
  const { lineItems, months, inventory } = result;
  deps.log.info({ accountId, lineItems, months: months.map(({ month }) => month), inventory }, 'sync done');
  if (months.length > 0 || inventory === 'listed') await queueWhatFollows(deps, scope, accountId);
  const retry = result.later ? await nextRetry(deps, scope, accountId, result.later) : null;
  if (retry) await queueRetry(deps, scope, accountId, retry.at);
  await endSync(deps, scope, accountId, { status: 'succeeded', retry });
}

function queueRetry(
  { queue }: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountId: string,
  runAt: Date,
): Promise<void> {
  return queue.add('sync', { organizationId, accountId }, { runAt });
}

/** Budgets and alert rules need no evaluation: a long one, or one that fails, keeps no alert back. */
async function queueWhatFollows(
  deps: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountId: string,
): Promise<void> {
  await queueChecks(deps, organizationId);
  await deps.queue.add('evaluate', { organizationId, accountId });
}

/** Whether what an error says is meant for the account's owner. */
function isForOwner(error: unknown): boolean {
  return error instanceof AppError || error instanceof TryLater;
}

function endOf(error: unknown, isCancelled: boolean, isShutdown: boolean): SyncEnd {
  if (isCancelled) return { status: 'cancelled' };
  if (isShutdown) return { status: 'queued' };
  if (error instanceof AppError) return { status: 'failed', reason: error.statement };
  return {
    status: 'failed',
    reason: message`Unexpected error: the server log has the details, and the last successful load is kept${fix}sync again, or contact the operator`,
  };
}
