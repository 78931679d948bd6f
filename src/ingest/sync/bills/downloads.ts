import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Limiter } from '../../../kit/process/limiter.ts';
import type { CostSource, SourceFile } from '../../../providers/contract.ts';
import type { LoaderFile, PassedOver } from '../loader/protocol.ts';
import { unpack } from './unpack.ts';

/** The private folder of a sync: the loader process spills and exports there. */
export interface Workspace {
  readonly folder: string;
  /** Download folder of the connector process. */
  readonly downloads: string;
  /** Deletes the downloads. */
  clear(): Promise<void>;
}

/** Runs work with a new private folder, and deletes the folder at the end. */
export async function inWorkspace<Result>(
  dataDir: string,
  accountId: string,
  work: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const folder = join(dataDir, 'jobs', accountId);
  const downloads = join(folder, 'downloads');
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const clear = async () => {
    await rm(downloads, { recursive: true, force: true });
    await mkdir(downloads, { recursive: true, mode: 0o700 });
  };
  // A killed sync may have left one behind.
  await remove();
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await clear();
    return await work({ folder, downloads, clear });
  } finally {
    await remove();
  }
}

/** Concurrent transfers: enough for a fast network, few enough for a slow one. */
const concurrency = 4;

interface Held {
  /** Number of batches that need the file. */
  wanted: number;
  readonly outcome: Promise<[PromiseSettledResult<readonly LoaderFile[]>]>;
}

/** A sync's files on the local disk, reference-counted: fetched on first use, deleted on last release. Files that a source
 *  reads in place are neither copied nor deleted. */
export class Downloads {
  readonly #source: CostSource;
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #aborted: Promise<unknown>;
  readonly #transfers = new Limiter({ limit: concurrency });
  readonly #held = new Map<string, Held>();
  readonly #here = new Map<string, readonly LoaderFile[]>();
  readonly #sizes = new Map<string, number>();
  readonly #onPassedOver: (file: PassedOver) => void;

  /** @param onPassedOver called with a file of an archive that is not a bill by its name */
  constructor(
    source: CostSource,
    folder: string,
    signal: AbortSignal,
    onPassedOver: (file: PassedOver) => void = () => {},
  ) {
    this.#source = source;
    this.#folder = folder;
    this.#signal = signal;
    this.#onPassedOver = onPassedOver;
    this.#aborted = once(signal, 'abort');
  }

  /** Total size of the copies on disk, in bytes. */
  get bytes(): number {
    return this.#sizes.values().reduce((sum, size) => sum + size, 0);
  }

  /** Files on disk, by key; several for an archive. */
  get files(): ReadonlyMap<string, readonly LoaderFile[]> {
    return this.#here;
  }

  /** Starts fetching files; release each as often as it was requested. */
  want(files: readonly SourceFile[]): void {
    for (const file of files) {
      const held = this.#held.get(file.key) ?? { wanted: 0, outcome: Promise.allSettled([this.#fetch(file)]) };
      held.wanted++;
      this.#held.set(file.key, held);
    }
  }

  /** Waits for a requested file, and returns its files on disk: several for an archive.
   *  @throws {AppError} VALIDATION_ERROR when it has changed since it was listed, or cannot be read
   *  @throws {TryLater} */
  async take(file: SourceFile): Promise<readonly LoaderFile[]> {
    const held = this.#held.get(file.key);
    if (!held) throw new Error(`file ${file.key} was taken before it was requested`);
    this.#signal.throwIfAborted();
    await Promise.race([held.outcome, this.#aborted]);
    this.#signal.throwIfAborted();
    const [outcome] = await held.outcome;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Waits until every file has arrived or failed. */
  async settle(files: readonly SourceFile[]): Promise<void> {
    await Promise.allSettled(files.map((file) => this.take(file)));
  }

  /** Waits until no transfer is under way: call it when the signal has aborted. */
  async end(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ outcome }) => outcome));
  }

  /** Releases files that a batch no longer needs. */
  async release(files: readonly SourceFile[]): Promise<void> {
    for (const { key } of files) {
      const held = this.#held.get(key);
      if (!held || --held.wanted > 0) continue;
      this.#held.delete(key);
      const [outcome] = await held.outcome;
      // It may have been requested again meanwhile.
      if (outcome.status === 'fulfilled' && !this.#held.has(key)) await this.#remove(key, outcome.value);
    }
  }

  #fetch(file: SourceFile): Promise<readonly LoaderFile[]> {
    const fetch = async () => {
      const path = await this.#source.fetch(file, this.#folder, this.#signal);
      const isCopy = !this.#source.isInPlace;
      const target = { folder: this.#folder, signal: this.#signal, onPassedOver: this.#onPassedOver };
      const locals = await unpack(file, { path, isCopy }, target);
      this.#sizes.set(file.key, await bytesOf(this.#copiesOf(locals)));
      this.#here.set(file.key, locals);
      return locals;
    };
    return this.#transfers.run(fetch, { signal: this.#signal });
  }

  async #remove(key: string, locals: readonly LoaderFile[]): Promise<void> {
    this.#here.delete(key);
    this.#sizes.delete(key);
    for (const path of this.#copiesOf(locals)) await rm(path, { force: true });
  }

  /** Returns the paths of files that may be deleted: not those that a source reads in place. */
  #copiesOf(locals: readonly LoaderFile[]): string[] {
    return locals.map(({ path }) => path).filter((path) => path.startsWith(`${this.#folder}${sep}`));
  }
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of paths) bytes += (await stat(path)).size;
  return bytes;
}
