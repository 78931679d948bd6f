import pg from 'pg';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message, type Statement } from '../../kit/errors/errors.ts';
import { deleteParts, lockFile, unlockFile } from './file-store.ts';
import { ReportGone } from './file-store.ts';
import { deleteExpired, loadReport, markFailed, markReady, type Report } from './store.ts';
import { writeInProcess } from './writing/process.ts';

type GenerateDeps = Pick<Deps, 'db' | 'pool' | 'connection' | 'clock' | 'config' | 'log' | 'queue'>;

/** Identifies the report to write. */
export interface ReportRef {
  readonly organizationId: string;
  readonly reportId: string;
  /** The user who gets the file by email; absent for scheduled reports, which have recipients, and if no email was
   *  requested. */
  readonly mailTo?: string | undefined;
  /** The value of the virtual tag whose recipients get the file; absent for all others. */
  readonly forValue?: string | undefined;
}

/** Writes a report's file, once. The next run cleans up after an interrupted one. Success or failure of scheduled reports,
 *  and of reports that are to be emailed, is announced immediately.
 *  @param attempt `isLast`: a failure is final
 *  @throws the error of the writer, if it is worth a retry */
export async function generateReport(
  deps: GenerateDeps,
  { organizationId, reportId, ...to }: ReportRef,
  attempt: { readonly isLast: boolean; readonly signal: AbortSignal },
): Promise<void> {
  // A separate session holds the lock, even behind a connection pooler.
  const client = new pg.Client(deps.connection);
  client.on('error', () => {}); // its queries reject
  try {
    await client.connect();
    if (!(await lockFile(client, reportId))) throw new Error(`Report ${reportId} is being written by another worker`);
    try {
      // Read under the lock: another worker may just have finished.
      const report = await loadReport(deps.db, organizationId, reportId);
      if (report?.status === 'pending') await attemptFile(deps, client, { organizationId, report, ...to }, attempt);
    } finally {
      // Unlocked explicitly, even after a failure: a closed connection holds its lock until the database notices, and the next
      // attempt would take that for another worker.
      await unlockFile(client, reportId).catch(() => {});
    }
  } finally {
    await client.end().catch(() => {});
  }
}

async function attemptFile(
  deps: GenerateDeps,
  client: pg.ClientBase,
  ending: Ending,
  { isLast, signal }: { readonly isLast: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { report } = ending;
  try {
    await writeFile(deps, client, { ...ending, signal });
  } catch (error) {
    if (error instanceof ReportGone) return;
    // An invalid request stays invalid; being aborted is not a failure.
    const isFinal = !signal.aborted && (isLast || isRefusal(error));
    if (!isFinal) throw error;
    deps.log.warn({ err: error, reportId: report.id }, 'A report could not be created');
    await deleteParts(client, report.id);
    await settle(deps, ending, (db) => markFailed(db, report.id, reasonOf(error)));
  }
}

async function writeFile(
  deps: GenerateDeps,
  client: pg.ClientBase,
  { signal, ...ending }: Ending & { readonly signal: AbortSignal },
): Promise<void> {
  const startedMs = performance.now();
  const { organizationId, report } = ending;
  const { id: reportId, type, format } = report;
  await deleteParts(client, reportId);
  const written = await writeInProcess(deps, { organizationId, reportId }, signal);
  const isThere = await settle(deps, ending, (db) => markReady(db, reportId, written));
  if (!isThere) throw new ReportGone(`Report ${reportId} was deleted`);
  const { sizeBytes } = written;
  const durationMs = Math.round(performance.now() - startedMs);
  deps.log.info({ reportId, type, format, sizeBytes, durationMs }, 'A report was created');
}

/** A report whose file is written or has failed, and its recipient. */
interface Ending extends Omit<ReportRef, 'reportId'> {
  readonly report: Report;
}

/** Records the ending and queues its delivery in the same transaction. */
async function settle(
  deps: GenerateDeps,
  { report, ...to }: Ending,
  mark: (db: Parameters<typeof markReady>[0]) => Promise<boolean>,
): Promise<boolean> {
  return deps.db.$transaction(async (db) => {
    const isChanged = await mark(db);
    if (isChanged && (report.scheduleId !== null || to.mailTo !== undefined))
      await deps.queue.add('tell_report', { ...to, reportId: report.id }, { within: db });
    return isChanged;
  });
}

/** Deletes expired reports and their files, in all organizations. */
export async function deleteExpiredReports({ db, log }: Pick<Deps, 'db' | 'log'>, now: Date): Promise<void> {
  const deleted = await deleteExpired(db, now);
  log.info({ deleted }, 'Expired reports were deleted');
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}

function reasonOf(error: unknown): Statement {
  return isRefusal(error)
    ? error.statement
    : message`The server could not create the file; the server log has the details${fix}create the report again`;
}
