import { fork } from 'node:child_process';
import type pg from 'pg';
import type { Config } from '../../../kit/config/config.ts';
import { AppError, type Statement } from '../../../kit/errors/errors.ts';
import type { Fact } from '../document.ts';
import { codeCacheOf } from '../../../kit/process/code-cache.ts';
import type { Deps } from '../../../kit/deps.ts';
import { ReportGone } from '../file-store.ts';

/** Input of a writing process: one report, whose lock the parent holds. */
export interface WritingOrder {
  readonly organizationId: string;
  readonly reportId: string;
  /** Database connection settings that can be serialized. */
  readonly connection: Omit<pg.ClientConfig, 'types'>;
  /** Settings for the fact files and the engine. */
  readonly config: Pick<Config, 'dataDir' | 'engine' | 'facts' | 'clouds' | 'connectorEnvironment'>;
  /** Current time, ISO 8601. */
  readonly now: string;
}

/** A written file. */
export interface Written {
  /** Covered accounts; null: all. */
  readonly accountIds: readonly string[] | null;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly keyFigures: readonly Fact[];
}

/** Result of the writing process. `refused`: parameters are no longer valid; `gone`: deleted in the meantime; `failed`:
 *  worth a retry. */
export type WritingResult =
  | { readonly written: Written }
  | { readonly refused: Statement }
  | { readonly gone: string }
  | { readonly failed: string };

/** Heap limit of a writing process, in MiB. Rows are streamed; only the pages of a PDF accumulate, about 80 MiB at 100,000
 *  rows. */
const heapMiB = 160;

/** Writes a report's file in a separate process.
 *  @param signal kills the process
 *  @throws {AppError} VALIDATION_ERROR when its parameters are no longer valid; {ReportGone}; the signal's abort reason;
 *    {Error} when a retry may succeed */
export async function writeInProcess(
  { connection, clock, config }: Pick<Deps, 'connection' | 'clock' | 'config'>,
  ref: Pick<WritingOrder, 'organizationId' | 'reportId'>,
  signal: AbortSignal,
): Promise<Written> {
  signal.throwIfAborted();
  const { types: _types, ...reach } = connection;
  const { dataDir, engine, facts, clouds, connectorEnvironment } = config;
  const settings = { dataDir, engine, facts, clouds, connectorEnvironment };
  const order = { ...ref, connection: reach, config: settings, now: clock.now().toISOString() };
  const result = await run(order, { dataDir, signal });
  if ('written' in result) return result.written;
  if ('refused' in result) throw new AppError('VALIDATION_ERROR', result.refused);
  if ('gone' in result) throw new ReportGone(result.gone);
  throw new Error(`writing process: ${result.failed}`);
}

function run(
  order: WritingOrder,
  { dataDir, signal }: { readonly dataDir: string; readonly signal: AbortSignal },
): Promise<WritingResult> {
  const { promise, resolve, reject } = Promise.withResolvers<WritingResult>();
  // The child is as trusted as the server and uses the same environment variables for the database.
  const child = fork(new URL('./main.ts', import.meta.url), {
    // oxlint-disable-next-line node/no-process-env -- passed on in full, as fork does by default
    env: { ...process.env, ...codeCacheOf(dataDir) },
    execArgv: [`--max-old-space-size=${heapMiB}`, '--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const abort = () => {
    child.kill('SIGKILL');
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  child.once('message', (result: WritingResult) => resolve(result));
  child.once('error', reject);
  // Not "exit", which can arrive before the result; "close" waits until the channel is read.
  child.once('close', (code, killer) =>
    reject(new Error(`the writing process ended unexpectedly (${killer ?? `exit code ${code}`})`)),
  );
  child.send(order, (error) => error && reject(error));
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
