import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, invalid, notFound } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { PageRequest } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { parseEmail } from '../auth/input.ts';
import type { OrgScope, Viewer } from '../auth/scope.ts';
import { invitationLetter } from '../mail/letters.ts';
import { linkTokenHash, newLinkToken } from '../mail/link-token.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { parseAccess } from '../members/access.ts';
import { lockForChange } from '../members/acting.ts';
import type { AccountAccess } from '../members/store.ts';
import { findOrganization } from '../org/store.ts';
import {
  insertInvite,
  inviteSortFields,
  listInvites,
  listMemberEmails,
  renewInvite,
  revokeInviteRow,
  type Invite,
  type InviteStatus,
} from './store.ts';

type InviteDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'secrets'>;

/** How long a link is good (specification, "Limits"). */
const inviteMs = 7 * 86_400_000;

/** Addresses that one call takes. */
export const addressesPerCall = 50;

/** What became of one address. */
export interface InviteResult {
  readonly email: string;
  readonly status: 'invited' | 'already_invited' | 'already_member';
  /** Null for a member. */
  readonly invite: Invite | null;
}

/** Invites people by mail, all with the same role and accounts. An address that has an invitation keeps it, unsent: it can
 *  be sent again by itself.
 *  @param input `emails`: each may hold several, comma-separated; `accountAccess` absent or null: all accounts
 *  @throws {AppError} VALIDATION_ERROR naming the address or account, and nobody is invited then; FORBIDDEN for granting
 *  more than the caller may see */
export async function inviteMembers(
  deps: InviteDeps,
  viewer: Viewer,
  actor: Actor,
  input: { emails: readonly string[]; role: Role; accountAccess?: AccountAccess },
): Promise<InviteResult[]> {
  const emails = parseAddresses(input.emails);
  return deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const access = await parseAccess(db, scope, input.accountAccess ?? null);
    const members = await listMemberEmails(db, scope, emails);
    const before = await pendingBy(db, deps, scope, emails);
    const sender = await senderOf(db, viewer, actor);
    for (const email of emails) {
      if (members.has(email) || before.has(email)) continue;
      await invite(db, deps, sender, { email, role: input.role, access });
    }
    const now = await pendingBy(db, deps, scope, emails);
    return emails.map((email) => ({
      email,
      status: members.has(email) ? 'already_member' : before.has(email) ? 'already_invited' : 'invited',
      invite: members.has(email) ? null : (now.get(email) ?? null),
    }));
  });
}

function parseAddresses(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => text.split(',')).filter((part) => part.trim() !== '');
  const emails = [
    ...new Set(parts.map((part) => parseEmail(part, `emails: ${JSON.stringify(part.trim().slice(0, 80))}`))),
  ];
  if (emails.length === 0) throw invalid('emails must name at least one address');
  if (emails.length > addressesPerCall)
    throw invalid(`emails takes at most ${addressesPerCall} addresses at once, not ${emails.length}`);
  return emails;
}

/** Who invites, and to what. */
interface Sender {
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly organizationName: string;
}

async function senderOf(db: Db, viewer: Viewer, actor: Actor): Promise<Sender> {
  const { name: organizationName } = await findOrganization(db, viewer.scope, false);
  return { viewer, actor, organizationName };
}

async function pendingBy(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  scope: OrgScope,
  emails: readonly string[],
): Promise<Map<string, Invite>> {
  const filter = { statuses: ['pending'] as const, sort: null, emails, now: deps.clock.now() };
  const { rows } = await listInvites(db, scope, filter, { skip: 0, take: emails.length });
  return new Map(rows.map((row) => [row.email, row]));
}

async function invite(
  db: Db,
  deps: InviteDeps,
  sender: Sender,
  grant: { email: string; role: Role; access: AccountAccess },
): Promise<void> {
  const now = deps.clock.now();
  const token = newLinkToken();
  const link = { tokenHash: linkTokenHash(token), expiresAt: new Date(now.getTime() + inviteMs) };
  const { viewer, actor } = sender;
  const { organizationId } = viewer.scope;
  const id = await insertInvite(db, { ...grant, ...link, organizationId, invitedBy: viewer.userId, now });
  await mail(db, deps, sender, { ...grant, id, token, expiresAt: link.expiresAt });
  const { email, role, access } = grant;
  const details = { email, role, account_access: access === null ? null : [...access] };
  await writeAudit(db, actor, { action: 'invite_sent', resourceType: 'invite', resourceId: id, details });
}

/** A page of the organization's invitations, newest first.
 *  @throws {AppError} VALIDATION_ERROR when `sortBy` is not a field to sort by */
export function pageInvites(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  query: { status?: readonly InviteStatus[] | null; sortBy?: string | null },
  page: PageRequest,
): Promise<{ rows: Invite[]; total: number }> {
  const sort = parseSort(query.sortBy, inviteSortFields);
  return listInvites(deps.db, scope, { statuses: query.status ?? null, sort, now: deps.clock.now() }, page);
}

/** Sends an invitation again, expired or not, with a new link that is good for 7 days; the old one is good no more.
 *  @throws {AppError} NOT_FOUND; CONFLICT when it was accepted or taken back; FORBIDDEN when it lets see all accounts, and
 *  the caller does not */
export async function resendInvite(deps: InviteDeps, viewer: Viewer, actor: Actor, id: string): Promise<Invite> {
  return deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const found = await findInvite(db, deps, scope, id);
    refuseSettled(found);
    if (found.accountAccess === null) await parseAccess(db, scope, null);
    const sentAt = deps.clock.now();
    const expiresAt = new Date(sentAt.getTime() + inviteMs);
    const token = newLinkToken();
    await renewInvite(db, scope, id, { tokenHash: linkTokenHash(token), sentAt, expiresAt });
    await mail(db, deps, await senderOf(db, viewer, actor), { ...found, token, expiresAt });
    const details = { email: found.email };
    await writeAudit(db, actor, { action: 'invite_resent', resourceType: 'invite', resourceId: id, details });
    return findInvite(db, deps, scope, id);
  });
}

/** Takes an invitation back, expired or not: its link is good no more.
 *  @throws {AppError} NOT_FOUND; CONFLICT when it was accepted or taken back already */
export async function revokeInvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const found = await findInvite(db, deps, scope, id);
    refuseSettled(found);
    await revokeInviteRow(db, scope, id, deps.clock.now());
    const details = { email: found.email };
    await writeAudit(db, actor, { action: 'invite_revoked', resourceType: 'invite', resourceId: id, details });
  });
}

async function findInvite(db: Db, deps: Pick<Deps, 'clock'>, scope: OrgScope, id: string): Promise<Invite> {
  const filter = { statuses: null, sort: null, ids: [id], now: deps.clock.now() };
  const { rows } = isUuid(id) ? await listInvites(db, scope, filter, { skip: 0, take: 1 }) : { rows: [] };
  if (!rows[0]) throw notFound('Invitation', id);
  return rows[0];
}

function refuseSettled({ id, status }: Invite): void {
  if (status === 'accepted')
    throw new AppError('CONFLICT', `Invitation "${id}" was accepted already: change or remove the member instead`);
  if (status === 'revoked')
    throw new AppError('CONFLICT', `Invitation "${id}" was taken back: invite the address anew`);
}

async function mail(
  db: Db,
  deps: InviteDeps,
  { viewer, organizationName }: Sender,
  { id, email, role, token, expiresAt }: { id: string; email: string; role: Role; token: string; expiresAt: Date },
): Promise<void> {
  const invitation = { to: email, organizationName, inviterName: viewer.name, role, token, expiresAt };
  const letter = invitationLetter(deps.config, invitation);
  // The link's own hash makes each sending a mail of its own.
  await queueMail(db, deps, letter, `invite ${id} ${linkTokenHash(token).toString('hex').slice(0, 16)}`);
}
