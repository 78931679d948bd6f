import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { codeCacheOf } from '../../kit/code-cache.ts';
import { AppError } from '../../kit/errors.ts';
import { AskedProcess } from '../../kit/asked-process.ts';
import type { LoaderCommands, LoaderFile, LoaderMessage } from './loader/protocol.ts';

/** How far the current reading is: rows read in this process so far, and the part of the current command (0 to 1). */
export type ReadingProgress = (rows: number, fraction: number) => void;

type Process = AskedProcess<LoaderCommands, LoaderMessage>;

/** The process in which DuckDB reads bills. It gets no environment, no credential and no connection; it may read the
 *  files it is given and write into the job's folder. */
export type LoaderProcess = Pick<Process, 'pid' | 'ask' | 'stop'>;

/** Starts the process.
 *  @param jobDir private folder of the sync, where it may read and write
 *  @param files outside of it, that it may read
 *  @param options.memoryMiB limit of DuckDB, which spills to the folder beyond it
 *  @returns the process, whose `ask` throws {AppError} VALIDATION_ERROR when the data cannot be loaded: the message names the
 *    file, row and column */
export async function startLoader(
  jobDir: string,
  files: LoaderFile[],
  options: { dataDir: string; memoryMiB: number; signal: AbortSignal; onProgress: ReadingProgress },
): Promise<LoaderProcess> {
  const { dataDir, memoryMiB, signal, onProgress } = options;
  const child = fork(new URL('./loader/main.ts', import.meta.url), {
    env: { ...codeCacheOf(dataDir), TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    execArgv: ['--max-old-space-size=384', '--max-semi-space-size=4', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const loader: Process = new AskedProcess(child, { name: 'the loading process', signal, fault });
  child.on('message', (message: LoaderMessage) => {
    if ('fraction' in message) onProgress(message.rows, message.fraction);
  });
  try {
    await loader.ask('open', { jobDir, files, memoryMiB, threads: Math.min(8, availableParallelism()) });
    return loader;
  } catch (error) {
    await loader.stop();
    throw error;
  }
}

function fault(message: Exclude<LoaderMessage, { result: unknown }>): Error {
  if ('refused' in message) return new AppError('VALIDATION_ERROR', message.refused);
  return new Error(`loading process: ${'failed' in message ? message.failed : 'no answer'}`);
}
