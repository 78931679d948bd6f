import { setTimeout as sleep } from 'node:timers/promises';
import { Limiter } from '../../../kit/process/limiter.ts';
import type { CostSource, SourceFile } from '../../../providers/contract.ts';
import type { FileMonth, LoaderFile } from '../loader/protocol.ts';
import type { Meter } from '../progress.ts';
import type { Downloads } from './downloads.ts';
import type { Loader } from './loader.ts';

/** A file contains a month that its manifest does not state, so files were grouped wrongly. */
export class WrongHint extends Error {}

/** Milliseconds the loader waits for a file before it makes room for other syncs. */
const patienceMs = 3_000;

interface Parts {
  readonly source: CostSource;
  readonly downloads: Downloads;
  readonly loader: Loader;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Reads files into the loader in batches, and tracks the months of each file in the current batch. */
export class BatchReader {
  readonly #it: Parts;
  /** Held by the batch being exported. */
  readonly #exporting = new Limiter({ limit: 1 });
  #parts: FileMonth[] = [];
  #batch = 0;
  #lineItems = 0;

  constructor(parts: Parts) {
    this.#it = parts;
  }

  /** Line items read so far. */
  get lineItems(): number {
    return this.#lineItems;
  }

  /** Waits for a batch's files before reading any. If that takes long, stops the loader once its batches are exported. */
  async await(files: readonly SourceFile[]): Promise<void> {
    const { downloads, meter, loader, signal } = this.#it;
    const timer = new AbortController();
    const here = downloads.settle(files);
    const late = sleep(patienceMs, 'late', { signal: timer.signal }).catch(() => null);
    const first = await Promise.race([here, late]);
    timer.abort();
    if (first !== 'late') return;
    meter.waiting(this.#lineItems);
    await this.#exporting.run(() => loader.rest(), { signal });
    await here;
  }

  /** Reads the billing months of a file, from that column only.
   *  @throws {AppError} VALIDATION_ERROR naming the file, row and column; TryLater */
  async inspect(file: SourceFile): Promise<string[]> {
    const months = new Set<string>();
    for (const local of await this.#it.downloads.take(file))
      for (const month of await this.#it.loader.ask('inspect', { file: local })) months.add(month);
    return [...months];
  }

  /** Returns the months found in a broken file, and whether every row has a readable one. */
  async guess(file: SourceFile): Promise<{ months: string[]; isComplete: boolean }> {
    // A file that could not be fetched or unpacked has none.
    const locals = this.#it.downloads.files.get(file.key) ?? [];
    const guesses = [];
    for (const local of locals) guesses.push(await this.#it.loader.ask('guess', { file: local }));
    return {
      months: guesses.flatMap(({ months }) => months),
      isComplete: guesses.length > 0 && guesses.every(({ isComplete }) => isComplete),
    };
  }

  /** Begins a batch. Drops an earlier batch that was read but not closed. */
  begin(): void {
    this.#parts = [];
  }

  /** Reads files into the current batch.
   *  @param months the only billing months to keep; null for all
   *  @throws {AppError} VALIDATION_ERROR naming file, row and column
   *  @throws {WrongHint} */
  async read(files: readonly SourceFile[], months: readonly string[] | null): Promise<void> {
    const { downloads, loader, meter, source } = this.#it;
    const locals: LoaderFile[] = [];
    for (const file of files) locals.push(...(await downloads.take(file)));
    meter.begin(files);
    const parts = await loader.ask('read', { batch: this.#batch, files: locals, months: months && [...months] });
    for (const file of files) {
      await source.verify?.(file);
      if (parts.some((part) => part.file === file.key && file.month !== null && part.month !== file.month))
        throw new WrongHint();
    }
    this.#parts.push(...parts);
    this.#lineItems += parts.reduce((sum, part) => sum + part.lineItems, 0);
    meter.end(files, this.#lineItems);
  }

  /** Returns the months that these files of the current batch contain. */
  monthsIn(files: readonly SourceFile[]): string[] {
    const keys = new Set(files.map(({ key }) => key));
    return [...new Set(this.#parts.filter((part) => keys.has(part.file)).map((part) => part.month))];
  }

  /** Closes the batch, once the previous one is exported.
   *  @returns its number and content; call `release` once it is exported */
  async close(): Promise<{ no: number; parts: readonly FileMonth[]; release: () => void }> {
    const release = await this.#exporting.acquire({ signal: this.#it.signal });
    return { no: this.#batch++, parts: this.#parts, release };
  }
}
