import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { type Listed, pageOfModel, type Rows } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import type { Viewer } from '../auth/scope.ts';

/** Sortable fields of the list, in REST spelling. */
export const tokenSortFields = ['name', 'created_at', 'expires_at', 'last_used_at'] as const;

type Owner = Pick<Viewer, 'userId' | 'scope'>;

const shown = {
  id: true,
  name: true,
  lastFour: true,
  readOnly: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} as const;

/** An API token as shown to its owner, without the token itself. */
export type ApiToken = Prisma.ApiTokenGetPayload<{ select: typeof shown }>;

/** Returns a page of the caller's tokens in this organization, newest first, including expired ones. */
export function pageTokens(
  { db }: { readonly db: Db },
  owner: Owner,
  { sortBy, ...page }: Listed<typeof tokenSortFields, { id: true }>,
): Rows {
  const nullable = ['expires_at', 'last_used_at'];
  return pageOfModel(db.apiToken, ownedBy(owner), parseSort(sortBy, tokenSortFields), { ...page, nullable });
}

/** Counts the caller's tokens in this organization. Locks their membership until the transaction ends, so that two
 *  concurrent requests cannot both take the last slot; null if the membership has ended. */
export async function lockAndCountTokens(db: Db, owner: Owner): Promise<number | null> {
  const { organizationId } = owner.scope;
  const own = await db.$queryRaw<unknown[]>`/* lockAndCountTokens */
    SELECT 1 FROM memberships
    WHERE organization_id = ${organizationId}::uuid AND user_id = ${owner.userId}::uuid FOR UPDATE`;
  // A separate statement: the one that waited for the lock would count with the snapshot from before the wait.
  return own.length === 0 ? null : db.apiToken.count({ where: ownedBy(owner) });
}

/** Inserts a token of the caller. */
export function insertToken(
  db: Db,
  owner: Owner,
  token: Omit<Prisma.ApiTokenUncheckedCreateInput, 'organizationId' | 'userId'>,
): Promise<ApiToken> {
  return db.apiToken.create({ data: { ...ownedBy(owner), ...token }, select: shown });
}

/** Deletes a token of the caller; null if they have none with this id. */
export async function deleteToken(db: Db, owner: Owner, id: string): Promise<Pick<ApiToken, 'name'> | null> {
  const token = await db.apiToken.findFirst({ where: { ...ownedBy(owner), id }, select: { name: true } });
  if (!token) return null;
  // Only one of two concurrent deletions succeeds.
  const { count } = await db.apiToken.deleteMany({ where: { ...ownedBy(owner), id } });
  return count > 0 ? token : null;
}

/** Deletes all tokens of a user, in all of their organizations.
 *  @returns their number */
export async function deleteTokensOf(db: Db, userId: string): Promise<number> {
  return (await db.apiToken.deleteMany({ where: { userId } })).count;
}

function ownedBy({ userId, scope }: Owner) {
  return { organizationId: scope.organizationId, userId };
}
