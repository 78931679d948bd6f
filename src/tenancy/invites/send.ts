import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, invalid, conflict, fix } from '../../kit/errors/errors.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import { parseEmail } from '../login/input.ts';
import type { OrgScope, Viewer } from '../auth/scope.ts';
import { invitationLetter, inviteUrl } from '../mail/letters.ts';
import { linkTokenHash, newLinkToken, queueMail } from '../mail/queue-mail.ts';
import { lockForChange, parseAccess, refuseBeyond } from '../members/manage.ts';
import { accessOf, type AccountAccess } from '../members/store.ts';
import { selectOrganization } from '../org/store.ts';
import {
  insertInvite,
  listMemberEmails,
  pageInvites,
  readInvite,
  renewInvite,
  revokeInviteRow,
  statusOf,
} from './store.ts';

type InviteDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'secrets'>;

/** Lifetime of a link in milliseconds (specification, "Limits"). */
const inviteMs = 7 * 86_400_000;

/** Maximum addresses per call. */
export const addressesPerCall = 50;

/** The result for one address. */
export interface InviteResult {
  readonly email: string;
  readonly status: 'invited' | 'already_invited' | 'already_member';
  /** Null for an existing member. */
  readonly invite: { readonly id: string } | null;
  /** Link of a new invitation, to pass on, if the server sends no emails; null otherwise. */
  readonly link: string | null;
}

/** Every result needs the address of its invitation. */
type ResultSelect = Prisma.InviteSelect & { id: true; email: true };

/** Invites people by email, all with the same role and accounts. An address with an existing invitation keeps it,
 *  and no email is sent: it can be resent separately.
 *  @param input `emails`: each may contain several, comma-separated; `accountAccess` absent or null for all
 *  accounts; `select`: columns to read of each invitation
 *  @throws {AppError} VALIDATION_ERROR naming the address or account, in which case no one is invited; FORBIDDEN for
 *  granting more access than the caller has */
export async function inviteMembers(
  deps: InviteDeps,
  viewer: Viewer,
  actor: Actor,
  input: { emails: readonly string[]; role: Role; accountAccess?: AccountAccess; select: ResultSelect },
): Promise<InviteResult[]> {
  const emails = parseAddresses(input.emails);
  return deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const access = await parseAccess(db, scope, input.accountAccess ?? null);
    const members = await listMemberEmails(db, scope, emails);
    const before = await pendingBy(db, deps, scope, { emails, select: { id: true, email: true } });
    const sender = await senderOf(db, viewer, actor);
    const links = new Map<string, string | null>();
    for (const email of emails) {
      if (members.has(email) || before.has(email)) continue;
      links.set(email, await invite(db, deps, sender, { email, role: input.role, access }));
    }
    const now = await pendingBy(db, deps, scope, { emails, select: input.select });
    return emails.map((email) => ({
      email,
      status: members.has(email) ? 'already_member' : before.has(email) ? 'already_invited' : 'invited',
      invite: members.has(email) ? null : (now.get(email) ?? null),
      link: links.get(email) ?? null,
    }));
  });
}

function parseAddresses(texts: readonly string[]): string[] {
  const addresses = texts.flatMap((text, index) => {
    const parts = text.split(',').filter((part) => part.trim() !== '');
    return parts.map((part) => parseEmail(part, `emails[${index}]`));
  });
  const emails = [...new Set(addresses)];
  if (emails.length === 0) throw invalid`${arg('emails')} must contain at least one address`;
  if (emails.length > addressesPerCall)
    throw invalid`${arg('emails')} takes at most ${addressesPerCall} addresses at once, not ${emails.length}`;
  return emails;
}

/** The inviting user and the organization. */
interface Sender {
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly organizationName: string;
}

async function senderOf(db: Db, viewer: Viewer, actor: Actor): Promise<Sender> {
  const { name: organizationName } = await selectOrganization(db, viewer.scope, { select: { name: true } });
  return { viewer, actor, organizationName };
}

async function pendingBy(
  db: Db,
  deps: Pick<Deps, 'clock'>,
  scope: OrgScope,
  { emails, select }: { emails: readonly string[]; select: ResultSelect },
): Promise<Map<string, { id: string }>> {
  const page = { skip: 0, take: emails.length };
  const { rows } = await pageInvites(
    { db, clock: deps.clock },
    scope,
    { status: ['pending'], emails },
    { ...page, select },
  );
  return new Map(rows.map((row) => [row.email, row]));
}

/** @returns see `mail` */
async function invite(
  db: Db,
  deps: InviteDeps,
  sender: Sender,
  grant: { email: string; role: Role; access: AccountAccess },
): Promise<string | null> {
  const now = deps.clock.now();
  const token = newLinkToken();
  const link = { tokenHash: linkTokenHash(token), expiresAt: new Date(now.getTime() + inviteMs) };
  const { viewer, actor } = sender;
  const { organizationId } = viewer.scope;
  const id = await insertInvite(db, { ...grant, ...link, organizationId, invitedBy: viewer.userId, now });
  const toPassOn = await mail(db, deps, sender, { ...grant, id, token, expiresAt: link.expiresAt });
  const { email, role, access } = grant;
  const details = { email, role, account_access: access === null ? null : [...access] };
  await writeAudit(db, actor, { action: 'invite_sent', resourceType: 'invite', resourceId: id, details });
  return toPassOn;
}

/** Resends an invitation, expired or not, with a new link that is valid for 7 days; the old one becomes invalid.
 *  @returns the link, to pass on, if the server sends no emails; null otherwise
 *  @throws {AppError} NOT_FOUND; CONFLICT if it was accepted or revoked; FORBIDDEN if it grants more
 *  access than the caller has */
export async function resendInvite(deps: InviteDeps, viewer: Viewer, actor: Actor, id: string): Promise<string | null> {
  return deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const found = await findUnsettled(db, deps, scope, id);
    const sentAt = deps.clock.now();
    const expiresAt = new Date(sentAt.getTime() + inviteMs);
    const token = newLinkToken();
    await renewInvite(db, scope, id, { tokenHash: linkTokenHash(token), sentAt, expiresAt });
    const link = await mail(db, deps, await senderOf(db, viewer, actor), { ...found, token, expiresAt });
    const details = { email: found.email };
    await writeAudit(db, actor, { action: 'invite_resent', resourceType: 'invite', resourceId: id, details });
    return link;
  });
}

/** Revokes an invitation, expired or not: its link becomes invalid.
 *  @throws {AppError} NOT_FOUND; CONFLICT if it was already accepted or revoked; FORBIDDEN if it grants more access
 *  than the caller has */
export async function revokeInvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const { scope } = await lockForChange(db, viewer, 'members.write');
    const found = await findUnsettled(db, deps, scope, id);
    await revokeInviteRow(db, scope, id, deps.clock.now());
    const details = { email: found.email };
    await writeAudit(db, actor, { action: 'invite_revoked', resourceType: 'invite', resourceId: id, details });
  });
}

/** Finds an invitation that can still be used or resent, and that the caller may change. */
async function findUnsettled(db: Db, { clock }: Pick<Deps, 'clock'>, scope: OrgScope, id: string) {
  const state = { acceptedAt: true, revokedAt: true, expiresAt: true };
  const access = { restricted: true, accountAccess: true };
  const found = await readInvite({ db }, scope, id, { id: true, email: true, role: true, ...access, ...state });
  refuseBeyond(scope, accessOf(found), 'invitation');
  const status = statusOf(found, clock.now());
  if (status === 'accepted')
    throw conflict`Invitation "${id}" was already accepted${fix}change or remove the member instead`;
  if (status === 'revoked') throw conflict`Invitation "${id}" was revoked${fix}invite the address again`;
  return found;
}

/** Mails an invitation.
 *  @returns its link, to pass on, if the server sends no emails; null otherwise */
async function mail(
  db: Db,
  deps: InviteDeps,
  { viewer, organizationName }: Sender,
  { id, email, role, token, expiresAt }: { id: string; email: string; role: Role; token: string; expiresAt: Date },
): Promise<string | null> {
  const invitation = { to: email, organizationName, inviterName: viewer.name, role, token, expiresAt };
  const letter = invitationLetter(deps.config, invitation);
  // The hash of the link in the key makes each resending a separate email.
  await queueMail(db, deps, letter, `invite ${id} ${linkTokenHash(token).toString('hex').slice(0, 16)}`);
  return deps.config.smtpUrl === null ? inviteUrl(deps.config, token) : null;
}
