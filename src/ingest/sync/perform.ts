import { queueChecks, queueEvaluation } from '../../jobs/evaluation.ts';
import { isDatabaseAway } from '../../kit/database/away.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, notFound } from '../../kit/errors.ts';
import { openFocusFolder } from '../../providers/focus/folder.ts';
import type { CostSource } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readSource, type AccountSource } from '../accounts/store.ts';
import { syncAccount, type SyncDeps, type SyncResult } from './run.ts';
import { beginSync, endSync, writeProgress, type SyncEnd, type SyncProgress } from './store.ts';

const progressEveryMs = 500;

/** Who is told how far a sync is, and what can stop it. */
export interface SyncWatch {
  signal: AbortSignal;
  onProgress(progress: SyncProgress): void;
}

/** Syncs an account with its source, without keeping its sync state: for the command line.
 *  @throws {AppError} NOT_FOUND when there is no such account; VALIDATION_ERROR when its bills cannot be loaded */
export async function runSync(
  deps: SyncDeps,
  scope: OrgScope,
  accountId: string,
  watch: SyncWatch,
): Promise<SyncResult> {
  const account = await readSource(deps.db, scope, accountId);
  if (!account) throw notFound('Account', accountId);
  const source = await openSource(deps, account);
  return syncAccount(deps, scope, { accountId, source, ...watch });
}

/** Opens where an account's bills come from. */
async function openSource(deps: Pick<Deps, 'config'>, account: AccountSource): Promise<CostSource> {
  return openFocusFolder(deps.config.focusRoot, account.path);
}

/** Runs a queued sync to its end and keeps its state: progress while it runs, then how it ended. A sync that the server's
 *  own stop interrupts is left queued, and the error passed on, so that the job runs again; so is one that lost the database.
 *  What follows from new bills is worked out by a job of its own.
 *  @param shutdown aborted when this process stops */
export async function performSync(
  deps: SyncDeps & Pick<Deps, 'queue'>,
  scope: OrgScope,
  accountId: string,
  shutdown: AbortSignal,
): Promise<void> {
  if (!(await beginSync(deps.db, scope, accountId, deps.clock.now()))) return;
  const cancelled = new AbortController();
  const signal = AbortSignal.any([shutdown, cancelled.signal]);
  const reporter = new Reporter(deps, scope, accountId, cancelled);
  try {
    const result = await runSync(deps, scope, accountId, {
      signal,
      onProgress: (progress) => reporter.tell(progress),
    });
    await reporter.stop();
    deps.log.info(
      {
        accountId,
        lineItems: result.lineItems,
        months: result.months.map((month) => month.month),
      },
      'sync done',
    );
    if (result.months.length > 0) await queueWhatFollows(deps, scope, accountId);
    await endSync(deps, scope, accountId, { status: 'succeeded' });
  } catch (error) {
    await reporter.stop();
    // Nothing can be written now: the job is tried again, and finds the sync as it stands.
    if (error instanceof Error && isDatabaseAway(error)) throw error;
    const end = endOf(error, cancelled.signal.aborted, shutdown.aborted);
    deps.log[end.status === 'failed' && !(error instanceof AppError) ? 'error' : 'info'](
      { accountId, err: error, end: end.status },
      'sync ended early',
    );
    await endSync(deps, scope, accountId, end);
    if (end.status === 'queued') throw error;
    // Months without a fault are loaded all the same. An account that is gone by now has nothing to evaluate.
    if (await readSource(deps.db, scope, accountId)) await queueWhatFollows(deps, scope, accountId);
  }
}

/** Budgets and alert rules need no evaluation: a long one, or one that fails, keeps no alert back. */
async function queueWhatFollows(
  deps: Pick<Deps, 'queue'>,
  { organizationId }: OrgScope,
  accountId: string,
): Promise<void> {
  await queueChecks(deps, organizationId);
  await queueEvaluation(deps, organizationId, accountId);
}

function endOf(error: unknown, isCancelled: boolean, isShutdown: boolean): SyncEnd {
  if (isCancelled) return { status: 'cancelled' };
  if (isShutdown) return { status: 'queued' };
  if (error instanceof AppError) return { status: 'failed', reason: error.message };
  return {
    status: 'failed',
    reason:
      'The sync failed inside the server: its log says why. The last good load is unchanged; sync again, or tell the operator',
  };
}

/** Writes the latest progress at most twice a second, and learns there whether someone cancelled. */
class Reporter {
  readonly #timer: NodeJS.Timeout;
  #latest: SyncProgress | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: SyncDeps, scope: OrgScope, accountId: string, cancelled: AbortController) {
    const write = async () => {
      const progress = this.#latest ?? {
        phase: 'listing',
        percent: 0,
        rows: 0,
      };
      if (await writeProgress(deps.db, scope, accountId, progress)) cancelled.abort(new Error('cancelled'));
    };
    this.#timer = setInterval(() => {
      this.#writing = this.#writing
        .then(write)
        .catch((error: unknown) => deps.log.warn({ accountId, err: error }, 'progress was not written'));
    }, progressEveryMs);
  }

  tell(progress: SyncProgress): void {
    this.#latest = progress;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
  }
}
