import type pg from 'pg';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import { orgScope, type Viewer } from './scope.ts';

/** A user as a login finds them. */
export interface Credentials {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** A session as a refresh finds it. */
export interface StoredSession {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  readonly refreshHash: Uint8Array;
  readonly expiresAt: Date;
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

// Of a membership `m`, its user `u` and its organization `o`. A user's passkeys have an index, and are looked for only where
// a second factor is required and TOTP is not set up.
const viewerColumns = `u.id AS "userId", u.email, u.name, m.organization_id AS "organizationId", m.role::text AS role,
         m.restricted, m.account_access AS "accountAccess",
         CASE WHEN o.require_two_factor AND u.totp_confirmed_at IS NULL
              THEN NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id)
              ELSE false END AS "twoFactorSetupRequired"`;

// The one query of every authenticated request: primary or unique keys all. It is a named statement, so that each
// connection plans it once.
const viewerSql = `/* findViewer */
  SELECT ${viewerColumns}
  FROM sessions s
  JOIN memberships m ON m.organization_id = s.organization_id AND m.user_id = s.user_id
  JOIN users u ON u.id = s.user_id
  JOIN organizations o ON o.id = s.organization_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > $3`;

/** Who calls in this session, with role and scope as they are now; null when it or the membership has ended. */
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

/** Who calls with the API token of this hash, with role and scope as they are now; null when it is unknown, has expired
 *  or was revoked. */
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

/** Notes that a token was used, unless another request has noted it since `before`. */
export async function touchToken(pool: pg.Pool, tokenId: string, now: Date, before: Date): Promise<void> {
  const text = `/* touchToken */
    UPDATE api_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`;
  await pool.query(text, [tokenId, now, before]);
}

function viewerFrom(row: ViewerRow, way: Pick<Viewer, 'sessionId' | 'token'>): Viewer {
  const { userId, email, name, role, twoFactorSetupRequired } = row;
  const scope = orgScope(row.organizationId, row.restricted ? row.accountAccess : null);
  return { userId, email, name, role, ...way, twoFactorSetupRequired, scope };
}

/** The user of an address, null where there is none. */
export async function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, email: true, name: true, passwordHash: true },
  });
  return user && { userId: user.id, email: user.email, name: user.name, passwordHash: user.passwordHash };
}

/** Gives a user another display name.
 *  @param db an open transaction
 *  @returns the one they had */
export async function renameUser(db: Db, userId: string, name: string): Promise<string> {
  const [row] = await db.$queryRaw<{ name: string }[]>`/* renameUser */
    SELECT name FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  await db.user.update({ where: { id: userId }, data: { name }, select: { id: true } });
  return row?.name ?? name;
}

/** Whether a user's password still is the one that was verified. It stays so until the transaction ends: a login with the
 *  old one cannot slip past a change. */
export async function lockPassword(db: Db, user: Pick<Credentials, 'userId' | 'passwordHash'>): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`/* lockPassword */
    SELECT 1 FROM users WHERE id = ${user.userId}::uuid AND password_hash = ${user.passwordHash} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Every organization of the user, the one used last first, then the one joined first. Not many: a person joins a few. */
export async function listOrganizationIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ organizationId: string }[]>`/* listOrganizationIds */
    SELECT m.organization_id AS "organizationId"
    FROM memberships m
    LEFT JOIN LATERAL (
      SELECT max(s.last_used_at) AS used FROM sessions s
      WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id
    ) last ON true
    WHERE m.user_id = ${userId}::uuid
    ORDER BY last.used DESC NULLS LAST, m.joined_at, m.id`;
  return rows.map((row) => row.organizationId);
}

/** Keeps a new session. */
export async function insertSession(
  db: Db,
  session: {
    id: string;
    organizationId: string;
    userId: string;
    refreshHash: Uint8Array<ArrayBuffer>;
    ipAddress: string;
    userAgent: string;
    method: string;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<void> {
  await db.session.create({ data: { ...session, lastUsedAt: session.createdAt }, select: { id: true } });
  await db.user.update({
    where: { id: session.userId },
    data: { lastLoginAt: session.createdAt },
    select: { id: true },
  });
}

/** Reads a session and keeps it locked until the transaction ends: refreshes of one session come one after another. */
export async function lockSession(db: Db, sessionId: string): Promise<StoredSession | null> {
  const rows = await db.$queryRaw<StoredSession[]>`/* lockSession */
    SELECT s.id, s.organization_id AS "organizationId", s.user_id AS "userId", u.email, s.refresh_hash AS "refreshHash",
           s.expires_at AS "expiresAt", s.revoked_at AS "revokedAt"
    FROM sessions s JOIN users u ON u.id = s.user_id
    WHERE s.id = ${sessionId}::uuid FOR UPDATE OF s`;
  return rows[0] ?? null;
}

/** Exchanges the refresh token of a session that is locked. */
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

/** When a refresh token of the session was exchanged; null where it never was one, or is the one that is good now. */
export async function findUsed(db: Db, sessionId: string, tokenHash: Uint8Array<ArrayBuffer>): Promise<Date | null> {
  const used = await db.usedRefreshToken.findFirst({ where: { tokenHash, sessionId }, select: { usedAt: true } });
  return used?.usedAt ?? null;
}

/** Ends a session. False where it had ended already. */
export async function revokeSession(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id: sessionId, revokedAt: null },
    data: { revokedAt: now },
  });
  return count > 0;
}
