import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';
import type { AccountAccess } from '../members/store.ts';

/** Statuses of an invitation. */
export const inviteStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const;

/** Status of an invitation. */
export type InviteStatus = (typeof inviteStatuses)[number];

/** The columns that determine the status of an invitation. */
export interface InviteState {
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date;
}

/** An invitation as seen by the holder of its link. */
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

/** Sortable fields of the list, in REST spelling. */
export const inviteSortFields = ['email', 'created_at', 'sent_at', 'expires_at'] as const;

/** The status of an invitation at an instant. */
export function statusOf({ acceptedAt, revokedAt, expiresAt }: InviteState, now: Date): InviteStatus {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'pending';
}

/** Filter for a status, equivalent to `statusOf`. */
function hasStatus(status: InviteStatus, now: Date): Prisma.InviteWhereInput {
  return {
    accepted: { acceptedAt: { not: null } },
    revoked: { acceptedAt: null, revokedAt: { not: null } },
    expired: { acceptedAt: null, revokedAt: null, expiresAt: { lte: now } },
    pending: { acceptedAt: null, revokedAt: null, expiresAt: { gt: now } },
  }[status];
}

/** Filter of a list of invitations; null means any. */
export interface InviteFilter {
  readonly statuses: readonly InviteStatus[] | null;
  readonly emails: readonly string[] | null;
  readonly sort: Sort<(typeof inviteSortFields)[number]> | null;
  readonly now: Date;
}

/** Reads one page of the organization's invitations, and their total number. */
export async function listInvites<Select extends Prisma.InviteSelect>(
  db: Db,
  { organizationId }: OrgScope,
  { statuses, emails, sort, now }: InviteFilter,
  { page, select }: { page: PageRequest; select: Select },
): Promise<{ rows: Prisma.InviteGetPayload<{ select: Select }>[]; total: number }> {
  const where: Prisma.InviteWhereInput = {
    organizationId,
    ...(statuses && { OR: [...new Set(statuses)].map((status) => hasStatus(status, now)) }),
    ...(emails && { email: { in: [...emails] } }),
  };
  const orderBy = [orderOf(sort), { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.invite.findMany({ where, select, orderBy, skip: page.skip, take: page.take }),
    db.invite.count({ where }),
  ]);
  return { rows, total };
}

function orderOf(sort: InviteFilter['sort']): Prisma.InviteOrderByWithRelationInput {
  if (!sort) return { createdAt: 'desc' };
  const { field, direction } = sort;
  return {
    email: { email: direction },
    created_at: { createdAt: direction },
    sent_at: { sentAt: direction },
    expires_at: { expiresAt: direction },
  }[field];
}

/** Finds one invitation of the organization; null if there is none with this id. */
export function findInvite<Select extends Prisma.InviteSelect>(
  db: Db,
  { organizationId }: OrgScope,
  id: string,
  select: Select,
): Promise<Prisma.InviteGetPayload<{ select: Select }> | null> {
  return db.invite.findUnique({ where: { organizationId_id: { organizationId, id } }, select });
}

/** Those of the addresses that belong to members of the organization. */
export async function listMemberEmails(db: Db, scope: OrgScope, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db.user.findMany({
    where: { email: { in: [...emails] }, memberships: { some: { organizationId: scope.organizationId } } },
    select: { email: true },
  });
  return new Set(rows.map((row) => row.email));
}

/** Inserts an invitation.
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

/** Replaces the link of an invitation. */
export async function renewInvite(
  db: Db,
  scope: OrgScope,
  id: string,
  link: { tokenHash: Uint8Array<ArrayBuffer>; sentAt: Date; expiresAt: Date },
): Promise<void> {
  await db.invite.updateMany({ where: { organizationId: scope.organizationId, id }, data: link });
}

/** Marks an invitation as revoked. */
export async function revokeInviteRow(db: Db, scope: OrgScope, id: string, now: Date): Promise<void> {
  await db.invite.updateMany({ where: { organizationId: scope.organizationId, id }, data: { revokedAt: now } });
}

/** Finds an invitation by the hash of its link's token. Takes no scope, because the holder of the link is not a
 *  member yet. */
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

/** Marks an invitation as accepted. */
export async function markAccepted(
  db: Db,
  invite: Pick<OpenInvite, 'id' | 'organizationId'>,
  now: Date,
): Promise<void> {
  const { id, organizationId } = invite;
  await db.invite.updateMany({ where: { organizationId, id }, data: { acceptedAt: now } });
}
