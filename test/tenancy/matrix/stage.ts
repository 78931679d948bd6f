import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../../src/kit/deps.ts';
import { newId } from '../../../src/kit/ids.ts';
import { signAccessToken } from '../../../src/tenancy/sessions/access-token.ts';
import { hashPassword } from '../../../src/tenancy/login/password.ts';
import { firstRefreshToken, hashOf } from '../../../src/tenancy/sessions/refresh-token.ts';
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
  const hash = await passwordHash;
  await deps.db.organization.createMany({
    data: [organizationId, elsewhere].map((id) => ({
      id,
      name: 'Plum',
      trustExternalId: id,
      requireTwoFactor: caller === 'unenrolled',
    })),
  });
  await deps.db.user.createMany({
    data: Object.values(people).map(({ id, email }) => ({ id, email, name: 'Ana', passwordHash: hash })),
  });
  const own = caller === 'owner' ? people.owner : people.user;
  const membershipId = newId(now);
  await deps.db.membership.createMany({
    data: [
      { organizationId, userId: people.owner.id, role: Role.super_admin },
      { organizationId, userId: people.user.id, ...membershipOf(caller, mine) },
      {
        id: membershipId,
        organizationId,
        userId: people.other.id,
        role: Role.viewer,
        restricted: true,
        accountAccess: [mine],
      },
      { organizationId: elsewhere, userId: people.outsider.id, role: Role.super_admin },
    ],
  });
  const account = { organizationId, provider: 'focus', settings: { path: 'may' } } as const;
  await deps.db.account.createMany({
    data: [mine, theirs].map((id) => ({ ...account, id, name: id, externalId: id })),
  });
  const session = await aSession(deps, organizationId, own.id);
  const asking = caller === 'outsider' ? people.outsider : own;
  const place = caller === 'outsider' ? elsewhere : organizationId;
  const bearer = await bearerOf(deps, caller, { id: asking.id, at: place });
  const other = { ...people.other, membershipId };
  return { deps, caller, bearer, organizationId, asking, user: own, owner: people.owner, other, mine, theirs, session };
}

function aPerson(now: Date): Person {
  const id = newId(now);
  return { id, email: `${id}@example.com` };
}

function membershipOf(caller: Caller, mine: string) {
  const roles: Partial<Record<Caller, Role>> = { viewer: Role.viewer, member: Role.member, restricted: Role.member };
  const restricted = caller === 'restricted' || caller === 'restr.adm';
  return { role: roles[caller] ?? Role.admin, restricted, accountAccess: restricted ? [mine] : [] };
}

async function aSession(deps: Deps, organizationId: string, userId: string, revokedAt: Date | null = null) {
  const now = deps.clock.now();
  const token = firstRefreshToken(newId(now));
  const expiresAt = new Date(now.getTime() + 86_400_000);
  const kept = { id: token.sessionId, refreshHash: hashOf(token), ipAddress: '', userAgent: '' };
  await deps.db.session.create({
    data: { ...kept, organizationId, userId, expiresAt, revokedAt },
    select: { id: true },
  });
  return { id: token.sessionId, refreshToken: token.text };
}

async function bearerOf(deps: Deps, caller: Caller, { id, at }: { id: string; at: string }): Promise<string | null> {
  if (caller === 'none') return null;
  if (caller === 'token' || caller === 'read-only') return anApiToken(deps, at, id, caller === 'read-only');
  const now = deps.clock.now();
  const { id: sessionId } = await aSession(deps, at, id, caller === 'revoked' ? now : null);
  const claims = { userId: id, sessionId };
  if (caller === 'expired') {
    const longAgo = new Date(now.getTime() - 901_000);
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
