import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { AppError } from '../../kit/errors.ts';
import type { LoaderCommand, LoaderCommands, LoaderFile, LoaderMessage } from './loader/protocol.ts';

/** How far the current reading is: rows read in this process so far, and the part of the current command (0 to 1). */
export type ReadingProgress = (rows: number, fraction: number) => void;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The process in which DuckDB reads bills. It gets no environment, no credential and no connection; it may read the
 *  files it is given and write into the job's folder. */
export class LoaderProcess {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #abort: () => void;
  readonly #signal: AbortSignal;
  #nextId = 1;

  private constructor(child: ChildProcess, signal: AbortSignal, onProgress: ReadingProgress) {
    this.#child = child;
    this.#signal = signal;
    this.#abort = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', this.#abort, { once: true });
    child.on('message', (message: LoaderMessage) => this.#receive(message, onProgress));
    child.on('error', (error) => this.#fail(error));
    child.on('exit', (code, killer) => this.#fail(this.#death(code, killer)));
  }

  /** Starts the process.
   *  @param jobDir private folder of the sync, where it may read and write
   *  @param files outside of it, that it may read
   *  @param memoryMiB limit of DuckDB, which spills to the folder beyond it */
  static async start(
    jobDir: string,
    files: LoaderFile[],
    options: {
      memoryMiB: number;
      signal: AbortSignal;
      onProgress: ReadingProgress;
    },
  ): Promise<LoaderProcess> {
    const child = fork(new URL('./loader/main.ts', import.meta.url), {
      env: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
      execArgv: ['--max-old-space-size=384', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const loader = new LoaderProcess(child, options.signal, options.onProgress);
    const threads = Math.min(8, availableParallelism());
    try {
      await loader.ask('open', { jobDir, files, memoryMiB: options.memoryMiB, threads });
      return loader;
    } catch (error) {
      await loader.stop();
      throw error;
    }
  }

  /** Operating system's id of the process. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** @throws {AppError} VALIDATION_ERROR when the data cannot be loaded: the message names the file, row and column */
  async ask<C extends LoaderCommand>(
    command: C,
    args: LoaderCommands[C]['args'],
  ): Promise<LoaderCommands[C]['result']> {
    this.#signal.throwIfAborted();
    const id = this.#nextId++;
    return new Promise<LoaderCommands[C]['result']>((resolve, reject) => {
      this.#pending.set(id, {
        resolve: (result) => resolve(result as LoaderCommands[C]['result']),
        reject,
      });
      this.#child.send({ id, command, args }, (error) => error && this.#settle(id, (pending) => pending.reject(error)));
    });
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#abort);
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const gone = new Promise((resolve) => this.#child.once('exit', resolve));
      this.#child.kill('SIGKILL');
      await gone;
    }
  }

  #receive(message: LoaderMessage, onProgress: ReadingProgress): void {
    if ('fraction' in message) onProgress(message.rows, message.fraction);
    else if ('result' in message) this.#settle(message.id, (pending) => pending.resolve(message.result));
    else if ('refused' in message)
      this.#settle(message.id, (pending) => pending.reject(new AppError('VALIDATION_ERROR', message.refused)));
    else this.#settle(message.id, (pending) => pending.reject(new Error(`loading process: ${message.failed}`)));
  }

  #settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending) how(pending);
  }

  #fail(error: Error): void {
    for (const id of this.#pending.keys()) this.#settle(id, (pending) => pending.reject(error));
  }

  #death(code: number | null, killer: string | null): Error {
    if (this.#signal.aborted)
      return this.#signal.reason instanceof Error ? this.#signal.reason : new Error('cancelled');
    return new Error(`the loading process ended unasked (${killer ?? `exit code ${code}`})`);
  }
}
