import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import {
  answerLogin,
  type Login,
  type LoginMethod,
  openSession,
  type OpenSession,
  type Origin,
} from '../sessions/open.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, fix, invalid, operation, unauthorized } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { writeAudit } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import { lockSession, revokeSession, type StoredSession } from '../sessions/store.ts';
import { findMembership, lockMembers } from '../members/store.ts';

/** An organization of a user. */
interface OwnOrganization {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Lists the user's organizations by name. Unpaged, since users join only a few.
 *  @param only this one; null for all */
async function listOrganizations(db: Db, userId: string, only: string | null): Promise<OwnOrganization[]> {
  const rows = await db.membership.findMany({
    where: { userId, ...(only !== null && { organizationId: only }) },
    select: { role: true, organization: { select: { id: true, name: true } } },
    orderBy: [{ organization: { name: 'asc' } }, { id: 'asc' }],
  });
  return rows.map(({ role, organization }) => ({ ...organization, role }));
}

/** Authentication method of a session. */
async function readMethod(db: Db, sessionId: string): Promise<LoginMethod> {
  const [row] = await db.$queryRaw<[{ method: LoginMethod }]>`/* readMethod */
    SELECT method FROM sessions WHERE id = ${sessionId}::uuid`;
  return row.method;
}

/** Gives a session the times of the login that it continues. */
async function continueLogin(
  db: Db,
  id: string,
  { createdAt, expiresAt }: Pick<StoredSession, 'createdAt' | 'expiresAt'>,
): Promise<void> {
  await db.session.update({ where: { id }, data: { createdAt, expiresAt }, select: { id: true } });
}

/** The organizations that the caller can access: all of theirs; with an API token, only the token's. */
export function ownOrganizations(deps: Pick<Deps, 'db'>, viewer: Viewer): Promise<OwnOrganization[]> {
  return listOrganizations(deps.db, viewer.userId, viewer.token && viewer.scope.organizationId);
}

/** Moves the caller's session to another of their organizations: opens a new session there and ends the old one, so
 *  that no token is valid in both. It keeps the time of the login and the expiry, since switching is not a login.
 *  @throws {AppError} VALIDATION_ERROR if they do not belong to it; UNAUTHORIZED if the session ended concurrently */
export async function switchOrganization(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>,
  viewer: Viewer,
  origin: Origin,
  organizationId: string,
): Promise<Login> {
  const session = await deps.db.$transaction(async (db) => {
    // Same lock order as removing a member: the organization, then the session.
    await refuseForeign(db, viewer, organizationId);
    const left = await lockOwnSession(db, deps, viewer);
    const actor = { organizationId, userId: viewer.userId, email: viewer.email, ...origin };
    const opened = await openSession(db, deps, actor, await readMethod(db, left.id));
    await continueLogin(db, opened.sessionId, left);
    await revokeSession(db, left.id, deps.clock.now());
    // Neither log mentions the other organization: a user's other memberships are private.
    const entry = { action: 'organization_switched', resourceType: 'session' } as const;
    const leaving = { ...actor, organizationId: left.organizationId };
    await writeAudit(db, leaving, { ...entry, resourceId: left.id, details: { direction: 'left' } });
    await writeAudit(db, actor, { ...entry, resourceId: opened.sessionId, details: { direction: 'entered' } });
    return { ...opened, expiresAt: left.expiresAt } satisfies OpenSession;
  });
  return answerLogin(deps, session);
}

async function lockOwnSession(db: Db, deps: Pick<Deps, 'clock'>, viewer: Viewer): Promise<StoredSession> {
  const session = viewer.sessionId === null ? null : await lockSession(db, viewer.sessionId);
  if (!session || session.revokedAt !== null || session.expiresAt <= deps.clock.now())
    throw unauthorized`The session has ended${fix}sign in again`;
  return session;
}

async function refuseForeign(db: Db, viewer: Viewer, organizationId: string): Promise<void> {
  if (isUuid(organizationId)) {
    await lockMembers(db, organizationId);
    if (await findMembership(db, organizationId, { userId: viewer.userId })) return;
  }
  throw invalid`${arg('organization_id', organizationId)} is not one of your organizations${fix}see the organizations of ${operation('GET /auth/me')}`;
}
