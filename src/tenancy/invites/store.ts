import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { requireById } from '../../kit/ids.ts';
import { pageOfModel, type PageRequest } from '../../kit/page.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { Clock } from '../../kit/time/clock.ts';
import type { OrgScope } from '../auth/scope.ts';
import { accessOf, columnsOf, type AccountAccess } from '../members/store.ts';

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
export interface InviteQuery {
  readonly status?: readonly InviteStatus[] | null;
  readonly emails?: readonly string[];
  readonly sortBy?: SortBy<typeof inviteSortFields> | null;
}

/** Returns a page of the organization's invitations, newest first. */
export function pageInvites<Select extends Prisma.InviteSelect>(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { organizationId }: OrgScope,
  { status: statuses, emails, sortBy }: InviteQuery,
  page: PageRequest & { select: Select },
) {
  const where = {
    organizationId,
    ...(statuses && { OR: [...new Set(statuses)].map((status) => hasStatus(status, clock.now())) }),
    ...(emails && { email: { in: [...emails] } }),
  };
  return pageOfModel<Prisma.InviteWhereInput, Prisma.InviteGetPayload<{ select: Select }>>(
    db.invite,
    where,
    parseSort(sortBy, inviteSortFields),
    page,
  );
}

/** Returns one invitation.
 *  @throws {AppError} NOT_FOUND for an id that is unknown or of another organization */
export function readInvite<Select extends Prisma.InviteSelect>(
  { db }: { readonly db: Db },
  { organizationId }: OrgScope,
  id: string,
  select: Select,
) {
  const where = { organizationId_id: { organizationId, id } };
  return requireById('Invitation', id, () => db.invite.findUnique({ where, select }));
}

/** Returns which of the addresses belong to members of the organization. */
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
  invite: Omit<Prisma.InviteUncheckedCreateInput, 'createdAt' | 'sentAt'> & { access: AccountAccess; now: Date },
): Promise<string> {
  const { access, now, ...data } = invite;
  const sent = { ...data, ...columnsOf(access), createdAt: now, sentAt: now };
  return (await db.invite.create({ data: sent, select: { id: true } })).id;
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
export async function findByToken(db: Db, tokenHash: Uint8Array<ArrayBuffer>) {
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
  const { organization, restricted: _restricted, accountAccess: _accountAccess, ...invite } = row;
  return { ...invite, organizationName: organization.name, access: accessOf(row) };
}

/** An invitation as seen by the holder of its link. */
export type OpenInvite = NonNullable<Awaited<ReturnType<typeof findByToken>>>;

/** Marks an invitation as accepted. */
export async function markAccepted(db: Db, { id, organizationId }: OpenInvite, now: Date): Promise<void> {
  await db.invite.updateMany({ where: { organizationId, id }, data: { acceptedAt: now } });
}
