import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  keepBillingMonth,
  replaceBillingMonth,
  type LoadedMonth,
  type LoadOrigin,
} from '../../facts/costs/replace-store.ts';
import type { FactFile } from '../../engine/fact-set.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors.ts';
import type { Month } from '../../kit/period.ts';
import type { SourceFile } from '../../providers/contract.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import type { MonthExport } from './loader/protocol.ts';
import { sourceToken } from './plan.ts';
import type { LoadedPeriod } from './store.ts';

type WriterDeps = Pick<Deps, 'pool' | 'clock' | 'factStore'>;

/** Called when a month is written, or is not. */
export interface WriterEvents {
  onReplaced(loaded: MonthExport & { month: Month }): void;
  /** The month keeps its last good load. */
  onRefused(month: Month, fault: AppError): void;
}

/** Writes billing months to the database, one after another, while the next ones are read. */
export class MonthWriter {
  readonly #deps: WriterDeps;
  readonly #target: { scope: OrgScope; accountId: string; signal: AbortSignal };
  readonly #periods: Map<Month, LoadedPeriod>;
  readonly #events: WriterEvents;
  /** Dictionary files of months that were not written: the loading process brings an entry once. */
  #owed: Record<string, readonly string[]> = {};
  #work: Promise<void> = Promise.resolve();

  /** @param periods the months as they are loaded now */
  constructor(
    deps: WriterDeps,
    target: { scope: OrgScope; accountId: string; signal: AbortSignal },
    periods: Map<Month, LoadedPeriod>,
    events: WriterEvents,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#periods = periods;
    this.#events = events;
  }

  /** Whether a month was made of these very files. */
  isLoaded(month: Month, files: readonly SourceFile[]): boolean {
    return this.#periods.get(month)?.sourceToken === sourceToken(files);
  }

  /** Writes a month once those before it are written; returns when it has begun.
   *  @throws {Error} what ended the writing before it, other than a fault of the data */
  async write(loaded: MonthExport & { month: Month }, files: readonly SourceFile[]): Promise<void> {
    await this.#work;
    this.after(() => this.#write(loaded, files));
  }

  /** Does something after the months so far are written. */
  after(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
    // Awaited before the next month and at the end; until then a failure is nobody's yet.
    this.#work.catch(() => undefined);
  }

  /** Waits until everything is written.
   *  @throws {Error} what ended the writing, other than a fault of the data */
  async settle(): Promise<void> {
    await this.#work;
  }

  async #write(loaded: MonthExport & { month: Month }, files: readonly SourceFile[]): Promise<void> {
    const { signal, scope, accountId } = this.#target;
    const origin: LoadOrigin = {
      accountId,
      loadId: randomUUID(),
      sourceToken: sourceToken(files),
      snapshotAt: newest(files),
      now: this.#deps.clock.now(),
    };
    const entries = this.#withOwed(loaded.entries);
    this.#owed = entries;
    try {
      signal.throwIfAborted();
      const isSame = this.#periods.get(loaded.month)?.contentDigest === loaded.digest;
      if (isSame) await keepBillingMonth(this.#deps.pool, scope, origin, loaded.month);
      else await this.#replace(origin, { ...loaded, entries }, loaded.facts);
      this.#periods.set(loaded.month, { sourceToken: origin.sourceToken, contentDigest: loaded.digest });
      if (!isSame) this.#events.onReplaced(loaded);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#events.onRefused(loaded.month, error);
    } finally {
      await remove([...Object.values(loaded.files), ...loaded.facts.map(({ path }) => path)]);
    }
  }

  /** The fact files are durable before the transaction that points to them; if it fails they are deleted. */
  async #replace(origin: LoadOrigin, month: Omit<LoadedMonth, 'facts'>, written: MonthExport['facts']): Promise<void> {
    const name = `${origin.accountId}/${month.month}/${month.digest.slice(0, 16)}-${origin.loadId}`;
    const facts = written.map(({ path, ...file }, part) => ({
      key: `${name}-${file.grain}-${part}.parquet`,
      path,
      file,
    }));
    const files = facts.map(({ key, file }): FactFile => ({ key, ...file }));
    try {
      for (const { key, path } of facts) await this.#deps.factStore.put(key, path);
    } catch (error) {
      // A store that is full stays so until they are gone.
      await this.#forget(files);
      throw error;
    }
    try {
      await replaceBillingMonth(this.#deps.pool, this.#target.scope, origin, { ...month, facts: files });
    } catch (error) {
      // After a lost connection the transaction may have been committed: then the collector decides.
      if (error instanceof AppError) await this.#forget(files);
      throw error;
    }
    this.#owed = {};
    await remove(Object.values(month.entries).flat());
  }

  /** Deletes files that nothing points to. Where that fails, too, the collector does it a day later: what failed before is told. */
  async #forget(files: readonly FactFile[]): Promise<void> {
    await this.#deps.factStore.remove(files.map(({ key }) => key)).catch(() => undefined);
  }

  #withOwed(entries: MonthExport['entries']): LoadedMonth['entries'] {
    const all = { ...this.#owed };
    for (const [table, path] of Object.entries(entries)) all[table] = [...(all[table] ?? []), path];
    return all;
  }
}

async function remove(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(path, { force: true })));
}

function newest(files: readonly SourceFile[]): Date | null {
  const times = files.flatMap((file) => (file.snapshotAt ? [file.snapshotAt.getTime()] : []));
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}
