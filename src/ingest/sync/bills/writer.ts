import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import {
  clearBillingMonth,
  freeReplaced,
  keepBillingMonth,
  replaceBillingMonth,
  type LoadedMonth,
  type LoadOrigin,
} from '../../../facts/costs/replace-store.ts';
import type { CostRepair } from '../../../engine/codebook.ts';
import type { FactFile } from '../../../engine/fact-set.ts';
import type { Deps } from '../../../kit/deps.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import { inSpan } from '../../../kit/tracing/spans.ts';
import type { Month } from '../../../kit/time/period.ts';
import type { SourceFile } from '../../../providers/contract.ts';
import type { OrgScope } from '../../../tenancy/auth/scope.ts';
import type { MonthExport } from '../loader/protocol.ts';
import { adoptCurrency } from '../../../tenancy/org/organization.ts';
import type { LoadedPeriod } from '../source-store.ts';
import { sourceToken } from './plan.ts';

/** An exported billing month and its source files. */
export interface ExportedMonth extends MonthExport {
  readonly month: Month;
  readonly sources: readonly SourceFile[];
  readonly repairs: readonly CostRepair[];
}

interface WriteTarget {
  readonly scope: OrgScope;
  readonly accountId: string;
  readonly signal: AbortSignal;
  readonly isSample: boolean;
}

/** Writes billing months to the fact store and the database. */
export class MonthWriter {
  readonly #deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'factStore'>;
  readonly #target: WriteTarget;
  readonly #periods: Map<Month, LoadedPeriod>;
  /** Sums that have been replaced since their space was last freed. */
  #replaced = 0;
  /** Dictionary files of months that were not written: the loader process exports each entry only once. */
  #owed: Record<string, readonly string[]> = {};

  /** @param periods currently loaded months */
  constructor(
    deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'factStore'>,
    target: WriteTarget,
    periods: Map<Month, LoadedPeriod>,
  ) {
    this.#deps = deps;
    this.#target = target;
    this.#periods = periods;
  }

  /** Returns whether a month was loaded from exactly these files. */
  isLoaded(month: Month, files: readonly SourceFile[]): boolean {
    return this.#periods.get(month)?.sourceToken === sourceToken(files);
  }

  /** Replaces a month and deletes its exported files.
   *  @returns whether it differs from the loaded one
   *  @throws {AppError} when it is rejected: the last good load stays */
  async write(month: ExportedMonth): Promise<boolean> {
    const { signal, scope, accountId, isSample } = this.#target;
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
      if (isSame) await keepBillingMonth(this.#deps.pool, scope, origin, month);
      else await this.#replace(origin, { ...month, entries }, month.facts);
      if (this.#periods.size === 0 && !isSample) await adoptCurrency(this.#deps, scope, month.totals);
      this.#periods.set(month.month, { sourceToken: origin.sourceToken, contentDigest: month.digest });
      return !isSame;
    } finally {
      await remove([...Object.values(month.files), ...month.facts.map(({ path }) => path)]);
    }
  }

  /** Removes a month that its delivery no longer contains.
   *  @returns whether it was loaded */
  async clear(month: Month): Promise<boolean> {
    const { signal, scope, accountId } = this.#target;
    signal.throwIfAborted();
    if (!this.#periods.delete(month)) return false;
    await clearBillingMonth(this.#deps.pool, scope, { accountId, now: this.#deps.clock.now() }, month);
    return true;
  }

  /** Stores the fact files before the transaction that references them, and deletes them if it fails. */
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
      // A full store stays full until they are deleted.
      await this.#forget(facts);
      throw error;
    }
    try {
      this.#replaced += await inSpan('write month', { 'costkeep.month': month.month }, () =>
        replaceBillingMonth(this.#deps.pool, this.#target.scope, origin, { ...month, facts }),
      );
    } catch (error) {
      // After a lost connection the transaction may have been committed, so leave the files to the collector.
      if (error instanceof AppError) await this.#forget(facts);
      throw error;
    }
    this.#owed = {};
    await remove(Object.values(month.entries).flat());
    if (await freeReplaced(this.#deps.pool, this.#replaced)) this.#replaced = 0;
  }

  /** Deletes unreferenced files. If that fails too, the collector deletes them a day later. */
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
