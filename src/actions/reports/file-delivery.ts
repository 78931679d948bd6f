import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../kit/deps.ts';
import type { Attachment } from '../../kit/mail/mail.ts';
import { orgScope, type OrgScope } from '../../tenancy/auth/scope.ts';
import { downloadUrl, openReportFile, readFile, type ReportFile } from './download.ts';
import { findOrganizationOf, loadReport } from './store.ts';

// How a report's file reaches its readers without a login: attached to the mail while mail servers take it, else behind a
// signed link.

/** Bytes of the largest file that is attached: most mail servers refuse messages above 20 to 25 MB, and base64 adds a third. */
export const attachedBytesMost = 10_000_000;

/** How long a signed link works. */
const linkMs = 7 * 86_400_000;
const msPerSecond = 1000;
const linkPurpose = 'report link';

/** An address that downloads a report's file without a login. */
export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A report's file on its way to a reader. */
export interface DeliveredFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** Null where the file is too large to attach, or the channel takes none. */
  readonly attachment: Attachment | null;
  readonly link: SignedLink;
}

/** The file of a report for a message: attached up to 10 MB where the channel takes files, and a signed link.
 *  @returns null when the report is gone or has no file */
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

/** A link to a report's file that works for 7 days without a login. */
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

/** The scope in which the holder of a signed link reads its report: the organization's, because the signature names the one
 *  report that it opens.
 *  @returns null when the token was not signed for this report, has expired, or the report is gone */
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
