import { tidyLoaded } from '../../../facts/costs/replace-store.ts';
import type { ControlTotals } from '../../../engine/codebook.ts';
import type { Deps } from '../../../kit/deps.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import { parseMonth, type Month } from '../../../kit/time/period.ts';
import type { CostSource, SourceFile, SourceListing, SourceMemo } from '../../../providers/contract.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { FileMonth, PassedOver } from '../loader/protocol.ts';
import { Meter } from '../progress.ts';
import { listSourceFiles, loadedPeriods, type RememberedFile } from '../source-store.ts';
import { isSharedServer, type SyncProgress } from '../store.ts';
import { ahead } from './ahead.ts';
import { Companions } from './companions.ts';
import { type Batch, lostMonths, planBatches } from './batches.ts';
import { planSync, type SyncPlan, vanishedMonths, withoutHints } from './plan.ts';
import { Downloads, type Workspace } from './downloads.ts';
import { gapWarnings, refuseNothing, sourceGaps } from './gaps.ts';
import { Loader } from './loader.ts';
import { Outcome } from './outcome.ts';
import { BatchReader, WrongHint } from './reader.ts';
import { loaderSlots, loaderTurn } from './slots.ts';
import { MonthWriter, type ExportedMonth } from './writer.ts';

/** Dependencies of a sync. */
export type SyncDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'log' | 'factStore' | 'engine'>;

/** A sync of an account's bills. */
export interface SyncJob {
  accountId: string;
  source: CostSource;
  /** Memo of the last listing; null: none. */
  memo?: SourceMemo;
  workspace: Workspace;
  /** Sample bills do not decide the organization's currency. */
  isSample?: boolean;
  signal: AbortSignal;
  onProgress(progress: SyncProgress): void;
  /** Called when a billing month was replaced. The sync may still fail. */
  onReplaced?(): void;
  /** Called with the source's listing, without its files. */
  onListed?(listing: Omit<SourceListing, 'files'>): void;
  /** Files that earlier syncs skipped because they are not bills. */
  passedOver?: readonly PassedOver[];
  /** Called at the end, also before the sync fails with a data error. */
  onFound?(found: Found): void;
}

/** Findings of a sync besides charges. */
export interface Found {
  /** Files that were not read, because they are not bills; for the next sync. */
  readonly passedOver: readonly PassedOver[];
  /** Keys of files with data errors or unreadable names. */
  readonly unreadable: readonly string[];
  /** For readers of the costs, one sentence each. */
  readonly warnings: readonly string[];
}

/** Result of a sync of bills. */
export interface SyncResult {
  /** Line items read. */
  lineItems: number;
  /** Replaced billing months; none if nothing is new. */
  months: { month: Month; lineItems: number; totals: readonly ControlTotals[] }[];
  /** Files besides the bills were read: what providers state about invoices, billing months and commitments. Absent: none. */
  hasStatements?: true;
}

/** Syncs an account's bills: lists files, downloads changes, reads them in the loader process, and replaces each affected
 *  billing month.
 *  @throws {AppError} VALIDATION_ERROR naming file, row and column of a data error. Months without errors are loaded all the
 *  same; the others keep their last good load.
 *  @throws {TryLater} when the source requests a later retry; months that are already loaded stay */
export async function syncBills(deps: SyncDeps, scope: OrgScope, job: SyncJob): Promise<SyncResult> {
  job.onProgress({ phase: 'listing', percent: 0, rows: 0 });
  const { files, ...listing } = await job.source.list(job.memo ?? null, job.signal);
  job.onListed?.(listing);
  const { conflicts = [] } = listing;
  const plan = { ...planSync(files, await listSourceFiles(deps.db, scope, job.accountId), listing), conflicts };
  const { result, outcome } = await loadChanges(deps, scope, job, plan);
  const unchanged = new Set(plan.unchanged.map(({ file }) => file.key));
  const allPassedOver = [
    ...(job.passedOver ?? []).filter(({ key }) => unchanged.has(key)),
    ...(outcome?.passedOver ?? []),
  ];
  // An unchanged archive that is read again names its files again.
  const passedOver = [...new Map(allPassedOver.map((file) => [file.name, file])).values()];
  const gaps =
    listing.isRecentOnly === true ? null : await sourceGaps(deps, scope, { accountId: job.accountId, outcome });
  const unreadable = [...(listing.unreadable ?? []), ...(outcome?.unreadable ?? [])];
  job.onFound?.({ passedOver, unreadable, warnings: gaps ? gapWarnings(gaps, { files, ...listing }, passedOver) : [] });
  outcome?.throwFaults();
  if (gaps?.isEmpty) refuseNothing(files, passedOver);
  return result;
}

interface Loaded {
  readonly result: SyncResult;
  /** Null: there was nothing to load. */
  readonly outcome: Outcome | null;
}

async function loadChanges(deps: SyncDeps, scope: OrgScope, job: SyncJob, plan: SyncPlan): Promise<Loaded> {
  if (plan.changed.length + plan.removed.length + (plan.conflicts ?? []).length === 0)
    return { result: { lineItems: 0, months: [] }, outcome: null };
  try {
    return await load(deps, scope, job, plan);
  } catch (error) {
    // A file that is read in place may disappear while the loader reads it.
    if (!(error instanceof AppError)) await verifyAll(job.source, plan);
    if (!(error instanceof WrongHint)) throw error;
    await job.workspace.clear();
    return load(deps, scope, job, withoutHints(plan));
  }
}

/** State shared by the steps. */
interface Steps {
  readonly plan: SyncPlan;
  readonly downloads: Downloads;
  readonly loader: Loader;
  readonly reader: BatchReader;
  readonly writer: MonthWriter;
  readonly outcome: Outcome;
  readonly companions: Companions;
  readonly signal: AbortSignal;
  readonly owner: { accountId: string; organizationId: string };
}

/** Runs a three-step pipeline, each step one item ahead of the next: a batch is read while months of the previous batch are
 *  exported, and a month is exported while the previous one is written. */
async function load(deps: SyncDeps, scope: OrgScope, job: SyncJob, plan: SyncPlan): Promise<Loaded> {
  const { source, accountId, workspace } = job;
  const failed = new AbortController();
  const abort = () => failed.abort(new Error('the sync reads no more files'));
  const signal = AbortSignal.any([job.signal, failed.signal]);
  const outcome = new Outcome({ db: deps.db, scope, accountId }, plan);
  const onPassedOver = (file: PassedOver) => outcome.passedOver.push(file);
  const downloads = new Downloads(source, workspace.downloads, signal, onPassedOver);
  const meter = new Meter(plan.changed, job.onProgress);
  const loader = new Loader({
    folder: workspace.folder,
    inPlace: source.isInPlace ? await pathsOf(source, plan, signal) : [],
    dataDir: deps.config.dataDir,
    memoryMiB: deps.config.loaderMemoryMiB,
    slots: loaderSlots(deps.config.workerConcurrency),
    turn: loaderTurn(scope.organizationId, await isSharedServer(deps.db, scope)),
    signal: job.signal,
    steps: signal,
    onProgress: (rows, fraction) => meter.reading(rows, fraction),
    onPassedOver,
  });
  try {
    if (plan.changed.length > 0) loader.warm();
    for (const conflict of plan.conflicts ?? []) outcome.refuse(conflict);
    const reader = new BatchReader({ source, downloads, loader, meter, signal });
    const target = { scope, accountId, signal, isSample: job.isSample ?? false };
    const writer = new MonthWriter(deps, target, await loadedPeriods(deps.db, scope, accountId));
    const owner = { accountId, organizationId: scope.organizationId };
    const companions = new Companions({ deps, scope, accountId, plan, downloads, loader, outcome });
    const steps: Steps = { plan, downloads, loader, reader, writer, outcome, companions, signal, owner };
    const read = ahead(readBatches(steps, await planBatches(steps)), abort);
    const months: SyncResult['months'] = [];
    const isRead: RememberedFile[] = [];
    for await (const step of ahead(exportMonths(steps, read), abort)) {
      if ('read' in step) {
        isRead.push(...step.read);
        await outcome.remember(step.read);
      } else if (await outcome.attempt(() => writer.write(step), [step.month])) {
        months.push({ month: step.month, lineItems: step.lineItems, totals: step.totals });
        job.onReplaced?.();
      }
    }
    for (const month of vanishedMonths(plan, isRead).map(parseMonth)) {
      if (!month || outcome.isHeldBack(month)) continue;
      if (!(await outcome.attempt(() => writer.clear(month), [month]))) continue;
      months.push({ month, lineItems: 0, totals: [] });
      job.onReplaced?.();
    }
    const hasStatements = await companions.store();
    if (hasStatements) job.onReplaced?.();
    await outcome.settle();
    if (months.length > 0) await tidyLoaded(deps.pool);
    return { result: { months, lineItems: reader.lineItems, ...(hasStatements && { hasStatements }) }, outcome };
  } finally {
    // Prefetched files of this plan must not arrive in the folder of the next one.
    abort();
    await downloads.end();
    await loader.rest();
  }
}

/** @throws as `CostSource.verify` */
async function verifyAll(source: CostSource, plan: SyncPlan): Promise<void> {
  for (const file of [...plan.changed, ...plan.unchanged.map((entry) => entry.file)]) await source.verify?.(file);
}

/** A batch in the loader. */
interface ReadBatch {
  readonly no: number;
  readonly months: readonly string[];
  readonly parts: readonly FileMonth[];
  /** Changed files and siblings. */
  readonly files: readonly SourceFile[];
  /** Changed files with the months they contain. */
  readonly read: readonly RememberedFile[];
  /** Releases the batch. The loader may stop once no batch is in use. */
  release(): void;
}

async function* readBatches(steps: Steps, batches: readonly Batch[]): AsyncGenerator<ReadBatch, void> {
  const { plan, outcome, downloads } = steps;
  const want = (batch: Batch | undefined) => downloads.want(batch?.toFetch ?? []);
  want(batches[0]);
  for (const [index, batch] of batches.entries()) yield* readBatch(steps, batch, () => want(batches[index + 1]));
  const lost = lostMonths(plan, batches, (month) => outcome.isHeldBack(month));
  want(lost);
  if (lost) yield* readBatch(steps, lost, () => {});
}

async function* readBatch(steps: Steps, batch: Batch, prefetch: () => void): AsyncGenerator<ReadBatch, void> {
  const { reader, downloads, outcome } = steps;
  const { changed, unread, siblings, months } = batch;
  const files = [...changed, ...siblings];
  const isAppend = unread.length < changed.length;
  if (!isAppend) await reader.await([...unread, ...siblings]);
  prefetch();
  const isRead = await outcome.attempt(
    async () => {
      if (!isAppend) reader.begin();
      if (unread.length > 0) await reader.read(unread, null);
      if (siblings.length > 0) await reader.read(siblings, months);
      return true;
    },
    months,
    siblings.length === 0 && unread.length === 1 ? unread[0] : undefined,
  );
  if (!isRead) return downloads.release(files);
  const read = changed.map((file) => ({ key: file.key, token: file.token, months: reader.monthsIn([file]) }));
  yield { months, files, read, ...(await reader.close()) };
}

/** A month to write, or the changed files of a batch once its months are written. */
type Step = ExportedMonth | { readonly read: readonly RememberedFile[] };

async function* exportMonths(steps: Steps, batches: AsyncGenerator<ReadBatch, void>): AsyncGenerator<Step, void> {
  for await (const batch of batches) {
    try {
      for (const month of batch.months) yield* exportMonth(steps, batch, month);
      await steps.downloads.release(batch.files);
    } finally {
      batch.release();
    }
    yield { read: batch.read };
  }
}

/** Exports a month, unless it is held back or already loaded from exactly these files. */
async function* exportMonth(steps: Steps, { no, parts }: ReadBatch, text: string): AsyncGenerator<ExportedMonth, void> {
  const { plan, loader, outcome, writer, owner } = steps;
  const month = parseMonth(text);
  const own = parts.filter((part) => part.month === text);
  const names = new Set(own.map(({ file }) => file));
  const sources = [...plan.changed, ...plan.unchanged.map(({ file }) => file)].filter(({ key }) => names.has(key));
  if (
    !month ||
    own.every(({ lineItems }) => lineItems === 0) ||
    writer.isLoaded(month, sources) ||
    outcome.isHeldBack(month)
  )
    return;
  const others = new Set([
    ...parts.filter((part) => part.month !== text).map(({ file }) => file),
    ...plan.unchanged.filter(({ months }) => months.some((each) => each !== text)).map(({ file }) => file.key),
  ]);
  const files = sources.map(({ key }) => key);
  const request = { ...owner, batch: no, month, files, spanning: files.filter((key) => others.has(key)) };
  const exported = await outcome.attempt(() => loader.ask('export', request), [month]);
  if (!exported) return;
  yield { ...exported, month, sources, repairs: [...own.flatMap(({ repairs }) => repairs), ...exported.repairs] };
}

/** Returns the local paths of a source that is read in place. */
async function pathsOf(source: CostSource, plan: SyncPlan, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (const file of [...plan.changed, ...plan.unchanged.map((entry) => entry.file)])
    paths.push(await source.fetch(file, '', signal));
  return paths;
}
