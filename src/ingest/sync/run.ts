import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceBillingMonth } from '../../facts/costs/replace-store.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors.ts';
import { parseMonth, type Month } from '../../kit/period.ts';
import type { CostSource, SourceFile } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { LoaderProcess } from './loader-process.ts';
import type { FileMonth, LoaderFile, MonthExport, Totals } from './loader/protocol.ts';
import { Meter } from './meter.ts';
import { refuseCopies } from './overlap.ts';
import { batchByMonth, planSync, sourceToken, type SyncPlan } from './plan.ts';
import { listSourceFiles, loadedTokens, rememberFiles, type SyncProgress } from './store.ts';

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
  const listing = await job.source.list(job.signal);
  const plan = planSync(listing, await listSourceFiles(deps.db, scope, job.accountId));
  if (plan.changed.length === 0 && plan.removed.length === 0) return { lineItems: 0, months: [] };
  const run = await SyncRun.start(deps, scope, job, plan);
  try {
    return await run.finish();
  } finally {
    await run.stop();
  }
}

/** Files whose charges are in the loader, or soon will be, and the months they belong to. */
interface Group {
  files: SourceFile[];
  months: readonly string[];
  isRead: boolean;
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
  /** Source token of each loaded month. */
  tokens: Map<Month, string>;
}

class SyncRun {
  readonly #it: Parts;
  readonly #result: SyncResult = { lineItems: 0, months: [] };
  readonly #faults: AppError[] = [];
  /** What each file in the loader holds, by key. */
  readonly #parts = new Map<string, FileMonth[]>();
  /** Months that some batch of changed files took care of. */
  readonly #handled = new Set<string>();
  /** Months that a broken file may belong to: they keep their last good load. */
  readonly #blocked = new Set<string>();
  #loading: Promise<void> = Promise.resolve();

  private constructor(parts: Parts) {
    this.#it = parts;
  }

  static async start(deps: SyncDeps, scope: OrgScope, job: SyncJob, plan: SyncPlan): Promise<SyncRun> {
    const jobDir = join(deps.config.dataDir, 'jobs', job.accountId);
    const files = new Map<string, LoaderFile>();
    for (const file of [...plan.changed, ...plan.unchanged.map((entry) => entry.file)]) {
      const path = await job.source.fetch(file, jobDir, job.signal);
      files.set(file.key, {
        name: file.key,
        path,
        format: file.format,
        expectedRows: file.expectedRows,
      });
    }
    const tokens = await loadedTokens(deps.db, scope, job.accountId);
    const meter = new Meter(plan.changed, job.onProgress);
    const loader = await LoaderProcess.start(jobDir, [...files.values()], {
      memoryMiB: deps.config.loaderMemoryMiB,
      signal: job.signal,
      onProgress: (rows, fraction) => meter.reading(rows, fraction),
    });
    return new SyncRun({
      deps,
      scope,
      job,
      plan,
      loader,
      meter,
      files,
      tokens,
    });
  }

  async finish(): Promise<SyncResult> {
    const groups = [...(await this.#readUnknownMonths()), ...(await this.#inspectKnownMonths())];
    const batches = batchByMonth(groups.map((group) => ({ file: group, months: group.months })));
    // What is in the loader already comes first: the next reading replaces it.
    batches.sort(
      (a, b) => Number(b.files.some((group) => group.isRead)) - Number(a.files.some((group) => group.isRead)),
    );
    for (const batch of batches) await this.#attempt(() => this.#loadBatch(batch.files));
    await this.#attempt(() => this.#loadLostMonths());
    await this.#loading;
    await rememberFiles(this.#it.deps.db, this.#it.scope, this.#it.job.accountId, [], this.#it.plan.removed);
    const [first] = this.#faults;
    if (!first) return this.#result;
    const more = this.#faults.length > 1 ? ` (and ${this.#faults.length - 1} more)` : '';
    throw new AppError('VALIDATION_ERROR', `${first.message}${more}`, {
      cause: first,
    });
  }

  async stop(): Promise<void> {
    await this.#loading.catch(() => undefined);
    await this.#it.loader.stop();
  }

  /** A fault of the data ends what it touches; any other error ends the sync. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#faults.push(error);
      return false;
    }
  }

  /** CSV files say their months only in their rows, so they are read at once, one after another. */
  async #readUnknownMonths(): Promise<Group[]> {
    const unknown = this.#it.plan.changed.filter((file) => !hasKnownMonths(file));
    const group: Group = { files: [], months: [], isRead: true };
    const broken: SourceFile[] = [];
    for (const file of unknown) {
      const isFine = await this.#attempt(() => this.#read([file], null, group.files.length > 0));
      (isFine ? group.files : broken).push(file);
    }
    for (const file of broken) await this.#block(file);
    group.months = [
      ...new Set(group.files.flatMap((file) => this.#parts.get(file.key) ?? []).map((part) => part.month)),
    ];
    return group.files.length > 0 ? [group] : [];
  }

  /** Where a broken file's months can be told, those alone are held back; else all that were read with it. */
  async #block(file: SourceFile): Promise<void> {
    const guess = await this.#it.loader.ask('inspect', {
      file: this.#local(file),
      lenient: true,
    });
    const months =
      guess.months ??
      this.#it.plan.monthsBefore.get(file.key) ??
      [...this.#parts.values()].flat().map((part) => part.month);
    for (const month of months) this.#blocked.add(month);
  }

  async #inspectKnownMonths(): Promise<Group[]> {
    const groups: Group[] = [];
    for (const file of this.#it.plan.changed.filter(hasKnownMonths)) {
      await this.#attempt(async () => {
        const { months } = file.month
          ? { months: [file.month] }
          : await this.#it.loader.ask('inspect', {
              file: this.#local(file),
              lenient: false,
            });
        groups.push({ files: [file], months: months ?? [], isRead: false });
      });
    }
    return groups;
  }

  async #loadBatch(groups: readonly Group[]): Promise<void> {
    const files = groups.flatMap((group) => group.files);
    const isAppend = groups.some((group) => group.isRead);
    const unread = groups.filter((group) => !group.isRead).flatMap((group) => group.files);
    for (const month of groups.flatMap((group) => group.months)) this.#handled.add(month);
    if (unread.length > 0) await this.#read(unread, null, isAppend);
    const months = [
      ...new Set(files.flatMap((file) => this.#parts.get(file.key) ?? []).map((part) => part.month)),
    ].sort();
    await this.#readSiblings(months, files, true);
    for (const month of months) await this.#loadMonth(month);
    await this.#remember(files, months);
  }

  /** Months that lost a file are made anew of those that still hold them. Where none does, the last good load stays. */
  async #loadLostMonths(): Promise<void> {
    const lost = this.#it.plan.lostMonths.filter((month) => !this.#handled.has(month) && !this.#blocked.has(month));
    if (lost.length === 0) return;
    await this.#readSiblings(lost, [], false);
    const held = new Set([...this.#parts.values()].flat().map((part) => part.month));
    for (const month of lost.filter((name) => held.has(name))) await this.#loadMonth(month);
  }

  /** Reads the unchanged files that share these months, because a month is replaced whole. */
  async #readSiblings(months: readonly string[], besides: readonly SourceFile[], append: boolean): Promise<void> {
    const siblings = this.#it.plan.unchanged.filter(
      ({ file, months: held }) => !besides.includes(file) && held.some((month) => months.includes(month)),
    );
    if (siblings.length > 0)
      await this.#read(
        siblings.map(({ file }) => file),
        months,
        append,
      );
  }

  async #read(files: readonly SourceFile[], months: readonly string[] | null, append: boolean): Promise<void> {
    if (!append) this.#parts.clear();
    this.#it.meter.begin(files);
    const parts = await this.#it.loader.ask('read', {
      files: files.map((file) => this.#local(file)),
      months: months ? [...months] : null,
      append,
    });
    for (const file of files) await this.#it.job.source.verify(file);
    for (const file of files)
      this.#parts.set(
        file.key,
        parts.filter((part) => part.file === file.key),
      );
    this.#result.lineItems += parts.reduce((sum, part) => sum + part.lineItems, 0);
    this.#it.meter.end(files, this.#result.lineItems);
  }

  async #loadMonth(text: string): Promise<void> {
    const month = parseMonth(text);
    if (!month || this.#blocked.has(month)) return;
    const parts = [...this.#parts.values()].flat().filter((part) => part.month === month);
    await refuseCopies(parts, this.#it.files);
    const files = this.#sourceFiles(parts);
    const token = sourceToken(files);
    if (this.#it.tokens.get(month) === token) return;
    const { organizationId } = this.#it.scope;
    const loaded = await this.#it.loader.ask('export', {
      accountId: this.#it.job.accountId,
      organizationId,
      month,
    });
    await this.#loading;
    this.#loading = this.#replace({ ...loaded, month }, token, newest(files));
    // Awaited before the next load and at the end; until then a failure is nobody's yet.
    this.#loading.catch(() => undefined);
  }

  #sourceFiles(parts: readonly FileMonth[]): SourceFile[] {
    const names = new Set(parts.map((part) => part.file));
    return [...this.#it.plan.changed, ...this.#it.plan.unchanged.map((entry) => entry.file)].filter((file) =>
      names.has(file.key),
    );
  }

  async #replace(loaded: MonthExport & { month: Month }, token: string, snapshotAt: Date | null): Promise<void> {
    const { accountId } = this.#it.job;
    const origin = {
      accountId,
      loadId: randomUUID(),
      sourceToken: token,
      snapshotAt,
      now: this.#it.deps.clock.now(),
    };
    try {
      this.#it.job.signal.throwIfAborted();
      await replaceBillingMonth(this.#it.deps.pool, this.#it.scope, origin, loaded);
      this.#it.tokens.set(loaded.month, token);
      this.#result.months.push({
        month: loaded.month,
        lineItems: loaded.lineItems,
        totals: loaded.totals,
      });
    } finally {
      await Promise.all(Object.values(loaded.files).map((path) => rm(path, { force: true })));
    }
  }

  /** A file counts as read once every month of it is loaded. */
  async #remember(files: readonly SourceFile[], months: readonly string[]): Promise<void> {
    await this.#loading;
    if (months.some((month) => this.#blocked.has(month))) return;
    const read = files.map((file) => ({
      key: file.key,
      token: file.token,
      months: [...new Set((this.#parts.get(file.key) ?? []).map((part) => part.month))],
    }));
    await rememberFiles(this.#it.deps.db, this.#it.scope, this.#it.job.accountId, read, []);
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

function newest(files: readonly SourceFile[]): Date | null {
  const times = files.flatMap((file) => (file.snapshotAt ? [file.snapshotAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}
