import { describe, expect, it } from 'vitest';
import {
  createUser,
  disableSecondFactors,
  endUserSessions,
  listUsers,
  resetUserPassword,
  unlockUser,
} from '../../../src/tenancy/operator/users.ts';
import { aWorld, type World } from '../../support/world.ts';

const ana = {
  email: 'ana@example.com',
  name: null,
  organization: 'Plum',
  isNewOrganization: true,
  role: 'super_admin',
} as const;

const login = (world: World, email: string, password: string) =>
  world.rest<{ access_token?: string; challenge_token?: string }>('POST', '/auth/login', { body: { email, password } });

/** Sets a password with a link of the command line. */
async function choose(world: World, url: string | null, password: string) {
  const token = new URL(url ?? '').searchParams.get('token');
  return world.rest('POST', '/auth/reset-password', { body: { token, password } });
}

interface Entry {
  action: string;
  actor: { id: string | null; email: string | null };
  user_agent: string;
  details: Record<string, unknown>;
}

async function auditOf(world: World, token: string): Promise<Entry[]> {
  return (await world.rest<{ data: Entry[] }>('GET', '/audit-logs', { token })).body.data;
}

describe('create-user', () => {
  it('creates a Super Admin with a new organization, whose link sets the password once', async () => {
    const world = await aWorld({});
    const { passwordUrl, role } = await createUser(world.deps, ana);
    expect(role).toBe('super_admin');
    expect((await choose(world, passwordUrl, 'password')).status).toBe(400);
    expect((await choose(world, passwordUrl, 'plum kite orbit')).status).toBe(204);
    expect((await choose(world, passwordUrl, 'plum kite orbit two')).status).toBe(400);
    const { body } = await login(world, 'ana@example.com', 'plum kite orbit');
    const entry = (await auditOf(world, body.access_token ?? '')).find(({ action }) => action === 'user_registered');
    expect(entry).toMatchObject({
      actor: { id: null, email: null },
      user_agent: 'npm run admin',
      details: { by: 'command_line', email: 'ana@example.com', role: 'super_admin' },
    });
  });

  it('adds an existing user to an organization, without a new password', async () => {
    const world = await aWorld({});
    const { email, password } = await world.register();
    await createUser(world.deps, ana);
    const added = await createUser(world.deps, { ...ana, email, organization: 'plum 2', isNewOrganization: true });
    expect(added.passwordUrl).toBeNull();
    expect((await login(world, email, password)).status).toBe(200);
  });

  it.each([
    [{ email: 'nobody' }, 'email "nobody" must be an address such as ana@example.com'],
    [
      { organization: 'Absent', isNewOrganization: false },
      'There is no organization "Absent"; give its id or exact name',
    ],
    [
      { isNewOrganization: false, role: 'super_admin' },
      'role "super_admin" is taken in "Plum": an organization has one Super Admin; choose admin, member or viewer',
    ],
    [
      { isNewOrganization: false, role: 'admin', email: 'person1@example.com' },
      '"person1@example.com" is already a member of "Plum"',
    ],
    [
      { role: 'admin' },
      'role "admin" is not possible for the first user of an organization, who is its Super Admin; leave it out',
    ],
  ] as const)('rejects %j and changes nothing', async (change, message) => {
    const world = await aWorld({});
    await world.register();
    await expect(createUser(world.deps, { ...ana, ...change })).rejects.toThrow(message);
    expect(await world.deps.db.user.count()).toBe(1);
  });

  it('rejects a repeated command, and creates no second organization', async () => {
    const world = await aWorld({});
    const { organization } = await createUser(world.deps, ana);
    await expect(createUser(world.deps, { ...ana, email: 'ANA@example.com' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `"ana@example.com" is already a member of an organization named "Plum" (${organization.id}); choose another name for the new one`,
    });
    expect(await world.deps.db.organization.count()).toBe(1);
  });

  it('names the ids of organizations with the same name', async () => {
    const world = await aWorld({});
    await createUser(world.deps, ana);
    await createUser(world.deps, { ...ana, email: 'ben@example.com' });
    await expect(
      createUser(world.deps, { ...ana, email: 'eve@example.com', isNewOrganization: false, role: 'viewer' }),
    ).rejects.toThrow(/Several organizations are named "Plum"; give the id of one: [\w-]+, [\w-]+/);
  });
});

describe('reset-password', () => {
  it('invalidates the old password, ends all sessions, and audits it without secrets', async () => {
    const world = await aWorld({});
    const { email, password, refreshToken } = await world.register();
    const { passwordUrl, sessionsEnded } = await resetUserPassword(world.deps, ` ${email.toUpperCase()} `);
    expect(sessionsEnded).toBe(1);
    expect((await login(world, email, password)).status).toBe(401);
    expect((await world.rest('POST', '/auth/refresh', { body: { refresh_token: refreshToken } })).status).toBe(401);
    expect((await choose(world, passwordUrl, 'another plum kite')).status).toBe(204);
    const { body } = await login(world, email, 'another plum kite');
    const entries = await auditOf(world, body.access_token ?? '');
    expect(entries.filter(({ details }) => details['by'] === 'command_line')).toMatchObject([
      { action: 'password_changed', details: { by: 'command_line', sessions_ended: 1 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(new URL(passwordUrl).searchParams.get('token'));
  });

  it('rejects an unknown address', async () => {
    const world = await aWorld({});
    await expect(resetUserPassword(world.deps, 'eve@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('disable-2fa', () => {
  it('removes TOTP and recovery codes, and passkeys only on request', async () => {
    const world = await aWorld({});
    const { email, password } = await world.register();
    const { id: userId } = await world.deps.db.user.findFirstOrThrow();
    const totp = { totpSecret: new Uint8Array([1]), totpConfirmedAt: new Date() };
    await world.deps.db.user.update({ where: { id: userId }, data: totp });
    await world.deps.db.recoveryCode.create({ data: { userId, codeHash: new Uint8Array([1]) } });
    const key = {
      name: 'Key',
      publicKey: new Uint8Array([1]),
      counter: 0n,
      transports: [],
      deviceType: 'singleDevice',
      backedUp: false,
    };
    await world.deps.db.passkey.create({ data: { userId, credentialId: new Uint8Array([1]), ...key } });
    expect(await disableSecondFactors(world.deps, email, { passkeys: false })).toMatchObject({
      totp: true,
      passkeys: 0,
      remaining: 1,
      sessionsEnded: 1,
    });
    expect(await world.deps.db.recoveryCode.count()).toBe(0);
    expect((await login(world, email, password)).body.challenge_token).toBeDefined();
    await expect(disableSecondFactors(world.deps, email, { passkeys: false })).rejects.toThrow(
      'has no TOTP, only passkeys (1); add --passkeys to remove them',
    );
    expect(await disableSecondFactors(world.deps, email, { passkeys: true })).toMatchObject({
      passkeys: 1,
      remaining: 0,
    });
    const { body } = await login(world, email, password);
    const actions = (await auditOf(world, body.access_token ?? '')).filter(
      ({ action }) => action === 'two_factor_disabled',
    );
    expect(actions.map(({ details }) => details['by'])).toEqual(['command_line', 'command_line']);
    await expect(disableSecondFactors(world.deps, email, { passkeys: true })).rejects.toThrow(
      `"${email}" has no second factor`,
    );
  });
});

describe('end-sessions', () => {
  it('ends all sessions of a user, on request also their API tokens, and audits it', async () => {
    const world = await aWorld({});
    const { email, password, token } = await world.register();
    const made = await world.rest<{ token: string }>('POST', '/auth/tokens', { token, body: { name: 'CI' } });
    const me = async (bearer: string) => (await world.rest('GET', '/auth/me', { token: bearer })).status;
    expect(await endUserSessions(world.deps, email, { tokens: false })).toEqual({
      email,
      sessionsEnded: 1,
      tokensRevoked: 0,
    });
    expect([await me(token), await me(made.body.token)]).toEqual([401, 200]);
    expect(await endUserSessions(world.deps, email, { tokens: true })).toMatchObject({ tokensRevoked: 1 });
    expect(await me(made.body.token)).toBe(401);
    const { body } = await login(world, email, password);
    const entry = (await auditOf(world, body.access_token ?? '')).find(({ action }) => action === 'session_revoked');
    expect(entry?.details).toEqual({ sessions_ended: 0, api_tokens_revoked: 1, by: 'command_line' });
  });
});

describe('unlock and list-users', () => {
  it('show and end a lock', async () => {
    const world = await aWorld({});
    const { email, password } = await world.register();
    for (let attempt = 0; attempt < 5; attempt += 1) await login(world, email, 'wrong password');
    expect((await login(world, email, password)).status).toBe(423);
    const [listed] = await listUsers(world.deps);
    expect(listed).toMatchObject({
      email,
      totp: false,
      passkeys: 0,
      organizations: [{ name: 'Plum', role: 'super_admin' }],
    });
    expect(listed?.lockedUntil).toBeInstanceOf(Date);
    expect((await unlockUser(world.deps, email)).lockedUntil).toEqual(listed?.lockedUntil);
    expect((await login(world, email, password)).status).toBe(200);
    expect((await unlockUser(world.deps, email)).lockedUntil).toBeNull();
  });
});
