import { expect } from 'vitest';
import type { Role } from '../../prisma/generated/client/enums.ts';
import { signAccessToken } from '../../src/tenancy/sessions/access-token.ts';
import { openSession } from '../../src/tenancy/sessions/open.ts';
import { origin, password, serve, start, tenancyWorld } from './support.ts';

/** Rate limits that no test reaches. */
const generous = { RATE_LIMIT_AUTH: '100000', RATE_LIMIT_READ: '100000', RATE_LIMIT_WRITE: '100000' };

/** An error envelope with code, status and message, which may also name a field. */
export const failure = (status: number, code: string, message: string | RegExp = /./) => ({
  status,
  body: { error: expect.objectContaining({ code, status, message: expect.stringMatching(message) }) as unknown },
});

export const forbidden = (message: string | RegExp) => failure(403, 'FORBIDDEN', message);
export const invalid = (message: string | RegExp) => failure(400, 'VALIDATION_ERROR', message);
export const conflict = (message: string | RegExp) => failure(409, 'CONFLICT', message);

/** The organization `ana Inc` with its Super Admin (ana), an Admin (ben), a Member (cleo) and a Viewer (dan), two accounts,
 *  and the API over HTTP. */
export async function aTeam(environment: Record<string, string> = {}) {
  const world = await tenancyWorld({ ...generous, ...environment });
  const { db } = world.deps;
  const ana = await world.register('ana');
  const { organizationId } = ana.viewer.scope;
  const { passwordHash } = await db.user.findUniqueOrThrow({ where: { email: 'ana@example.com' } });
  const tokens: Record<string, string> = { ana: ana.accessToken };
  const members: Record<string, string> = {};
  const ask = await serve(world.deps);

  /** Adds a user with a membership and a session. All users have the same password. */
  const join = async (name: string, role: Role, accountAccess: string[] | null = null) => {
    const user = await db.user.create({ data: { email: `${name}@example.com`, name, passwordHash, createdAt: start } });
    const { id } = await db.membership.create({
      data: {
        organizationId,
        userId: user.id,
        role,
        restricted: accountAccess !== null,
        accountAccess: accountAccess ?? [],
        joinedAt: start,
      },
    });
    members[name] = id;
    const actor = { organizationId, userId: user.id, email: user.email, ...origin };
    tokens[name] = await signAccessToken(world.deps, await openSession(db, world.deps, actor, 'password'));
    return id;
  };
  const connect = async (externalId: string) =>
    (await db.account.create({ data: { organizationId, externalId, name: externalId, provider: 'focus' } })).id;
  members['ana'] = (await db.membership.findFirstOrThrow({ where: { organizationId } })).id;
  for (const [name, role] of [
    ['ben', 'admin'],
    ['cleo', 'member'],
    ['dan', 'viewer'],
  ] as const)
    await join(name, role);
  const accounts = { one: await connect('one'), two: await connect('two') };

  return {
    ...world,
    db,
    organizationId,
    accounts,
    tokens,
    ask,
    join,
    connect,
    /** The id of a member. */
    id: (name: string) => members[name] ?? '',
    /** Logs in again, after more time than an access token is valid. */
    loginAgain: async (...names: string[]) => {
      for (const name of names) tokens[name] = (await world.login(name)).accessToken;
    },
    /** Sends a REST request as a user. */
    rest: async (name: string, method: string, path: string, body?: unknown) => {
      const answer = await ask(method, `/api/v1${path}`, body, { authorization: `Bearer ${tokens[name] ?? name}` });
      return { status: answer.status, body: answer.body };
    },
    /** Sends a GraphQL request as a user. */
    gql: async (name: string, query: string, variables: object = {}) =>
      ask('POST', '/graphql', { query, variables }, { authorization: `Bearer ${tokens[name] ?? name}` }),
    /** The entries of the organization's audit log, oldest first, without those of the setup. */
    recorded: async () => (await world.audit(organizationId)).filter(({ action }) => !setUp.has(action)),
  };
}

const setUp = new Set(['user_registered', 'login']);

export type Team = Awaited<ReturnType<typeof aTeam>>;

export { password, start };
