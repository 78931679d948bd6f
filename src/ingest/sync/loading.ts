import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limiter } from '../../kit/limiter.ts';
import type { LoaderCommand, LoaderCommands, LoaderFile } from './loader/protocol.ts';
import { startLoader, type LoaderProcess, type ReadingProgress } from './loader-process.ts';

/** What a loading process is started with. */
export interface LoadingOptions {
  /** The sync's private folder. */
  readonly folder: string;
  /** Files outside of the folder that may be read. */
  readonly inPlace: readonly LoaderFile[];
  readonly dataDir: string;
  readonly memoryMiB: number;
  readonly slots: Limiter;
  readonly signal: AbortSignal;
  readonly onProgress: ReadingProgress;
}

interface Running {
  readonly loader: LoaderProcess;
  leave(): void;
}

/** The loading process of a sync while it has something to load: it is started when it is first asked, in one of the slots,
 *  and rests when its sync waits for a slow network, so that others may load meanwhile. */
export class Loading {
  readonly #options: LoadingOptions;
  #running: Promise<Running> | null = null;
  /** Rows that loaders before this one have read. */
  #rowsBefore = 0;
  #rows = 0;

  constructor(options: LoadingOptions) {
    this.#options = options;
  }

  /** Starts the process ahead of the first question, where a slot is free: it takes as long as the first files on their way. */
  warm(): void {
    const leave = this.#running ? null : this.#options.slots.tryAcquire();
    if (!leave) return;
    this.#running = this.#start(leave);
    // Who asks meets the failure; until then it is nobody's.
    this.#running.catch(() => undefined);
  }

  /** Asks the loading process; see `LoaderProcess.ask`. */
  async ask<C extends LoaderCommand>(
    command: C,
    args: LoaderCommands[C]['args'],
  ): Promise<LoaderCommands[C]['result']> {
    this.#running ??= this.#start();
    const { loader } = await this.#running;
    return loader.ask(command, args);
  }

  /** Ends the process, with everything it holds, and gives its slot back. */
  async rest(): Promise<void> {
    const running = await this.#running?.catch(() => null);
    this.#running = null;
    if (!running) return;
    this.#rowsBefore = this.#rows;
    try {
      await running.loader.stop();
    } finally {
      running.leave();
    }
  }

  async #start(free?: () => void): Promise<Running> {
    const { slots, signal, folder, inPlace, dataDir, memoryMiB, onProgress } = this.#options;
    const leave = free ?? (await slots.acquire({ signal }));
    try {
      // Left by one that was killed.
      await rm(join(folder, 'spill'), { recursive: true, force: true });
      const loader = await startLoader(folder, [...inPlace], {
        dataDir,
        memoryMiB,
        signal,
        onProgress: (rows, fraction) => {
          this.#rows = this.#rowsBefore + rows;
          onProgress(this.#rows, fraction);
        },
      });
      return { loader, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }
}
