import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { inOrderOf, type PageRequest } from '../../kit/page.ts';
import { requireById } from '../../kit/ids.ts';
import { parseSort, type SortBy } from '../../kit/sort.ts';
import type { OrgScope } from '../auth/scope.ts';

/** Accessible accounts: null for all; a list for only those; empty for none. */
export type AccountAccess = readonly string[] | null;

/** The accessible accounts that a membership's or an invitation's columns state. */
export function accessOf({ restricted, accountAccess }: { restricted: boolean; accountAccess: string[] }) {
  return restricted ? accountAccess : null;
}

/** The columns that state accessible accounts. */
export function columnsOf(access: AccountAccess) {
  return { restricted: access !== null, accountAccess: [...(access ?? [])] };
}

/** The current state of a membership. */
export interface Membership {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly access: AccountAccess;
}

/** Sortable fields of the list, in REST spelling. */
export const memberSortFields = ['name', 'email', 'joined_at', 'last_login_at'] as const;

/** Filter of a list of members; null means any. */
export interface MemberQuery {
  readonly role?: readonly Role[] | null;
  /** Substring of the name or address, case-insensitive. */
  readonly search?: string | null;
  readonly sortBy?: SortBy<typeof memberSortFields> | null;
}

/** Returns a page of the organization's members, latest joined first. */
export async function pageMembers(
  { db }: { readonly db: Db },
  scope: OrgScope,
  query: MemberQuery,
  { select, ...page }: PageRequest & { select: { id: true } },
): Promise<{ rows: { id: string }[]; total: number }> {
  const from = Prisma.sql`FROM memberships m JOIN users u ON u.id = m.user_id WHERE ${conditions(scope, query)}`;
  const [found, [count]] = await Promise.all([
    db.$queryRaw<{ id: string }[]>`/* listMemberIds */
      SELECT m.id ${from} ORDER BY ${orderOf(query.sortBy)}, m.id DESC LIMIT ${page.take} OFFSET ${page.skip}`,
    db.$queryRaw<{ total: number }[]>`/* countMembers */ SELECT count(*)::int AS total ${from}`,
  ]);
  const ids = found.map(({ id }) => id);
  const where = { organizationId: scope.organizationId, id: { in: ids } };
  return { rows: inOrderOf(ids, await db.membership.findMany({ where, select })), total: count?.total ?? 0 };
}

/** Returns one member.
 *  @throws {AppError} NOT_FOUND for an id that is unknown or of another organization */
export function readMember(
  { db }: { readonly db: Db },
  { organizationId }: OrgScope,
  id: string,
  select: { id: true },
): Promise<{ id: string }> {
  return requireById('Member', id, () => db.membership.findFirst({ where: { organizationId, id }, select }));
}

/** Reads the selected columns of the latest joined members. */
export function selectNewestMembers(
  db: Db,
  { organizationId }: OrgScope,
  take: number,
  query: Pick<Prisma.MembershipDefaultArgs, 'select' | 'include'>,
) {
  return db.membership.findMany({
    ...query,
    where: { organizationId },
    orderBy: [{ joinedAt: 'desc' }, { id: 'desc' }],
    take,
  });
}

function conditions(scope: OrgScope, { role: roles, search = null }: MemberQuery): Prisma.Sql {
  const all = [
    Prisma.sql`m.organization_id = ${scope.organizationId}::uuid`,
    ...(roles ? [Prisma.sql`m.role::text = ANY(${[...roles]})`] : []),
    ...(search === null
      ? []
      : [Prisma.sql`(strpos(lower(u.name), lower(${search})) > 0 OR strpos(u.email, lower(${search})) > 0)`]),
  ];
  return Prisma.join(all, ' AND ');
}

function orderOf(sortBy: MemberQuery['sortBy']): Prisma.Sql {
  const { field, direction } = parseSort(sortBy, memberSortFields) ?? { field: 'joined_at', direction: 'desc' };
  const columns = {
    name: 'lower(u.name)',
    email: 'u.email',
    joined_at: 'm.joined_at',
    last_login_at: 'u.last_login_at',
  };
  return Prisma.raw(`${columns[field]} ${direction} NULLS LAST`);
}

/** Locks the organization's members until the transaction ends, so that changes are serialized. */
export async function lockMembers(db: Db, organizationId: string): Promise<void> {
  // Does not block rows that only reference the organization, such as audit entries.
  await db.$executeRaw`/* lockMembers */ SELECT 1 FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
}

/** Finds the membership of a user, by its id, or of the Super Admin; null if there is none. */
export async function findMembership(
  db: Db,
  organizationId: string,
  by: { userId: string } | { id: string } | { role: typeof Role.super_admin },
): Promise<Membership | null> {
  const row = await db.membership.findFirst({
    where: { organizationId, ...by },
    select: {
      id: true,
      userId: true,
      role: true,
      restricted: true,
      accountAccess: true,
      user: { select: { email: true } },
    },
  });
  if (!row) return null;
  const { id, userId, role, user } = row;
  return { id, userId, email: user.email, role, access: accessOf(row) };
}

/** Changes a membership. */
export async function updateMembership(
  db: Db,
  organizationId: string,
  id: string,
  { role, access }: Pick<Membership, 'role' | 'access'>,
): Promise<void> {
  await db.membership.updateMany({ where: { organizationId, id }, data: { role, ...columnsOf(access) } });
}

/** Makes a user a member. */
export async function insertMembership(
  db: Db,
  membership: { organizationId: string; userId: string; role: Role; access: AccountAccess; joinedAt: Date },
): Promise<void> {
  const { access, ...data } = membership;
  await db.membership.create({ data: { ...data, ...columnsOf(access) }, select: { id: true } });
}

/** Locks a membership that ends: waits for open transactions that add records of the member (`holdMember`), and lets later ones
 *  see that it has ended. */
export async function lockMembership(db: Db, organizationId: string, id: string): Promise<void> {
  await db.$executeRaw`/* lockMembership */ SELECT 1 FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND id = ${id}::uuid FOR UPDATE`;
}

/** Deletes a membership with its sessions and API tokens. */
export async function deleteMembership(db: Db, organizationId: string, id: string): Promise<void> {
  await db.membership.deleteMany({ where: { organizationId, id } });
}

/** Returns which of the ids are accounts in the scope, connected or not. */
export async function knownAccounts(db: Db, scope: OrgScope, ids: readonly string[]): Promise<Set<string>> {
  const own = scope.accountIds === null ? ids : ids.filter((id) => scope.accountIds?.includes(id));
  const where = { organizationId: scope.organizationId, id: { in: [...own] } };
  const rows = await db.account.findMany({ where, select: { id: true } });
  return new Set(rows.map((row) => row.id));
}
