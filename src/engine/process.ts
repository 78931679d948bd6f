import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { AskedProcess } from '../kit/asked-process.ts';
import { codeCacheOf } from '../kit/code-cache.ts';
import type { Log } from '../kit/log.ts';
import { EngineEnded, EngineFault } from './failures.ts';
import type { EngineCommands, EngineMessage } from './protocol.ts';

/** A run of the process. Its `ask` throws {EngineFault} what DuckDB answered; any other error means that the run ended. */
export type EngineRun = AskedProcess<EngineCommands, EngineMessage>;

/** A run in use by a query: the server stays alive until it is released. */
export interface EngineHold {
  readonly run: EngineRun;
  /** The query's id, unique in the process: several engines may share one. */
  readonly query: number;
  release(): void;
}

/** What the process may use. */
interface ProcessOptions {
  /** Absolute folders that it may read. */
  readonly folders: readonly string[];
  /** Absolute folder for spilling and written files. */
  readonly scratch: string;
  /** Holds the cache of compiled code. */
  readonly dataDir: string;
  readonly memoryMiB: number;
  readonly threads: number;
}

interface Started {
  readonly child: ChildProcess;
  readonly run: EngineRun;
  readonly opened: Promise<unknown>;
  holds: number;
}

/** Below the server's priority, so that requests that need no engine keep their latency. */
const niceness = 10;

/** Keeps the engine's process: starts it with the first query, and again after it ended. */
export class EngineProcess {
  readonly options: ProcessOptions;
  readonly #log: Log;
  #started: Started | null = null;
  #starts = 0;
  #queries = 0;
  #isClosed = false;

  constructor(options: ProcessOptions, log: Log) {
    this.options = options;
    this.#log = log;
  }

  /** How often the process was started again. */
  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /** Operating system's id of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.#started?.child.pid;
  }

  /** Starts the process where there is none.
   *  @throws {EngineEnded} when it cannot start, or is closed */
  async acquire(): Promise<EngineHold> {
    if (this.#isClosed) throw new EngineEnded('the cost engine is closed');
    const started = (this.#started ??= this.#start());
    hold(started, 1);
    try {
      await started.opened;
    } catch (error) {
      hold(started, -1);
      throw new EngineEnded(error);
    }
    return { run: started.run, query: ++this.#queries, release: () => hold(started, -1) };
  }

  /** Ends a run whose query cannot be interrupted; the next query starts another. */
  async kill(run: EngineRun): Promise<void> {
    if (this.#started?.run === run) this.#started = null;
    await run.stop();
  }

  /** Ends the process for good. What is under way fails. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#started?.run.stop();
  }

  #start(): Started {
    const { dataDir, folders, scratch, memoryMiB, threads } = this.options;
    this.#starts += 1;
    const child = fork(new URL('./main.ts', import.meta.url), {
      env: { ...codeCacheOf(dataDir), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
      execArgv: ['--max-old-space-size=256', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    // Linux keeps a priority per thread, and new threads inherit it: it is set before the process has any but its first.
    if (child.pid !== undefined) setPriority(child.pid, niceness);
    const { signal } = new AbortController();
    const run: EngineRun = new AskedProcess(child, { name: 'the engine process', signal, fault });
    const opened = run.ask('open', { folders, scratch, memoryMiB, threads });
    const started = { child, run, opened, holds: 0 };
    child.unref();
    child.channel?.unref();
    child.once('exit', (code, killer) => {
      if (this.#started === started) this.#started = null;
      if (!this.#isClosed) this.#log.warn({ code, signal: killer }, 'The engine process ended');
    });
    opened.catch(() => this.kill(run));
    return started;
  }
}

/** An idle process keeps no server alive; one in use does. */
function hold(started: Started, more: 1 | -1): void {
  started.holds += more;
  if (started.holds > 0) started.child.channel?.ref();
  else started.child.channel?.unref();
}

function fault(message: Exclude<EngineMessage, { result: unknown }>): Error {
  return new EngineFault('failed' in message ? message.failed : 'no answer');
}

/** Folders that this process has made. */
const own = new Set<string>();

/** Makes a private folder for an engine, and removes those of servers that are gone.
 *  @param parent absolute
 *  @returns its absolute path; ends with the process */
export function openScratch(parent: string): string {
  fs.mkdirSync(parent, { recursive: true });
  for (const name of fs.readdirSync(parent)) {
    const folder = path.join(parent, name);
    if (!own.has(folder) && !isInUse(Number.parseInt(name, 10))) fs.rmSync(folder, { recursive: true, force: true });
  }
  const made = fs.mkdtempSync(path.join(parent, `${process.pid}-`));
  own.add(made);
  return made;
}

/** Removes a folder that `openScratch` made. */
export function closeScratch(folder: string): void {
  own.delete(folder);
  fs.rmSync(folder, { recursive: true, force: true });
}

/** Whether another process is alive. A container's server may have the id of the one before it. */
function isInUse(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
