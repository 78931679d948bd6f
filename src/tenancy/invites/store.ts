import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';
import { visibleAccess, type AccountAccess } from '../members/store.ts';

/** How an invitation stands. */
export const inviteStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const;

/** One of them. */
export type InviteStatus = (typeof inviteStatuses)[number];

/** An invitation as Admins see it: never its token. */
export interface Invite {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** Null: all accounts. Of a list, those that exist and that the reader may see. */
  readonly accountAccess: string[] | null;
  readonly status: InviteStatus;
  /** Null: nobody of the organization any more. */
  readonly inviterId: string | null;
  readonly inviterEmail: string | null;
  readonly inviterName: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
}

/** An invitation as the holder of its link finds it. */
export interface OpenInvite {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly role: Role;
  readonly access: AccountAccess;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Fields that the list can be sorted by, as REST spells them. */
export const inviteSortFields = ['email', 'created_at', 'sent_at', 'expires_at'] as const;

/** Which invitations a list shows; null means any. */
export interface InviteFilter {
  readonly statuses: readonly InviteStatus[] | null;
  readonly sort: Sort<(typeof inviteSortFields)[number]> | null;
  readonly ids?: readonly string[];
  readonly emails?: readonly string[];
  readonly now: Date;
}

/** One page of the organization's invitations, and how many there are in all. */
export async function listInvites(
  db: Db,
  scope: OrgScope,
  filter: InviteFilter,
  page: PageRequest,
): Promise<{ rows: Invite[]; total: number }> {
  const from = Prisma.sql`FROM invites i LEFT JOIN users u ON u.id = i.invited_by WHERE ${conditions(scope, filter)}`;
  const [rows, [count]] = await Promise.all([
    db.$queryRaw<Invite[]>`/* listInvites */
      SELECT i.id, i.email, i.role::text AS role, ${statusAt(filter.now)} AS status, u.id AS "inviterId",
             u.email AS "inviterEmail", u.name AS "inviterName", i.created_at AS "createdAt", i.sent_at AS "sentAt",
             i.expires_at AS "expiresAt", i.accepted_at AS "acceptedAt",
             CASE WHEN i.restricted THEN ${visibleAccess(scope, 'i')} END AS "accountAccess"
      ${from} ORDER BY ${orderOf(filter.sort)}, i.id DESC LIMIT ${page.take} OFFSET ${page.skip}`,
    db.$queryRaw<{ total: number }[]>`/* countInvites */ SELECT count(*)::int AS total ${from}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

function conditions(scope: OrgScope, { statuses, ids, emails, now }: InviteFilter): Prisma.Sql {
  const all = [
    Prisma.sql`i.organization_id = ${scope.organizationId}::uuid`,
    ...(statuses === null ? [] : [Prisma.sql`${statusAt(now)} = ANY(${[...statuses]})`]),
    ...(ids === undefined ? [] : [Prisma.sql`i.id = ANY(${[...ids]}::uuid[])`]),
    ...(emails === undefined ? [] : [Prisma.sql`i.email = ANY(${[...emails]})`]),
  ];
  return Prisma.join(all, ' AND ');
}

function statusAt(now: Date): Prisma.Sql {
  return Prisma.sql`CASE WHEN i.accepted_at IS NOT NULL THEN 'accepted' WHEN i.revoked_at IS NOT NULL THEN 'revoked'
    WHEN i.expires_at <= ${now} THEN 'expired' ELSE 'pending' END`;
}

function orderOf(sort: InviteFilter['sort']): Prisma.Sql {
  if (!sort) return Prisma.raw('i.created_at DESC');
  return Prisma.raw(`i.${sort.field} ${sort.direction}`);
}

/** Those of the addresses that are members of the organization. */
export async function listMemberEmails(db: Db, scope: OrgScope, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db.user.findMany({
    where: { email: { in: [...emails] }, memberships: { some: { organizationId: scope.organizationId } } },
    select: { email: true },
  });
  return new Set(rows.map((row) => row.email));
}

/** Keeps a new invitation.
 *  @returns its id */
export async function insertInvite(
  db: Db,
  invite: {
    organizationId: string;
    email: string;
    role: Role;
    access: AccountAccess;
    tokenHash: Uint8Array<ArrayBuffer>;
    invitedBy: string;
    now: Date;
    expiresAt: Date;
  },
): Promise<string> {
  const { access, now, ...data } = invite;
  const granted = { restricted: access !== null, accountAccess: access === null ? [] : [...access] };
  const row = await db.invite.create({
    data: { ...data, ...granted, createdAt: now, sentAt: now },
    select: { id: true },
  });
  return row.id;
}

/** Gives an invitation a new link. */
export async function renewInvite(
  db: Db,
  scope: OrgScope,
  id: string,
  link: { tokenHash: Uint8Array<ArrayBuffer>; sentAt: Date; expiresAt: Date },
): Promise<void> {
  await db.invite.updateMany({ where: { organizationId: scope.organizationId, id }, data: link });
}

/** Takes an invitation back. */
export async function revokeInviteRow(db: Db, scope: OrgScope, id: string, now: Date): Promise<void> {
  await db.invite.updateMany({ where: { organizationId: scope.organizationId, id }, data: { revokedAt: now } });
}

/** The invitation whose link holds the token of this hash. No scope: who holds the link is no member yet. */
export async function findByToken(db: Db, tokenHash: Uint8Array<ArrayBuffer>): Promise<OpenInvite | null> {
  const row = await db.invite.findUnique({
    where: { tokenHash },
    select: {
      id: true,
      organizationId: true,
      email: true,
      role: true,
      restricted: true,
      accountAccess: true,
      expiresAt: true,
      acceptedAt: true,
      revokedAt: true,
      organization: { select: { name: true } },
    },
  });
  if (!row) return null;
  const { organization, restricted, accountAccess, ...invite } = row;
  return { ...invite, organizationName: organization.name, access: restricted ? accountAccess : null };
}

/** Notes that an invitation was used. */
export async function markAccepted(
  db: Db,
  invite: Pick<OpenInvite, 'id' | 'organizationId'>,
  now: Date,
): Promise<void> {
  const { id, organizationId } = invite;
  await db.invite.updateMany({ where: { organizationId, id }, data: { acceptedAt: now } });
}
