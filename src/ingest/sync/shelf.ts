import { rm, stat } from 'node:fs/promises';
import { Limiter } from '../../kit/limiter.ts';
import type { CostSource, SourceFile } from '../../providers/contract.ts';
import type { LoaderFile } from './loader/protocol.ts';

/** Transfers at a time: enough for a fast network, few enough for a small one. */
const atOnce = 4;

interface Held {
  /** How many batches want the file. */
  wanted: number;
  readonly local: Promise<LoaderFile>;
}

/** The files of a sync on the local disk: fetched when they are wanted, removed when nobody wants them any more. What a source
 *  reads in place is neither copied nor removed. */
export class Shelf {
  readonly #source: CostSource;
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #lanes = new Limiter({ limit: atOnce });
  readonly #held = new Map<string, Held>();
  readonly #here = new Map<string, LoaderFile>();
  readonly #sizes = new Map<string, number>();

  constructor(source: CostSource, folder: string, signal: AbortSignal) {
    this.#source = source;
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Size of what lies on the disk for us. */
  get bytes(): number {
    return this.#sizes.values().reduce((sum, size) => sum + size, 0);
  }

  /** What is on the disk, by key. */
  get files(): ReadonlyMap<string, LoaderFile> {
    return this.#here;
  }

  /** Begins to fetch files; each must be let go as often as it was wanted. */
  want(files: readonly SourceFile[]): void {
    for (const file of files) {
      const known = this.#held.get(file.key);
      if (known) known.wanted++;
      else {
        const held = { wanted: 1, local: this.#fetch(file) };
        // Whoever takes the file meets the failure; until then it is nobody's.
        held.local.catch(() => undefined);
        this.#held.set(file.key, held);
      }
    }
  }

  /** Waits for a file that is wanted.
   *  @throws {AppError} VALIDATION_ERROR when it changed since it was listed, or cannot be read
   *  @throws {TryLater} */
  async take(file: SourceFile): Promise<LoaderFile> {
    const held = this.#held.get(file.key);
    if (!held) throw new Error(`file ${file.key} was taken before it was wanted`);
    return held.local;
  }

  /** Waits until every file is here, or has failed. */
  async settle(files: readonly SourceFile[]): Promise<void> {
    await Promise.allSettled(files.map((file) => this.take(file)));
  }

  /** A batch is done with these files. */
  async letGo(files: readonly SourceFile[]): Promise<void> {
    for (const { key } of files) {
      const held = this.#held.get(key);
      if (!held || --held.wanted > 0) continue;
      this.#held.delete(key);
      const local = await held.local.catch(() => null);
      // Someone may want it again by now.
      if (local && !this.#held.has(key)) await this.#remove(local);
    }
  }

  async #fetch(file: SourceFile): Promise<LoaderFile> {
    const leave = await this.#lanes.acquire({ signal: this.#signal });
    try {
      const path = await this.#source.fetch(file, this.#folder, this.#signal);
      const { key: name, format, expectedRows, speaksFor } = file;
      const local = { name, path, format, expectedRows, speaksFor };
      if (!this.#source.isInPlace) this.#sizes.set(name, (await stat(path)).size);
      this.#here.set(name, local);
      return local;
    } finally {
      leave();
    }
  }

  async #remove(local: LoaderFile): Promise<void> {
    this.#here.delete(local.name);
    if (this.#source.isInPlace) return;
    this.#sizes.delete(local.name);
    await rm(local.path, { force: true });
  }
}
