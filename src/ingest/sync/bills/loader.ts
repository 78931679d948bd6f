import { type ChildProcess, fork } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { AskedProcess } from '../../../kit/process/asked-process.ts';
import { codeCacheOf } from '../../../kit/process/code-cache.ts';
import { AppError } from '../../../kit/errors/errors.ts';
import type { Limiter } from '../../../kit/process/limiter.ts';
import { NotABill } from './not-a-bill.ts';
import type { LoaderTurn } from './slots.ts';
import type { LoaderCommand, LoaderCommands, LoaderMessage, PassedOver } from '../loader/protocol.ts';

/** Options of a loader process. */
interface LoaderOptions {
  /** The private folder of the sync, which the process may read and write. */
  readonly folder: string;
  /** Absolute paths of files outside the folder that it may read. */
  readonly inPlace: readonly string[];
  readonly dataDir: string;
  /** Target resident memory of the process; DuckDB spills to the folder above its share. */
  readonly memoryMiB: number;
  readonly signal: AbortSignal;
  /** Reports rows read so far, and the completed fraction of the current command, 0 to 1. */
  onProgress(rows: number, fraction: number): void;
  /** Called with a file of an archive that is not a bill. */
  onPassedOver?(file: PassedOver): void;
}

type Process = AskedProcess<LoaderCommands, LoaderMessage>;

/** The process in which DuckDB reads bills. */
export interface LoaderProcess extends Pick<Process, 'pid' | 'ask' | 'stop'> {
  /** Ends the job, and keeps the process for the next one unless it is busy or large. */
  rest(): Promise<void>;
}

interface Forked {
  readonly child: ChildProcess;
  readonly link: Process;
  readonly life: AbortController;
}

/** Processes without a job, with the timers that end them: starting one takes as long as loading a small bill. */
const resting = new Map<Forked, NodeJS.Timeout>();
const restMs = 30_000;
/** A process that keeps more memory after a job, in bytes, is ended. */
const restBytes = 320 * 2 ** 20;

/** Opens a loader process, reusing an idle one if there is any. It gets no environment, credentials or connection.
 *  @returns the process; its `ask` throws {AppError} VALIDATION_ERROR naming file, row and column when the data cannot be
 *  loaded */
export async function startLoader(options: LoaderOptions): Promise<LoaderProcess> {
  const { folder, inPlace, memoryMiB, signal, onProgress, onPassedOver } = options;
  signal.throwIfAborted();
  const forked = wake() ?? forkLoader(options.dataDir);
  const { child, link, life } = forked;
  const abort = () => life.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  const receive = (message: LoaderMessage) => {
    if ('fraction' in message) onProgress(message.rows, message.fraction);
    if ('passedOver' in message) onPassedOver?.(message.passedOver);
  };
  child.on('message', receive);
  const leave = () => {
    signal.removeEventListener('abort', abort);
    child.off('message', receive);
  };
  const stop = () => {
    leave();
    return link.stop();
  };
  const rest = async () => {
    const closed = link.isIdle ? await link.ask('close', null).catch(() => null) : null;
    if (!closed || closed.rss > restBytes) return stop();
    leave();
    keep(forked);
  };
  try {
    const threads = Math.min(8, availableParallelism());
    await link.ask('open', { jobDir: folder, paths: [...inPlace], memoryMiB, threads });
    return { pid: link.pid, ask: (command, args) => link.ask(command, args), stop, rest };
  } catch (error) {
    await stop();
    throw error;
  }
}

function forkLoader(dataDir: string): Forked {
  const child = fork(new URL('../loader/main.ts', import.meta.url), {
    env: { ...codeCacheOf(dataDir), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    execArgv: ['--max-old-space-size=384', '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const life = new AbortController();
  const link: Process = new AskedProcess(child, { name: 'the loader process', signal: life.signal, fault });
  const forked = { child, life, link };
  child.once('exit', () => resting.delete(forked));
  return forked;
}

/** Keeps a process for the next job, without keeping the server alive. */
function keep(forked: Forked): void {
  const { child, link } = forked;
  const end = () => {
    resting.delete(forked);
    void link.stop();
  };
  child.unref();
  child.channel?.unref();
  resting.set(forked, setTimeout(end, restMs).unref());
}

/** Takes the process that ended its job last, so that those that are not needed reach their time limit. */
function wake(): Forked | undefined {
  const forked = [...resting.keys()].at(-1);
  if (!forked) return undefined;
  clearTimeout(resting.get(forked));
  resting.delete(forked);
  forked.child.ref();
  forked.child.channel?.ref();
  return forked;
}

function fault(message: Exclude<LoaderMessage, { result: unknown }>): Error {
  if ('unknown' in message) return new NotABill(message.unknown.file, message.unknown.because);
  if ('refused' in message) return new AppError('VALIDATION_ERROR', message.refused);
  return new Error(`loader process: ${'failed' in message ? message.failed : 'no response'}`);
}

interface Running {
  readonly process: LoaderProcess;
  readonly release: () => void;
}

interface OnDemandOptions extends LoaderOptions {
  readonly slots: Limiter;
  readonly turn: LoaderTurn;
  /** Aborting it ends the commands of the sync, but keeps an idle process for the next one. */
  readonly steps: AbortSignal;
}

/** Maximum duration of a command in hours: the largest measured month takes 15 minutes. */
const maxHours = 4;

/** Returns the error of a command that takes too long. */
function overdue(args: LoaderCommands[LoaderCommand]['args']): AppError {
  const files = args && 'files' in args ? args.files : args && 'file' in args ? [args.file] : [];
  const names = files.map((file) => (typeof file === 'string' ? file : file.name));
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return new AppError(
    'VALIDATION_ERROR',
    `The loader was ended after ${maxHours} hours with ${names.slice(0, 3).join(', ')}${more}; deliver files with fewer rows`,
  );
}

/** On-demand loader process of a sync: opened in one of the slots with the first command, and released while the sync waits
 *  for a slow network, so that other syncs can load. */
export class Loader {
  readonly #options: OnDemandOptions;
  readonly #overdue = new AbortController();
  #running: Promise<[PromiseSettledResult<Running>]> | null = null;
  /** Rows read by earlier processes. */
  #rowsBefore = 0;
  #rows = 0;

  constructor(options: OnDemandOptions) {
    this.#options = options;
  }

  /** Starts the process before the first command if a slot is free: starting takes as long as the first downloads. */
  warm(): void {
    const { slots, turn } = this.#options;
    const release = this.#running ? null : slots.tryAcquire(turn);
    if (release) this.#running = Promise.allSettled([this.#start(release)]);
  }

  /** Sends a command to the process; see `startLoader`. One that takes hours ends the process, and fails all further ones. */
  async ask<C extends LoaderCommand>(
    command: C,
    args: LoaderCommands[C]['args'],
  ): Promise<LoaderCommands[C]['result']> {
    const { slots, turn, steps } = this.#options;
    steps.throwIfAborted();
    this.#running ??= Promise.allSettled([
      slots.acquire({ ...turn, signal: steps }).then((release) => this.#start(release)),
    ]);
    const [running] = await this.#running;
    if (running.status === 'rejected') throw running.reason;
    const end = setTimeout(() => this.#overdue.abort(overdue(args)), maxHours * 3_600_000);
    try {
      return await running.value.process.ask(command, args);
    } finally {
      clearTimeout(end);
    }
  }

  /** Drops the data of the process and releases its slot. */
  async rest(): Promise<void> {
    const [running] = (await this.#running) ?? [];
    this.#running = null;
    if (running?.status !== 'fulfilled') return;
    this.#rowsBefore = this.#rows;
    try {
      await running.value.process.rest();
    } finally {
      running.value.release();
    }
  }

  async #start(release: () => void): Promise<Running> {
    const { folder, onProgress } = this.#options;
    const signal = AbortSignal.any([this.#options.signal, this.#overdue.signal]);
    try {
      // Left behind by a killed process.
      await rm(join(folder, 'spill'), { recursive: true, force: true });
      const process = await startLoader({
        ...this.#options,
        signal,
        onProgress: (rows, fraction) => {
          this.#rows = this.#rowsBefore + rows;
          onProgress(this.#rows, fraction);
        },
      });
      return { process, release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
