import { refreshStatistics } from '../../facts/costs/replace-store.ts';
import { Limiter } from '../../kit/limiter.ts';
import { parseMonth, type Month } from '../../kit/period.ts';
import type { SourceFile } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { BatchReader } from './batch-reader.ts';
import { Faults } from './faults.ts';
import { Grouping, type Group } from './grouping.ts';
import type { PlacedJob, SyncDeps, SyncResult } from './job.ts';
import type { FileMonth, LoaderFile } from './loader/protocol.ts';
import { Loading } from './loading.ts';
import { SourceMemory } from './memory.ts';
import { Meter } from './meter.ts';
import { MonthWriter } from './month-writer.ts';
import { refuseCopies } from './overlap.ts';
import { batchByMonth, type Batch, type SyncPlan } from './plan.ts';
import { Shelf } from './shelf.ts';
import { loadedPeriods } from './store.ts';

/** A billing month that was read, and the files it is made of. */
interface MonthLoad {
  month: Month;
  parts: readonly FileMonth[];
  files: SourceFile[];
}

interface Parts {
  deps: SyncDeps;
  scope: OrgScope;
  job: PlacedJob;
  plan: SyncPlan;
  loading: Loading;
  shelf: Shelf;
  reader: BatchReader;
  writer: MonthWriter;
  faults: Faults;
  result: SyncResult;
}

const byCount = new Map<number, Limiter>();

/** The places of this process for loader processes: each needs its memory, and a core or two. */
function loadingSlots(limit: number): Limiter {
  const known = byCount.get(limit) ?? new Limiter({ limit });
  byCount.set(limit, known);
  return known;
}

/** Loads what a plan says, batch by batch. */
export class SyncRun {
  readonly #it: Parts;
  readonly #memory: SourceMemory;
  /** The unchanged files that go with a batch whose files are wanted. */
  readonly #siblings = new Map<Batch<Group>, readonly SourceFile[]>();
  /** Months that some batch of changed files took care of. */
  readonly #handled = new Set<string>();
  #exporting: Promise<void> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#it = parts;
    const { deps, scope, job, plan, faults } = parts;
    this.#memory = new SourceMemory({ db: deps.db, scope, accountId: job.accountId }, plan, faults);
  }

  static async start(deps: SyncDeps, scope: OrgScope, job: PlacedJob, plan: SyncPlan): Promise<SyncRun> {
    const { source, signal, accountId, workspace } = job;
    const shelf = new Shelf(source, workspace.downloads, signal);
    const meter = new Meter(plan.changed, job.onProgress);
    const loading = new Loading({
      folder: workspace.folder,
      inPlace: source.isInPlace ? await takeAll(shelf, plan) : [],
      dataDir: deps.config.dataDir,
      memoryMiB: deps.config.loaderMemoryMiB,
      slots: loadingSlots(deps.config.workerConcurrency),
      signal,
      onProgress: (rows, fraction) => meter.reading(rows, fraction),
    });
    const reader = new BatchReader({ source, shelf, loading, meter });
    const [result, faults]: [SyncResult, Faults] = [{ lineItems: 0, months: [] }, new Faults()];
    const periods = await loadedPeriods(deps.db, scope, accountId);
    const writer = new MonthWriter(deps, { scope, accountId, signal }, periods, {
      onReplaced: ({ month, lineItems, totals }) => {
        result.months.push({ month, lineItems, totals });
        job.onReplaced?.();
      },
      onRefused: (month, fault) => faults.refuse(fault, [month]),
    });
    return new SyncRun({ deps, scope, job, plan, loading, shelf, reader, writer, faults, result });
  }

  async finish(): Promise<SyncResult> {
    const { deps, writer, faults, result, reader, loading } = this.#it;
    loading.warm();
    const groups = await new Grouping(this.#it).groups();
    const batches = batchByMonth(groups.map((group) => ({ file: group, months: group.months })));
    // What is in the loader already comes first: the next reading replaces it.
    batches.sort(
      (a, b) => Number(b.files.some((group) => group.isRead)) - Number(a.files.some((group) => group.isRead)),
    );
    for (const [index, batch] of batches.entries()) {
      this.#want(batch);
      await this.#loadBatch(batch, batches[index + 1]);
    }
    await this.#loadLostMonths();
    await this.#exporting;
    await writer.settle();
    await this.#memory.settle();
    if (result.months.length > 0) await refreshStatistics(deps.pool);
    faults.throwAny();
    return { ...result, lineItems: reader.lineItems };
  }

  async stop(): Promise<void> {
    await this.#exporting.catch(() => undefined);
    await this.#it.writer.settle().catch(() => undefined);
    await this.#it.loading.rest();
  }

  /** Begins to fetch what a batch is made of. */
  #want(batch: Batch<Group>): void {
    const { shelf } = this.#it;
    const groups = batch.files.filter((group) => !group.isWanted);
    for (const group of groups) group.isWanted = true;
    shelf.want(groups.flatMap((group) => group.files));
    if (!this.#siblings.has(batch)) {
      const siblings = this.#siblingsOf([...batch.months]);
      this.#siblings.set(batch, siblings);
      shelf.want(siblings);
    }
  }

  async #loadBatch(batch: Batch<Group>, next: Batch<Group> | undefined): Promise<void> {
    const { reader, shelf, faults } = this.#it;
    const files = batch.files.flatMap((group) => group.files);
    const siblings = this.#siblings.get(batch) ?? [];
    const months = [...batch.months].sort();
    const unread = batch.files.filter((group) => !group.isRead).flatMap((group) => group.files);
    const isAppend = unread.length < files.length;
    for (const month of months) this.#handled.add(month);
    if (!isAppend) await reader.await([...unread, ...siblings], () => this.#settle());
    if (next) this.#want(next);
    const isRead = await faults.attempt(
      async () => {
        if (unread.length > 0) await reader.read(unread, null, isAppend);
        if (siblings.length > 0) await reader.read(siblings, months, true);
      },
      () => months,
    );
    if (!isRead) return shelf.letGo([...files, ...siblings]);
    const read = files.map((file) => ({ key: file.key, token: file.token, months: reader.monthsIn([file]) }));
    await this.#export(months, [...files, ...siblings], () => this.#memory.remember(read));
  }

  /** Writes what was read to the database, while the next batch is read.
   *  @param files what it was read from
   *  @param then what is done once everything is written */
  async #export(months: readonly string[], files: readonly SourceFile[], then: () => Promise<void>): Promise<void> {
    const loads = months.flatMap((month) => this.#monthLoad(month));
    const batch = this.#it.reader.nextBatch();
    await this.#exporting;
    this.#exporting = (async () => {
      for (const load of loads) await this.#loadMonth(batch, load);
      await this.#it.shelf.letGo(files);
      this.#it.writer.after(then);
    })();
    // Awaited before the next export and at the end; until then a failure is nobody's yet.
    this.#exporting.catch(() => undefined);
  }

  /** Waits until everything that was read is written. */
  async #settle(): Promise<void> {
    await this.#exporting;
    await this.#it.writer.settle();
  }

  /** Months that lost a file are made anew of those that still hold them. Where none does, the last good load stays. */
  async #loadLostMonths(): Promise<void> {
    const { plan, faults, reader, shelf } = this.#it;
    const lost = plan.lostMonths.filter((month) => !this.#handled.has(month) && !faults.isHeldBack(month));
    const held = lost.filter((month) => this.#siblingsOf([month]).length > 0);
    const siblings = this.#siblingsOf(held);
    if (siblings.length === 0) return;
    shelf.want(siblings);
    await reader.await(siblings, () => this.#settle());
    const isRead = await faults.attempt(
      () => reader.read(siblings, held, false),
      () => held,
    );
    if (isRead) await this.#export(held, siblings, async () => {});
  }

  /** The unchanged files that share these months, because a month is replaced whole. */
  #siblingsOf(months: readonly string[]): SourceFile[] {
    return this.#it.plan.unchanged
      .filter(({ months: held }) => held.some((month) => months.includes(month)))
      .map(({ file }) => file);
  }

  /** What a month is made of; nothing for one that is held back or loaded from these very files. */
  #monthLoad(text: string): MonthLoad[] {
    const month = parseMonth(text);
    if (!month) return [];
    const parts = this.#it.reader.partsOf(month);
    const files = this.#sourceFiles(new Set(parts.map((part) => part.file)));
    return parts.length === 0 || this.#it.writer.isLoaded(month, files) ? [] : [{ month, parts, files }];
  }

  async #loadMonth(batch: number, { month, parts, files }: MonthLoad): Promise<void> {
    const { faults, shelf, reader, writer, scope, job } = this.#it;
    if (faults.isHeldBack(month)) return;
    const owner = { accountId: job.accountId, organizationId: scope.organizationId, batch, month };
    await faults.attempt(
      async () => {
        await refuseCopies(parts, shelf.files);
        const loaded = await reader.export({ ...owner, files: files.map((file) => file.key) });
        await writer.write({ ...loaded, month }, files);
      },
      () => [month],
    );
  }

  #sourceFiles(names: ReadonlySet<string>): SourceFile[] {
    const { changed, unchanged } = this.#it.plan;
    return [...changed, ...unchanged.map((entry) => entry.file)].filter((file) => names.has(file.key));
  }
}

/** Where every file lies of a source that is read in place. */
async function takeAll(shelf: Shelf, plan: SyncPlan): Promise<LoaderFile[]> {
  const files = [...plan.changed, ...plan.unchanged.map((entry) => entry.file)];
  shelf.want(files);
  const locals: LoaderFile[] = [];
  for (const file of files) locals.push(await shelf.take(file));
  return locals;
}
