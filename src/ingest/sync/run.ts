import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { WrongHint } from './batch-reader.ts';
import type { PlacedJob, SyncDeps, SyncJob, SyncResult } from './job.ts';
import { planSync, withoutHints, type SyncPlan } from './plan.ts';
import { listSourceFiles } from './store.ts';
import { SyncRun } from './sync-run.ts';
import { openWorkspace } from './workspace.ts';

/** Brings an account up to date with its source: lists, reads what changed, and replaces each billing month that it touches.
 *  Files come to the disk shortly before they are read, and leave it when their months are written. Reading runs in a process
 *  of its own, and goes on while the month before is written to the database.
 *  @throws {AppError} VALIDATION_ERROR naming file, row and column when something could not be loaded. Months without a
 *  fault are loaded all the same; the others keep their last good load.
 *  @throws {TryLater} when the source asks to come back later; what is loaded by then stays */
export async function syncAccount(deps: SyncDeps, scope: OrgScope, job: SyncJob): Promise<SyncResult> {
  job.onProgress({ phase: 'listing', percent: 0, rows: 0 });
  const { files: listing, ...said } = await job.source.list(job.memo ?? null, job.signal);
  job.onListed?.(said);
  const plan = planSync(listing, await listSourceFiles(deps.db, scope, job.accountId));
  if (plan.changed.length === 0 && plan.removed.length === 0) return { lineItems: 0, months: [] };
  const workspace = job.workspace ?? (await openWorkspace(deps.config.dataDir, job.accountId));
  try {
    return await load(deps, scope, { ...job, workspace }, plan);
  } finally {
    if (!job.workspace) await workspace.remove();
  }
}

async function load(deps: SyncDeps, scope: OrgScope, job: PlacedJob, plan: SyncPlan): Promise<SyncResult> {
  try {
    return await finishRun(await SyncRun.start(deps, scope, job, plan));
  } catch (error) {
    if (!(error instanceof WrongHint)) throw error;
    await job.workspace.clear();
    return finishRun(await SyncRun.start(deps, scope, job, withoutHints(plan)));
  }
}

async function finishRun(run: SyncRun): Promise<SyncResult> {
  try {
    return await run.finish();
  } finally {
    await run.stop();
  }
}
