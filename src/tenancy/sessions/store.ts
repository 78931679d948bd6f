import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { PageRequest } from '../../kit/page.ts';
import type { Sort } from '../../kit/sort.ts';

/** Fields that the list can be sorted by, as REST spells them. */
export const sessionSortFields = ['created_at', 'last_used_at', 'expires_at'] as const;

type SessionSort = Sort<(typeof sessionSortFields)[number]>;

/** One page of a user's open sessions in any organization, and their total number. */
export async function listSessions<Select extends Prisma.SessionSelect>(
  db: Db,
  { userId, now }: { userId: string; now: Date },
  { sort, page, select }: { sort: SessionSort | null; page: PageRequest; select: Select },
): Promise<{ rows: Prisma.SessionGetPayload<{ select: Select }>[]; total: number }> {
  const where = openAt(now, { userId });
  const orderBy = [orderOf(sort), { id: 'desc' as const }];
  const [rows, total] = await Promise.all([
    db.session.findMany({ where, select, orderBy, skip: page.skip, take: page.take }),
    db.session.count({ where }),
  ]);
  return { rows, total };
}

function orderOf(sort: SessionSort | null): Prisma.SessionOrderByWithRelationInput {
  if (!sort) return { createdAt: 'desc' };
  const { field, direction } = sort;
  return {
    created_at: { createdAt: direction },
    last_used_at: { lastUsedAt: direction },
    expires_at: { expiresAt: direction },
  }[field];
}

/** Ends one open session of a user.
 *  @returns the organization that it was in; null where they have no such session open */
export async function revokeOwnSession(
  db: Db,
  session: { id: string; userId: string },
  now: Date,
): Promise<string | null> {
  const rows = await db.session.updateManyAndReturn({
    where: openAt(now, session),
    data: { revokedAt: now },
    select: { organizationId: true },
  });
  return rows[0]?.organizationId ?? null;
}

/** Ends every open session of a user but one.
 *  @param keptId null: every one
 *  @returns how many there were */
export async function revokeSessionsOf(db: Db, userId: string, keptId: string | null, now: Date): Promise<number> {
  const kept = keptId === null ? {} : { id: { not: keptId } };
  const { count } = await db.session.updateMany({ where: openAt(now, { userId, ...kept }), data: { revokedAt: now } });
  return count;
}

/** Whether a session is open at this moment. */
export async function isSessionOpen(db: Db, id: string, now: Date): Promise<boolean> {
  return (await db.session.count({ where: openAt(now, { id }) })) > 0;
}

function openAt(now: Date, where: Prisma.SessionWhereInput): Prisma.SessionWhereInput {
  return { ...where, revokedAt: null, expiresAt: { gt: now } };
}
