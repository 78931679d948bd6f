import { timingSafeEqual } from 'node:crypto';
import type { Config } from '../../kit/config/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { about, sentence, storedError } from '../../kit/errors/stored-error.ts';
import { type Actor, writeAudit } from '../../tenancy/audit/store.ts';
import { type OrgScope, orgScope } from '../../tenancy/auth/scope.ts';
import { partBytes, readPart } from './file-store.ts';
import { mediaTypes, showbackValue } from './kinds.ts';
import type { Attachment } from '../../kit/mail/mail.ts';
import { findOrganizationOf, loadReport, requireReport } from './store.ts';

/** Retry-After for a report that is still being written, in seconds. */
const retryAfterSeconds = 2;

export interface ReportFile {
  readonly reportId: string;
  readonly size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Letters, digits, hyphens and one dot: safe in every header and file system. */
  readonly name: string;
  readonly mediaType: string;
}

/** A range of bytes, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the download URL of a report's file. */
export function downloadUrl({ publicUrl }: Pick<Config, 'publicUrl'>, reportId: string): string {
  return `${publicUrl}/api/v1/reports/${reportId}/download`;
}

/** Opens the file of a report that is entirely inside the caller's accounts.
 *  @throws {AppError} NOT_FOUND for a report that is unknown, expired, another organization's, or outside the scope alike;
 *    CONFLICT while it has no file, with `Retry-After`, and when it failed, with the reason */
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
  const subject = [type.replaceAll('_', '-'), slugOf(showbackValue(report.filters) ?? '')].filter(Boolean);
  const name = `${subject.join('-')}-${startDate}-${endDate}.${format}`;
  return { reportId: id, size: sizeBytes, sha256, name, mediaType: mediaTypes[format] };
}

/** Returns a text as part of a file name: letters, digits and hyphens. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/giu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, 40);
}

/** Audits the download of a file or a part of it. */
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

/** Streams a file part by part, at the consumer's pace.
 *  @throws {Error} when the report is deleted in the meantime */
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

// Delivers a report's file without a login: attached to the email if it is small enough for mail servers, otherwise through a
// signed link.

/** Maximum size of an attachment, in bytes: most mail servers reject messages above 20 to 25 MB, and base64 adds a third. */
export const attachedBytesMost = 10_000_000;

/** Validity of a signed link, in ms: 7 days. */
const linkMs = 7 * 86_400_000;
const msPerSecond = 1000;
const linkPurpose = 'report link';

/** A URL that downloads a report's file without a login. */
interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A report's file for a message. */
export interface DeliveredFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Null if the file is too large to attach, or the channel does not support attachments. */
  readonly attachment: Attachment | null;
  readonly link: SignedLink;
}

/** Returns the file of a report for a message: attached up to 10 MB if the channel supports files, and a signed link.
 *  @returns null if the report is gone or has no file */
export async function fileToDeliver(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>,
  { organizationId, reportId }: { readonly organizationId: string; readonly reportId: string },
  { canAttach }: { readonly canAttach: boolean },
): Promise<DeliveredFile | null> {
  const report = await loadReport(deps.db, organizationId, reportId);
  if (report?.status !== 'ready' || report.expiresAt <= deps.clock.now()) return null;
  const file = await openReportFile(deps, orgScope(organizationId, null), reportId);
  const isAttached = canAttach && file.size <= attachedBytesMost;
  return {
    name: file.name,
    sizeBytes: file.size,
    attachment: isAttached ? await attachmentOf(deps, file) : null,
    link: signLink(deps, reportId),
  };
}

async function attachmentOf(deps: Pick<Deps, 'pool'>, file: ReportFile): Promise<Attachment> {
  const parts: Buffer[] = [];
  for await (const part of readFile(deps, file, { first: 0, last: file.size - 1 })) parts.push(part);
  return { name: file.name, mediaType: file.mediaType, bytes: Buffer.concat(parts) };
}

/** Creates a link that downloads a report's file without a login for 7 days. */
export function signLink(
  { clock, config, secrets }: Pick<Deps, 'clock' | 'config' | 'secrets'>,
  reportId: string,
): SignedLink {
  const expires = Math.floor((clock.now().getTime() + linkMs) / msPerSecond);
  const signature = Buffer.from(secrets.hmac(linkPurpose, signedText(reportId, expires))).toString('base64url');
  return {
    url: `${downloadUrl(config, reportId)}?token=${expires}.${signature}`,
    expiresAt: new Date(expires * msPerSecond),
  };
}

/** Returns the scope for a signed link: the whole organization, because the signature is limited to one report.
 *  @returns null if the token was not signed for this report, has expired, or the report is gone */
export async function scopeOfLink(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  reportId: string,
  token: string,
): Promise<OrgScope | null> {
  const [, expires = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const isSigned = secrets
    .hmacs(linkPurpose, signedText(reportId, Number(expires)))
    .some((known) => known.length === given.length && timingSafeEqual(known, given));
  if (!isSigned || Number(expires) * msPerSecond <= clock.now().getTime()) return null;
  const organizationId = await findOrganizationOf(db, reportId);
  return organizationId === null ? null : orgScope(organizationId, null);
}

function signedText(reportId: string, expires: number): string {
  return `${reportId} ${expires}`;
}
