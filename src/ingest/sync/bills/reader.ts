import { setTimeout as sleep } from 'node:timers/promises';
import { Limiter } from '../../../kit/limiter.ts';
import type { CostSource, SourceFile } from '../../../providers/contract.ts';
import type { FileMonth, LoaderCommands, LoaderFile, MonthExport } from '../loader/protocol.ts';
import type { Meter } from '../progress.ts';
import type { Downloads } from './downloads.ts';
import type { Loader } from './loader.ts';

/** A file holds another month than its manifest says: files were grouped wrongly. */
export class WrongHint extends Error {}

/** How long the loader waits for a file before it makes room for other syncs. */
const patienceMs = 3_000;

interface Parts {
  readonly source: CostSource;
  readonly downloads: Downloads;
  readonly loader: Loader;
  readonly meter: Meter;
  readonly signal: AbortSignal;
}

/** Reads files into the loader, batch by batch, and knows which months the files of the current batch hold. */
export class BatchReader {
  readonly #it: Parts;
  /** Held by the batch that is exported. */
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

  /** Waits for files before anything is read of a batch. If that takes long, the loader stops once its batches are exported. */
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

  /** The billing months of a file, from that one column.
   *  @throws {AppError} VALIDATION_ERROR naming the file, row and column; TryLater */
  async inspect(file: SourceFile): Promise<string[]> {
    return this.#it.loader.ask('inspect', { file: await this.#it.downloads.take(file) });
  }

  /** The months that a broken file shows, and whether every row of it does. */
  async guess(file: SourceFile): Promise<{ months: string[]; isComplete: boolean }> {
    const local = this.#it.downloads.files.get(file.key);
    // One that could not be fetched shows none.
    return local ? this.#it.loader.ask('guess', { file: local }) : { months: [], isComplete: false };
  }

  /** Begins a batch. What a batch before it has read and not closed is forgotten. */
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
    for (const file of files) locals.push(await downloads.take(file));
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

  /** The months that these files of the current batch hold. */
  monthsIn(files: readonly SourceFile[]): string[] {
    const keys = new Set(files.map(({ key }) => key));
    return [...new Set(this.#parts.filter((part) => keys.has(part.file)).map((part) => part.month))];
  }

  /** Closes the batch, once the one before it is exported.
   *  @returns its number and content; `release` it once it is exported */
  async close(): Promise<{ no: number; parts: readonly FileMonth[]; release: () => void }> {
    const release = await this.#exporting.acquire({ signal: this.#it.signal });
    return { no: this.#batch++, parts: this.#parts, release };
  }

  /** Writes a month of a closed batch into files for COPY.
   *  @throws {AppError} VALIDATION_ERROR naming file and row */
  async export(args: LoaderCommands['export']['args']): Promise<MonthExport> {
    return this.#it.loader.ask('export', args);
  }
}
