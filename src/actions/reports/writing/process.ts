import { fork } from 'node:child_process';
import type pg from 'pg';
import type { Config } from '../../../kit/config.ts';
import { AppError, type Statement } from '../../../kit/errors.ts';
import type { Fact } from '../document.ts';
import { codeCacheOf } from '../../../kit/code-cache.ts';
import type { Deps } from '../../../kit/deps.ts';
import { ReportGone } from '../file-store.ts';

/** What a writing process is told: one report, whose lock its starter holds. */
export interface WritingOrder {
  readonly organizationId: string;
  readonly reportId: string;
  /** How to reach the database, without what only functions can say. */
  readonly connection: Omit<pg.ClientConfig, 'types'>;
  /** How to reach the fact files, and what the engine may use. */
  readonly config: Pick<Config, 'dataDir' | 'engine' | 'facts' | 'clouds' | 'connectorEnvironment'>;
  /** What time it is, ISO 8601. */
  readonly now: string;
}

/** A file that is written. */
export interface Written {
  /** The accounts that it tells of; null: all. */
  readonly accountIds: readonly string[] | null;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly keyFigures: readonly Fact[];
}

/** How the writing ended: `refused` cannot be asked any more, `gone` was deleted meanwhile, `failed` may go better next time. */
export type WritingResult =
  | { readonly written: Written }
  | { readonly refused: Statement }
  | { readonly gone: string }
  | { readonly failed: string };

/** The heap of a writing process. Rows pass through it; what grows with them are the pages of a PDF, at 100,000 rows some
 *  80 MiB. */
const heapMiB = 160;

/** Writes a report's file in a process of its own.
 *  @param signal ends the process
 *  @throws {AppError} VALIDATION_ERROR when it cannot be asked any more; {ReportGone}; what the signal was aborted with;
 *  {Error} when it may go better next time */
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
  // It is as trusted as the server, and reaches the database by the same variables.
  const child = fork(new URL('./main.ts', import.meta.url), {
    // oxlint-disable-next-line node/no-process-env -- handed on whole, as fork does by itself
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
  // Not "exit", which may be told of before the result that came first; "close" waits until the channel is read.
  child.once('close', (code, killer) =>
    reject(new Error(`the writing process ended unexpectedly (${killer ?? `exit code ${code}`})`)),
  );
  child.send(order, (error) => error && reject(error));
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
