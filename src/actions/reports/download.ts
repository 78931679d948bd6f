import type { Config } from '../../kit/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message } from '../../kit/errors.ts';
import { about, sentence, storedError } from '../../kit/stored-error.ts';
import { writeAudit, type Actor } from '../../tenancy/audit/store.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { partBytes, readPart } from './chunk-store.ts';
import { mediaTypes } from './kinds.ts';
import { requireReport } from './reports.ts';

/** Seconds after which a report that is being written is worth asking for again. */
const retryAfterSeconds = 2;

/** A report's file. */
export interface ReportFile {
  readonly reportId: string;
  readonly size: number;
  /** Of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** Letters, digits, hyphens and one dot: safe in every header and file system. */
  readonly name: string;
  readonly mediaType: string;
}

/** Bytes of a file: from the first one up to, and with, the last. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Where a report's file is. */
export function downloadUrl({ publicUrl }: Pick<Config, 'publicUrl'>, reportId: string): string {
  return `${publicUrl}/api/v1/reports/${reportId}/download`;
}

/** The file of a report that lies wholly inside the caller's accounts.
 *  @throws {AppError} NOT_FOUND for a report that is unknown, expired, another organization's, or outside the scope alike;
 *  CONFLICT while it has no file, with `Retry-After`, and when it failed, with the reason */
export async function openReportFile(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  id: string,
): Promise<ReportFile> {
  const report = await requireReport(deps, scope, id);
  const { type, format, status, failure, startDate, endDate, sizeBytes, sha256 } = report;
  if (status === 'failed')
    throw new AppError(
      'CONFLICT',
      about(
        `Report "${id}" could not be created: `,
        storedError(failure) ?? sentence('the server log has the details'),
      ),
    );
  if (status === 'pending' || sizeBytes === null || sha256 === null)
    throw new AppError('CONFLICT', message`Report "${id}" is not ready yet${fix}try again in ${retryAfterSeconds} s`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  const name = `${type.replaceAll('_', '-')}-${startDate}-${endDate}.${format}`;
  return { reportId: id, size: sizeBytes, sha256, name, mediaType: mediaTypes[format] };
}

/** Notes that a file, or a part of it, is being taken away. */
export async function recordDownload(
  { db }: Pick<Deps, 'db'>,
  actor: Actor,
  file: ReportFile,
  range: ByteRange | null,
): Promise<void> {
  await writeAudit(db, actor, {
    action: 'data_exported',
    resourceType: 'report',
    resourceId: file.reportId,
    details: { operation: 'downloadReport', file: file.name, bytes: file.size, ...(range && { range: { ...range } }) },
  });
}

/** Reads a file part by part, as fast as it is taken.
 *  @throws {Error} when the report is deleted meanwhile */
export async function* readFile(
  { pool }: Pick<Deps, 'pool'>,
  { reportId }: ReportFile,
  { first, last }: ByteRange,
): AsyncGenerator<Buffer> {
  for (let at = first; at <= last;) {
    const part = Math.floor(at / partBytes);
    const bytes = await readPart(pool, reportId, part);
    if (!bytes) throw new Error(`Report ${reportId} was deleted while it was being sent`);
    const start = part * partBytes;
    const slice = bytes.subarray(at - start, last + 1 - start);
    if (slice.length === 0) throw new Error(`Report ${reportId} is shorter than its stored size`);
    at += slice.length;
    yield slice;
  }
}
