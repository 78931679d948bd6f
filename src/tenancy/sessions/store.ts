import type pg from 'pg';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { orgScope, type Viewer } from '../auth/scope.ts';
import type { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Deps } from '../../kit/deps.ts';
import { type Listed, pageOfModel } from '../../kit/page.ts';
import { parseSort } from '../../kit/sort.ts';
import { refreshTokenMs } from './refresh-token.ts';

/** A session with the columns that a refresh needs. */
export interface StoredSession {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly refreshHash: Uint8Array;
  /** Time of the login. */
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date;
  readonly revokedAt: Date | null;
}

interface ViewerRow {
  userId: string;
  email: string;
  name: string;
  organizationId: string;
  role: Role;
  restricted: boolean;
  accountAccess: string[];
  twoFactorSetupRequired: boolean;
}

type TokenRow = ViewerRow & { tokenId: string; readOnly: boolean; lastUsedAt: Date | null };

// Columns of a membership `m`, its user `u` and its organization `o`. A user's passkeys are indexed, and are only
// queried if a second factor is required and TOTP is not set up.
const viewerColumns = `u.id AS "userId", u.email, u.name, m.organization_id AS "organizationId", m.role::text AS role,
         m.restricted, m.account_access AS "accountAccess",
         CASE WHEN o.require_two_factor AND u.totp_confirmed_at IS NULL
              THEN NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id)
              ELSE false END AS "twoFactorSetupRequired"`;

// The single query of every authenticated request, using only primary and unique keys. A named statement, so that
// each connection plans it once.
const viewerSql = `/* findViewer */
  SELECT ${viewerColumns}
  FROM sessions s
  JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
  JOIN users u ON u.id = s.user_id
  JOIN organizations o ON o.id = s.organization_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3`;

/** The caller of a session, with current role and scope; null if it or the membership has ended. */
export async function findViewer(
  pool: pg.Pool,
  session: { sessionId: string; userId: string },
  now: Date,
): Promise<Viewer | null> {
  const values = [session.sessionId, session.userId, now];
  const { rows } = await pool.query<ViewerRow>({ name: 'find-viewer', text: viewerSql, values });
  const row = rows[0];
  return row ? viewerFrom(row, { sessionId: session.sessionId, token: null }) : null;
}

const tokenViewerSql = `/* findTokenViewer */
  SELECT ${viewerColumns}, t.id AS "tokenId", t.read_only AS "readOnly", t.last_used_at AS "lastUsedAt"
  FROM api_tokens t
  JOIN memberships m ON m.organization_id = t.organization_id AND m.user_id = t.user_id
  JOIN users u ON u.id = t.user_id
  JOIN organizations o ON o.id = t.organization_id
  WHERE t.token_hash = $1 AND (t.expires_at IS NULL OR t.expires_at > $2)`;

/** The caller of an API token by its hash, with current role and scope; null if it is unknown, expired or revoked. */
export async function findTokenViewer(
  pool: pg.Pool,
  tokenHash: Buffer,
  now: Date,
): Promise<{ viewer: Viewer; tokenId: string; lastUsedAt: Date | null } | null> {
  const query = { name: 'find-token-viewer', text: tokenViewerSql, values: [tokenHash, now] };
  const row = (await pool.query<TokenRow>(query)).rows[0];
  if (!row) return null;
  const { tokenId, readOnly, lastUsedAt } = row;
  return { viewer: viewerFrom(row, { sessionId: null, token: { id: tokenId, readOnly } }), tokenId, lastUsedAt };
}

/** Records the use of a token, unless another request has recorded one since `before`. */
export async function touchToken(pool: pg.Pool, tokenId: string, now: Date, before: Date): Promise<void> {
  const text = `/* touchToken */
    UPDATE api_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`;
  await pool.query(text, [tokenId, now, before]);
}

function viewerFrom(row: ViewerRow, way: Pick<Viewer, 'sessionId' | 'token'>): Viewer {
  const { userId, email, name, role, twoFactorSetupRequired } = row;
  const scope = orgScope(row.organizationId, row.restricted ? row.accountAccess : null, userId);
  return { userId, email, name, role, ...way, twoFactorSetupRequired, scope };
}

/** Inserts a session. */
export async function insertSession(
  db: Db,
  session: Omit<Prisma.SessionUncheckedCreateInput, 'lastUsedAt'> & { createdAt: Date },
): Promise<void> {
  const { userId: id, createdAt } = session;
  await db.session.create({ data: { ...session, lastUsedAt: createdAt }, select: { id: true } });
  await db.user.update({ where: { id }, data: { lastLoginAt: createdAt }, select: { id: true } });
}

/** Reads and locks a session until the transaction ends, so that its refreshes are serialized. */
export async function lockSession(db: Db, sessionId: string): Promise<StoredSession | null> {
  const rows = await db.$queryRaw<StoredSession[]>`/* lockSession */
    SELECT s.id, s.organization_id AS "organizationId", s.user_id AS "userId", u.email, s.refresh_hash AS "refreshHash",
           s.created_at AS "createdAt", s.expires_at AS "expiresAt", s.last_used_at AS "lastUsedAt", s.revoked_at AS "revokedAt"
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = ${sessionId}::uuid FOR UPDATE OF s`;
  return rows[0] ?? null;
}

/** Rotates the refresh token of a locked session. */
export async function rotateSession(
  db: Db,
  session: Pick<StoredSession, 'id' | 'refreshHash'>,
  successorHash: Uint8Array<ArrayBuffer>,
  now: Date,
): Promise<void> {
  const used = { tokenHash: new Uint8Array(session.refreshHash), sessionId: session.id, usedAt: now };
  await db.usedRefreshToken.create({ data: used, select: { sessionId: true } });
  const data = { refreshHash: successorHash, lastUsedAt: now };
  await db.session.update({ where: { id: session.id }, data, select: { id: true } });
}

/** When a refresh token of the session was exchanged; null if it is the current one or never belonged to it. */
export async function findUsed(db: Db, sessionId: string, tokenHash: Uint8Array<ArrayBuffer>): Promise<Date | null> {
  const used = await db.usedRefreshToken.findFirst({ where: { tokenHash, sessionId }, select: { usedAt: true } });
  return used?.usedAt ?? null;
}

/** Ends a session. False if it had already ended. */
export async function revokeSession(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const where = { id: sessionId, revokedAt: null };
  return (await db.session.updateMany({ where, data: { revokedAt: now } })).count > 0;
}

/** Sortable fields of the list, in REST spelling. */
export const sessionSortFields = ['created_at', 'last_used_at', 'expires_at'] as const;

/** Returns a page of the caller's open sessions in all of their organizations, newest first. */
export function pageSessions<Select extends Prisma.SessionSelect>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId }: Viewer,
  { sortBy, ...page }: Listed<typeof sessionSortFields, Select>,
) {
  const open = openAt(clock.now(), { userId });
  return pageOfModel<Prisma.SessionWhereInput, Prisma.SessionGetPayload<{ select: Select }>>(
    db.session,
    open,
    parseSort(sortBy, sessionSortFields),
    page,
  );
}

/** Ends one open session of a user.
 *  @returns its organization; null if they have no such open session */
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

/** Ends all open sessions of a user except one.
 *  @param keptId null: all sessions
 *  @returns the number of ended sessions */
export async function revokeSessionsOf(db: Db, userId: string, keptId: string | null, now: Date): Promise<number> {
  const kept = keptId === null ? {} : { id: { not: keptId } };
  const { count } = await db.session.updateMany({ where: openAt(now, { userId, ...kept }), data: { revokedAt: now } });
  return count;
}

/** Whether a session is currently open. */
export async function isSessionOpen(db: Db, id: string, now: Date): Promise<boolean> {
  return (await db.session.count({ where: openAt(now, { id }) })) > 0;
}

/** When an open session was opened by a login; null if it has ended. */
export async function findLoginTime(db: Db, id: string, now: Date): Promise<Date | null> {
  const session = await db.session.findFirst({ where: openAt(now, { id }), select: { expiresAt: true } });
  return session && new Date(session.expiresAt.getTime() - refreshTokenMs);
}

function openAt(now: Date, where: Prisma.SessionWhereInput): Prisma.SessionWhereInput {
  return { ...where, revokedAt: null, expiresAt: { gt: now } };
}
