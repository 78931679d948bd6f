import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  keepBillingMonth,
  replaceBillingMonth,
  type LoadedMonth,
  type LoadOrigin,
} from '../../../facts/costs/replace-store.ts';
import type { FactFile } from '../../../engine/fact-set.ts';
import type { Deps } from '../../../kit/deps.ts';
import { AppError } from '../../../kit/errors.ts';
import type { Month } from '../../../kit/period.ts';
import type { SourceFile } from '../../../providers/contract.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { MonthExport } from '../loader/protocol.ts';
import type { LoadedPeriod } from '../source-store.ts';
import { sourceToken } from './plan.ts';

/** A billing month in files of the workspace, and the source files it was made of. */
export interface ExportedMonth extends MonthExport {
  readonly month: Month;
  readonly sources: readonly SourceFile[];
}

/** Writes billing months to the fact store and the database. */
export class MonthWriter {
  readonly #deps: Pick<Deps, 'pool' | 'clock' | 'factStore'>;
  readonly #target: { scope: OrgScope; accountId: string; signal: AbortSignal };
  readonly #periods: Map<Month, LoadedPeriod>;
  /** Dictionary files of months that were not written: the loader process exports an entry once. */
  #owed: Record<string, readonly string[]> = {};

  /** @param periods the months as they are loaded now */
  constructor(
    deps: Pick<Deps, 'pool' | 'clock' | 'factStore'>,
    target: { scope: OrgScope; accountId: string; signal: AbortSignal },
    periods: Map<Month, LoadedPeriod>,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#periods = periods;
  }

  /** Whether a month was made of these very files. */
  isLoaded(month: Month, files: readonly SourceFile[]): boolean {
    return this.#periods.get(month)?.sourceToken === sourceToken(files);
  }

  /** Replaces a month and removes its exported files.
   *  @returns whether it differs from the loaded one
   *  @throws {AppError} when it is refused: the last good load stays */
  async write(month: ExportedMonth): Promise<boolean> {
    const { signal, scope, accountId } = this.#target;
    const origin: LoadOrigin = {
      accountId,
      loadId: randomUUID(),
      sourceToken: sourceToken(month.sources),
      snapshotAt: newest(month.sources),
      now: this.#deps.clock.now(),
    };
    const entries = this.#withOwed(month.entries);
    this.#owed = entries;
    try {
      signal.throwIfAborted();
      const isSame = this.#periods.get(month.month)?.contentDigest === month.digest;
      if (isSame) await keepBillingMonth(this.#deps.pool, scope, origin, month.month);
      else await this.#replace(origin, { ...month, entries }, month.facts);
      this.#periods.set(month.month, { sourceToken: origin.sourceToken, contentDigest: month.digest });
      return !isSame;
    } finally {
      await remove([...Object.values(month.files), ...month.facts.map(({ path }) => path)]);
    }
  }

  /** The fact files are durable before the transaction that points to them; if it fails they are deleted. */
  async #replace(origin: LoadOrigin, month: Omit<LoadedMonth, 'facts'>, written: MonthExport['facts']): Promise<void> {
    const name = `${origin.accountId}/${month.month}/${month.digest.slice(0, 16)}-${origin.loadId}`;
    const keyed = written.map(({ path, ...file }, part) => ({
      path,
      file: { key: `${name}-${file.grain}-${part}.parquet`, ...file },
    }));
    const facts = keyed.map(({ file }): FactFile => file);
    try {
      for (const { path, file } of keyed) await this.#deps.factStore.put(file.key, path);
    } catch (error) {
      // A store that is full stays so until they are gone.
      await this.#forget(facts);
      throw error;
    }
    try {
      await replaceBillingMonth(this.#deps.pool, this.#target.scope, origin, { ...month, facts });
    } catch (error) {
      // After a lost connection the transaction may have been committed: then the collector decides.
      if (error instanceof AppError) await this.#forget(facts);
      throw error;
    }
    this.#owed = {};
    await remove(Object.values(month.entries).flat());
  }

  /** Deletes files that nothing points to. Where that fails too, the collector does it a day later. */
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
