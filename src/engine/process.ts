import { type ChildProcess, fork } from 'node:child_process';
import fs from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { AskedProcess } from '../kit/process/asked-process.ts';
import { codeCacheOf } from '../kit/process/code-cache.ts';
import type { Log } from '../kit/log.ts';
import { EngineEnded, EngineFault } from './failures.ts';
import type { EngineCommands, EngineMessage } from './protocol.ts';

/** One run of the process. `ask` throws an {EngineFault} for DuckDB errors; any other error means that the run ended. */
export type EngineRun = AskedProcess<EngineCommands, EngineMessage>;

/** A run in use by a query; keeps the server alive until released. */
export interface EngineHold {
  readonly run: EngineRun;
  /** Query id, unique in the process, which several engines may share. */
  readonly query: number;
  release(): void;
}

/** Resources of the process. */
interface ProcessOptions {
  /** Absolute folders that it may read. */
  readonly folders: readonly string[];
  /** Absolute folder for spilled and written files. */
  readonly scratch: string;
  /** Contains the cache of compiled code. */
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

/** Manages the engine process: starts it with the first query, and restarts it after it ended. */
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

  /** Number of restarts. */
  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /** Operating system id of the process; undefined if not running. */
  get pid(): number | undefined {
    return this.#started?.child.pid;
  }

  /** Starts the process if it is not running.
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

  /** Kills a run whose query ignores interrupts; the next query starts another. */
  async kill(run: EngineRun): Promise<void> {
    if (this.#started?.run === run) this.#started = null;
    await run.stop();
  }

  /** Ends the process for good. Running queries fail. */
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
    // Linux keeps a priority per thread, and new threads inherit it, so set it while the process has only its first thread.
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

/** Only a process in use keeps the server alive. */
function hold(started: Started, more: 1 | -1): void {
  started.holds += more;
  if (started.holds > 0) started.child.channel?.ref();
  else started.child.channel?.unref();
}

function fault(message: Exclude<EngineMessage, { result: unknown }>): Error {
  return new EngineFault('failed' in message ? message.failed : 'no response');
}

/** Folders created by this process. */
const own = new Set<string>();

/** Creates a private folder for an engine, and removes those of dead servers.
 *  @param parent absolute
 *  @returns its absolute path */
export function openScratch(parent: string): string {
  fs.mkdirSync(parent, { recursive: true, mode: 0o700 });
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

/** Returns whether another process is alive. In a container, a new server may reuse the id of the previous one. */
function isInUse(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
