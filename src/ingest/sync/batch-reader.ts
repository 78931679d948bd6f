import type { CostSource, SourceFile } from '../../providers/contract.ts';
import type { FileMonth, LoaderFile, MonthExport } from './loader/protocol.ts';
import type { Loading } from './loading.ts';
import type { Meter } from './meter.ts';
import type { Shelf } from './shelf.ts';

/** A file holds another month than its manifest says: files were grouped wrongly. */
export class WrongHint extends Error {}

/** How long a loading process waits for a file before it makes room for others. */
const patienceMs = 3_000;

interface Parts {
  readonly source: CostSource;
  readonly shelf: Shelf;
  readonly loading: Loading;
  readonly meter: Meter;
}

/** What is read of a source: which files are in the loading process now, and the months they hold. */
export class BatchReader {
  readonly #it: Parts;
  /** What each file in the loader holds, by key. */
  readonly #held = new Map<string, FileMonth[]>();
  /** The loader's batch that is read into. */
  #batch = 0;
  #lineItems = 0;

  constructor(parts: Parts) {
    this.#it = parts;
  }

  /** Line items read so far. */
  get lineItems(): number {
    return this.#lineItems;
  }

  /** Waits for files before anything is read of a batch. While that takes long, the loading process rests.
   *  @param beforeRest is awaited first */
  async await(files: readonly SourceFile[], beforeRest: () => Promise<void>): Promise<void> {
    const { shelf, meter, loading } = this.#it;
    const here = shelf.settle(files);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, patienceMs, 'late')));
    const first = await Promise.race([here, late]).finally(() => clearTimeout(timer));
    if (first !== 'late') return;
    meter.waiting(this.#lineItems);
    await beforeRest();
    await loading.rest();
    await here;
  }

  /** The billing months of a file, from that one column.
   *  @throws {AppError} VALIDATION_ERROR naming the file, row and column; TryLater */
  async inspect(file: SourceFile): Promise<string[]> {
    const local = await this.#it.shelf.take(file);
    return this.#it.loading.ask('inspect', { file: local });
  }

  /** The months that a broken file shows, and whether every row of it does. */
  async guess(file: SourceFile): Promise<{ months: string[]; isComplete: boolean }> {
    const local = this.#it.shelf.files.get(file.key);
    // One that could not be fetched shows none.
    return local ? this.#it.loading.ask('guess', { file: local }) : { months: [], isComplete: false };
  }

  /** Reads files that are wanted.
   *  @param months keep these billing months alone; null for all
   *  @param append keep what the batch holds already
   *  @throws {AppError} VALIDATION_ERROR naming file, row and column
   *  @throws {WrongHint} */
  async read(files: readonly SourceFile[], months: readonly string[] | null, append: boolean): Promise<void> {
    const { shelf, loading, meter, source } = this.#it;
    if (!append) this.#held.clear();
    const locals: LoaderFile[] = [];
    for (const file of files) locals.push(await shelf.take(file));
    meter.begin(files);
    const parts = await loading.ask('read', {
      batch: this.#batch,
      files: locals,
      months: months ? [...months] : null,
    });
    for (const file of files) {
      await source.verify?.(file);
      if (parts.some((part) => part.file === file.key && file.month !== null && part.month !== file.month))
        throw new WrongHint();
    }
    for (const { key } of files) {
      const own = parts.filter((part) => part.file === key);
      this.#held.set(key, own);
    }
    this.#lineItems += parts.reduce((sum, part) => sum + part.lineItems, 0);
    meter.end(files, this.#lineItems);
  }

  /** What the loader holds of a month. */
  partsOf(month: string): FileMonth[] {
    return [...this.#held.values()].flat().filter((part) => part.month === month);
  }

  /** The months that these files hold. */
  monthsIn(files: readonly SourceFile[]): string[] {
    return [...new Set(files.flatMap((file) => this.#held.get(file.key) ?? []).map((part) => part.month))];
  }

  /** Closes the batch, to be exported while the next one is read.
   *  @returns its number */
  nextBatch(): number {
    return this.#batch++;
  }

  /** Writes a month of a batch into files for COPY.
   *  @throws {AppError} VALIDATION_ERROR naming file and row */
  async export(owner: {
    accountId: string;
    organizationId: string;
    batch: number;
    month: string;
    files: string[];
  }): Promise<MonthExport> {
    return this.#it.loading.ask('export', owner);
  }
}
