import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { newId } from '../../../src/kit/ids.ts';
import { signAccessToken } from '../../../src/tenancy/sessions/access-token.ts';
import { hashPassword } from '../../../src/tenancy/login/password.ts';
import { firstRefreshToken, hashOf, refreshTokenMs } from '../../../src/tenancy/sessions/refresh-token.ts';
import { newToken, tokenHash } from '../../../src/tenancy/tokens/run.ts';

/** The password of every user. */
export const password = 'plum kite orbit';

/** The callers, in the order of the table's columns. */
export const callers = [
  'none',
  'expired',
  'forged',
  'revoked',
  'viewer',
  'member',
  'admin',
  'owner',
  'restricted',
  'restr.adm',
  'outsider',
  'token',
  'read-only',
  'unenrolled',
] as const;
export type Caller = (typeof callers)[number];

/** An organization created for one mutating request, so that requests do not affect each other. */
export interface Stage {
  readonly deps: Deps;
  readonly caller: Caller;
  /** The caller's Bearer token; null for an anonymous caller. */
  readonly bearer: string | null;
  readonly organizationId: string;
  /** The caller; for an anonymous caller an Admin of the organization. */
  readonly asking: Person;
  /** The caller; for an anonymous caller or the outsider an Admin of the organization. */
  readonly user: Person;
  readonly owner: Person;
  /** A Viewer of the organization with access to one account. */
  readonly other: Person & { readonly membershipId: string };
  /** An account inside and one outside the scope of restricted callers. */
  readonly mine: string;
  readonly theirs: string;
  /** Another session of the user, with its refresh token. */
  readonly session: { readonly id: string; readonly refreshToken: string };
}

/** Creates the records of a request on the stage, and returns its arguments in GraphQL names with REST enum values. */
export type Request = (stage: Stage) => Record<string, unknown> | Promise<Record<string, unknown>>;

interface Person {
  readonly id: string;
  readonly email: string;
}

let passwordHash: Promise<string> | undefined;

/** Creates the caller's organization. The outsider is the Super Admin of another one. */
export async function aStage(deps: Deps, caller: Caller): Promise<Stage> {
  passwordHash ??= hashPassword(password, deps.config.passwordCost);
  const now = deps.clock.now();
  const [organizationId, elsewhere] = [newId(now), newId(now)];
  const [mine, theirs] = [newId(now), newId(now)];
  const people = { owner: aPerson(now), user: aPerson(now), other: aPerson(now), outsider: aPerson(now) };
  const own = caller === 'owner' ? people.owner : people.user;
  const [asking, place] = caller === 'outsider' ? [people.outsider, elsewhere] : [own, organizationId];
  const membershipId = newId(now);
  const session = aSession(now, organizationId, own.id);
  const bearersSession = aSession(now, place, asking.id, caller === 'revoked' ? now : null);
  const membership = membershipOf(caller, mine);
  await insertAll(deps, {
    organizations: [organizationId, elsewhere].map((id) => ({ id, trust_external_id: id })),
    users: Object.values(people),
    memberships: [
      { ...everywhere, organization_id: organizationId, user_id: people.owner.id },
      { ...everywhere, organization_id: organizationId, user_id: people.user.id, ...membership },
      { role: 'viewer', ...only(mine), organization_id: organizationId, user_id: people.other.id, id: membershipId },
      { ...everywhere, organization_id: elsewhere, user_id: people.outsider.id },
    ].map((each) => ({ id: newId(now), ...each })),
    accounts: [mine, theirs].map((id) => ({ id, organization_id: organizationId })),
    sessions: [session.row, bearersSession.row],
    requireTwoFactor: caller === 'unenrolled',
    passwordHash: await passwordHash,
  });
  const bearer = await bearerOf(deps, caller, { id: asking.id, at: place, sessionId: bearersSession.row.id });
  const other = { ...people.other, membershipId };
  const of = { id: session.row.id, refreshToken: session.refreshToken };
  return {
    deps,
    caller,
    bearer,
    organizationId,
    asking,
    user: own,
    owner: people.owner,
    other,
    mine,
    theirs,
    session: of,
  };
}

/** Rows by column; the statement has what they share. */
interface Rows {
  readonly organizations: readonly object[];
  readonly users: readonly object[];
  readonly memberships: readonly object[];
  readonly accounts: readonly object[];
  readonly sessions: readonly object[];
  readonly requireTwoFactor: boolean;
  readonly passwordHash: string;
}

/** Raw SQL, because thousands of organizations are created: one statement takes a tenth of the time of seven by Prisma. */
const insertion = `WITH organization AS (
    INSERT INTO organizations (id, name, trust_external_id, require_two_factor)
    SELECT id, 'Plum', trust_external_id, ($1::json->>'requireTwoFactor')::boolean
    FROM json_populate_recordset(NULL::organizations, $1::json->'organizations')),
  person AS (
    INSERT INTO users (id, email, name, password_hash)
    SELECT id, email, 'Ana', $1::json->>'passwordHash' FROM json_populate_recordset(NULL::users, $1::json->'users')),
  membership AS (
    INSERT INTO memberships (id, organization_id, user_id, role, restricted, account_access)
    SELECT id, organization_id, user_id, role, restricted, account_access
    FROM json_populate_recordset(NULL::memberships, $1::json->'memberships')),
  account AS (
    INSERT INTO accounts (id, organization_id, name, provider, external_id, settings)
    SELECT id, organization_id, id::text, 'focus', id::text, '{"path": "may"}'
    FROM json_populate_recordset(NULL::accounts, $1::json->'accounts'))
  INSERT INTO sessions (id, organization_id, user_id, refresh_hash, ip_address, user_agent, expires_at, revoked_at)
  SELECT id, organization_id, user_id, refresh_hash, '', '', expires_at, revoked_at
  FROM json_populate_recordset(NULL::sessions, $1::json->'sessions')`;

async function insertAll({ pool }: Deps, rows: Rows): Promise<void> {
  await pool.query({ name: 'stage', text: insertion, values: [JSON.stringify(rows)] });
}

function aPerson(now: Date): Person {
  const id = newId(now);
  return { id, email: `${id}@example.com` };
}

const everywhere = { role: 'super_admin', restricted: false, account_access: [] };
const only = (accountId: string) => ({ restricted: true, account_access: [accountId] });

function membershipOf(caller: Caller, mine: string) {
  const roles: Partial<Record<Caller, Role>> = { viewer: Role.viewer, member: Role.member, restricted: Role.member };
  const isRestricted = caller === 'restricted' || caller === 'restr.adm';
  return { role: roles[caller] ?? Role.admin, ...(isRestricted && only(mine)) };
}

function aSession(now: Date, organizationId: string, userId: string, revokedAt: Date | null = null) {
  const token = firstRefreshToken(newId(now));
  const row = {
    id: token.sessionId,
    organization_id: organizationId,
    user_id: userId,
    refresh_hash: String.raw`\x${Buffer.from(hashOf(token)).toString('hex')}`,
    expires_at: new Date(now.getTime() + refreshTokenMs),
    revoked_at: revokedAt,
  };
  return { row, refreshToken: token.text };
}

/** The user of a request, with their organization and session. */
interface Asking {
  readonly id: string;
  readonly at: string;
  readonly sessionId: string;
}

async function bearerOf(deps: Deps, caller: Caller, { id, at, sessionId }: Asking): Promise<string | null> {
  if (caller === 'none') return null;
  if (caller === 'token' || caller === 'read-only') return anApiToken(deps, at, id, caller === 'read-only');
  const claims = { userId: id, sessionId };
  if (caller === 'expired') {
    const longAgo = new Date(deps.clock.now().getTime() - 901_000);
    return signAccessToken({ ...deps, clock: { now: () => longAgo } }, claims);
  }
  if (caller === 'forged') return signAccessToken({ ...deps, config: { jwtKeys: [Buffer.alloc(32, 9)] } }, claims);
  return signAccessToken(deps, claims);
}

async function anApiToken(deps: Deps, organizationId: string, userId: string, readOnly: boolean): Promise<string> {
  const token = newToken();
  const kept = { name: 'x', tokenHash: tokenHash(token), lastFour: token.slice(-4), readOnly };
  await deps.db.apiToken.create({ data: { ...kept, organizationId, userId }, select: { id: true } });
  return token;
}
