import { join } from 'node:path';
import { refreshStatistics } from '../../facts/costs/replace-store.ts';
import type { Deps } from '../../kit/deps.ts';
import { parseMonth, type Month } from '../../kit/period.ts';
import type { CostSource, SourceFile } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { Faults } from './faults.ts';
import { LoaderProcess } from './loader-process.ts';
import type { FileMonth, LoaderFile, Totals } from './loader/protocol.ts';
import { SourceMemory } from './memory.ts';
import { Meter } from './meter.ts';
import { MonthWriter } from './month-writer.ts';
import { refuseCopies } from './overlap.ts';
import { batchByMonth, planSync, withoutHints, type SyncPlan } from './plan.ts';
import { listSourceFiles, loadedPeriods, type LoadedPeriod, type SyncProgress } from './store.ts';

/** What a sync needs of the outside. */
export type SyncDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'log'>;

/** Which account to sync, and who is told how far it is. */
export interface SyncJob {
  accountId: string;
  source: CostSource;
  signal: AbortSignal;
  onProgress(progress: SyncProgress): void;
}

/** What a sync loaded. */
export interface SyncResult {
  /** Line items read. */
  lineItems: number;
  /** Billing months that were replaced; none when nothing is new. */
  months: { month: Month; lineItems: number; totals: readonly Totals[] }[];
}

/** Brings an account up to date with its source: lists, reads what changed, and replaces each billing month that it touches.
 *  Reading runs in a process of its own, and goes on while the month before is written to the database.
 *  @throws {AppError} VALIDATION_ERROR naming file, row and column when something could not be loaded. Months without a
 *  fault are loaded all the same; the others keep their last good load. */
export async function syncAccount(deps: SyncDeps, scope: OrgScope, job: SyncJob): Promise<SyncResult> {
  job.onProgress({ phase: 'listing', percent: 0, rows: 0 });
  const { files: listing } = await job.source.list(null, job.signal);
  const plan = planSync(listing, await listSourceFiles(deps.db, scope, job.accountId));
  if (plan.changed.length === 0 && plan.removed.length === 0) return { lineItems: 0, months: [] };
  try {
    return await finishRun(await SyncRun.start(deps, scope, job, plan));
  } catch (error) {
    if (!(error instanceof WrongHint)) throw error;
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

/** A file holds another month than its manifest says: files were grouped wrongly. */
class WrongHint extends Error {}

/** Files whose charges are in the loader, or soon will be, and the months they belong to. */
interface Group {
  files: SourceFile[];
  months: readonly string[];
  isRead: boolean;
}

/** A billing month that was read, and the files it is made of. */
interface MonthLoad {
  month: Month;
  parts: readonly FileMonth[];
  files: SourceFile[];
}

interface Parts {
  deps: SyncDeps;
  scope: OrgScope;
  job: SyncJob;
  plan: SyncPlan;
  loader: LoaderProcess;
  meter: Meter;
  /** Local files by key. */
  files: ReadonlyMap<string, LoaderFile>;
  /** What stands for each loaded month. */
  periods: Map<Month, LoadedPeriod>;
}

class SyncRun {
  readonly #it: Parts;
  readonly #writer: MonthWriter;
  readonly #result: SyncResult = { lineItems: 0, months: [] };
  readonly #faults = new Faults();
  readonly #memory: SourceMemory;
  /** What each file in the loader holds, by key. */
  readonly #parts = new Map<string, FileMonth[]>();
  /** Months that some batch of changed files took care of. */
  readonly #handled = new Set<string>();
  /** The loader's batch that is read into; its export moves it on. */
  #batch = 0;
  #exporting: Promise<void> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#it = parts;
    const { accountId, signal } = parts.job;
    const { scope } = parts;
    this.#memory = new SourceMemory({ db: parts.deps.db, scope, accountId }, parts.plan, this.#faults);
    this.#writer = new MonthWriter(parts.deps, { scope, accountId, signal }, parts.periods, {
      onReplaced: ({ month, lineItems, totals }) => void this.#result.months.push({ month, lineItems, totals }),
      onRefused: (month, fault) => this.#faults.refuse(fault, [month]),
    });
  }

  static async start(deps: SyncDeps, scope: OrgScope, job: SyncJob, plan: SyncPlan): Promise<SyncRun> {
    const jobDir = join(deps.config.dataDir, 'jobs', job.accountId);
    const files = new Map<string, LoaderFile>();
    for (const file of [...plan.changed, ...plan.unchanged.map((entry) => entry.file)]) {
      const path = await job.source.fetch(file, jobDir, job.signal);
      const { key: name, format, expectedRows, speaksFor } = file;
      files.set(name, { name, path, format, expectedRows, speaksFor });
    }
    const periods = await loadedPeriods(deps.db, scope, job.accountId);
    const meter = new Meter(plan.changed, job.onProgress);
    const loader = await LoaderProcess.start(jobDir, [...files.values()], {
      memoryMiB: deps.config.loaderMemoryMiB,
      signal: job.signal,
      onProgress: (rows, fraction) => meter.reading(rows, fraction),
    });
    return new SyncRun({ deps, scope, job, plan, loader, meter, files, periods });
  }

  async finish(): Promise<SyncResult> {
    const groups = [...(await this.#readUnknownMonths()), ...(await this.#inspectKnownMonths())];
    const batches = batchByMonth(groups.map((group) => ({ file: group, months: group.months })));
    // What is in the loader already comes first: the next reading replaces it.
    batches.sort(
      (a, b) => Number(b.files.some((group) => group.isRead)) - Number(a.files.some((group) => group.isRead)),
    );
    for (const batch of batches) await this.#loadBatch(batch.files);
    await this.#loadLostMonths();
    await this.#exporting;
    const facts = await this.#writer.settle();
    await this.#memory.settle();
    if (facts > 0) await refreshStatistics(this.#it.deps.pool, facts);
    this.#faults.throwAny();
    return this.#result;
  }

  async stop(): Promise<void> {
    await this.#exporting.catch(() => undefined);
    await this.#writer.settle().catch(() => undefined);
    await this.#it.loader.stop();
  }

  /** CSV files say their months only in their rows, so they are read at once, one after another. */
  async #readUnknownMonths(): Promise<Group[]> {
    const group: Group = { files: [], months: [], isRead: true };
    for (const file of this.#it.plan.changed.filter((each) => !hasKnownMonths(each))) {
      const isFine = await this.#faults.attempt(
        () => this.#read([file], null, group.files.length > 0),
        () => this.#guessMonths(file),
      );
      if (isFine) group.files.push(file);
    }
    group.months = this.#monthsIn(group.files);
    return group.files.length > 0 ? [group] : [];
  }

  async #inspectKnownMonths(): Promise<Group[]> {
    const groups: Group[] = [];
    for (const file of this.#it.plan.changed.filter(hasKnownMonths)) {
      await this.#faults.attempt(
        async () => {
          const months = file.month ? [file.month] : await this.#it.loader.ask('inspect', { file: this.#local(file) });
          groups.push({ files: [file], months, isRead: false });
        },
        () => this.#guessMonths(file),
      );
    }
    return groups;
  }

  /** Months that a broken file may hold: those that its rows show and, where some cannot be read, those it held before. */
  async #guessMonths(file: SourceFile): Promise<readonly string[]> {
    const { months, isComplete } = await this.#it.loader.ask('guess', { file: this.#local(file) });
    const before = this.#it.plan.monthsBefore.get(file.key);
    if (!isComplete && !before) this.#faults.holdBackAll();
    return [...months, ...(before ?? [])];
  }

  async #loadBatch(groups: readonly Group[]): Promise<void> {
    const files = groups.flatMap((group) => group.files);
    const months = [...new Set(groups.flatMap((group) => group.months))].sort();
    const unread = groups.filter((group) => !group.isRead).flatMap((group) => group.files);
    const isAppend = unread.length < files.length;
    for (const month of months) this.#handled.add(month);
    const isRead = await this.#faults.attempt(
      async () => {
        if (unread.length > 0) await this.#read(unread, null, isAppend);
        await this.#readSiblings(months, true);
      },
      () => months,
    );
    if (!isRead) return;
    const read = files.map((file) => ({ key: file.key, token: file.token, months: this.#monthsIn([file]) }));
    await this.#export(months, () => this.#memory.remember(read));
  }

  /** Writes what was read to the database, while the next batch is read.
   *  @param then what is done once everything is written */
  async #export(months: readonly string[], then: () => Promise<void>): Promise<void> {
    const loads = months.flatMap((month) => this.#monthLoad(month));
    const batch = this.#batch++;
    await this.#exporting;
    this.#exporting = (async () => {
      for (const load of loads) await this.#loadMonth(batch, load);
      this.#writer.after(then);
    })();
    // Awaited before the next export and at the end; until then a failure is nobody's yet.
    this.#exporting.catch(() => undefined);
  }

  /** Months that lost a file are made anew of those that still hold them. Where none does, the last good load stays. */
  async #loadLostMonths(): Promise<void> {
    const lost = this.#it.plan.lostMonths.filter(
      (month) => !this.#handled.has(month) && !this.#faults.isHeldBack(month),
    );
    const held = lost.filter((month) => this.#siblingsOf([month]).length > 0);
    const isRead = await this.#faults.attempt(
      () => this.#readSiblings(held, false),
      () => held,
    );
    if (isRead) await this.#export(held, async () => {});
  }

  /** The unchanged files that share these months, because a month is replaced whole. */
  #siblingsOf(months: readonly string[]): SourceFile[] {
    return this.#it.plan.unchanged
      .filter(({ months: held }) => held.some((month) => months.includes(month)))
      .map(({ file }) => file);
  }

  async #readSiblings(months: readonly string[], append: boolean): Promise<void> {
    const siblings = this.#siblingsOf(months);
    if (siblings.length > 0) await this.#read(siblings, months, append);
  }

  async #read(files: readonly SourceFile[], months: readonly string[] | null, append: boolean): Promise<void> {
    if (!append) this.#parts.clear();
    this.#it.meter.begin(files);
    const locals = files.map((file) => this.#local(file));
    const parts = await this.#it.loader.ask('read', {
      batch: this.#batch,
      files: locals,
      months: months ? [...months] : null,
    });
    for (const file of files) {
      await this.#it.job.source.verify(file);
      if (parts.some((part) => part.file === file.key && file.month !== null && part.month !== file.month))
        throw new WrongHint();
    }
    for (const file of files) {
      const own = parts.filter((part) => part.file === file.key);
      this.#parts.set(file.key, own);
    }
    this.#result.lineItems += parts.reduce((sum, part) => sum + part.lineItems, 0);
    this.#it.meter.end(files, this.#result.lineItems);
  }

  /** What a month is made of; nothing for one that is held back or loaded from these very files. */
  #monthLoad(text: string): MonthLoad[] {
    const month = parseMonth(text);
    if (!month) return [];
    const parts = [...this.#parts.values()].flat().filter((part) => part.month === month);
    const files = this.#sourceFiles(new Set(parts.map((part) => part.file)));
    return parts.length === 0 || this.#writer.isLoaded(month, files) ? [] : [{ month, parts, files }];
  }

  async #loadMonth(batch: number, { month, parts, files }: MonthLoad): Promise<void> {
    if (this.#faults.isHeldBack(month)) return;
    const { organizationId } = this.#it.scope;
    const { accountId } = this.#it.job;
    await this.#faults.attempt(
      async () => {
        await refuseCopies(parts, this.#it.files);
        const names = files.map((file) => file.key);
        const loaded = await this.#it.loader.ask('export', { accountId, organizationId, batch, month, files: names });
        await this.#writer.write({ ...loaded, month }, files);
      },
      () => [month],
    );
  }

  #sourceFiles(names: ReadonlySet<string>): SourceFile[] {
    const { changed, unchanged } = this.#it.plan;
    return [...changed, ...unchanged.map((entry) => entry.file)].filter((file) => names.has(file.key));
  }

  #monthsIn(files: readonly SourceFile[]): string[] {
    return [...new Set(files.flatMap((file) => this.#parts.get(file.key) ?? []).map((part) => part.month))];
  }

  #local(file: SourceFile): LoaderFile {
    const local = this.#it.files.get(file.key);
    if (!local) throw new Error(`file ${file.key} was not fetched`);
    return local;
  }
}

function hasKnownMonths(file: SourceFile): boolean {
  return file.month !== null || file.format === 'parquet';
}
