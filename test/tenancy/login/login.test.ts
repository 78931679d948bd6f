import { describe, expect, it } from 'vitest';
import { login } from '../../../src/tenancy/login/login.ts';
import { isLogin } from '../../../src/tenancy/sessions/open.ts';
import { origin, password, tenancyWorld } from '../support.ts';

type World = Awaited<ReturnType<typeof tenancyWorld>>;

/** Adds a user to another organization as a Viewer. */
async function join(world: World, userId: string, organizationId: string) {
  const joinedAt = world.deps.clock.now();
  await world.deps.db.membership.create({ data: { userId, organizationId, role: 'viewer', joinedAt } });
}

describe('login', () => {
  it('opens a session, case-insensitively for the email', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    world.passMs(1000);
    const session = await login(world.deps, origin, { email: ' ANA@example.com ', password });
    if (!isLogin(session)) throw new Error('There is a second factor');
    expect(session.viewer.scope).toEqual(viewer.scope);
    expect(session.viewer.sessionId).not.toBe(viewer.sessionId);
    expect((await world.audit()).at(-1)).toEqual({
      action: 'login',
      actorEmail: 'ana@example.com',
      resourceType: 'session',
      details: { method: 'password' },
    });
    const user = await world.deps.db.user.findUniqueOrThrow({ where: { id: viewer.userId } });
    expect(user.lastLoginAt?.toISOString()).toBe('2026-11-21T10:00:01.000Z');
  });

  it('returns the same error for an unknown email and a wrong password', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    const failures = ['ana@example.com', 'eve@example.com'].map((email) =>
      login(world.deps, origin, { email, password: 'wrong password' }).catch((error: unknown) => error),
    );
    const [wrong, unknown] = await Promise.all(failures);
    expect(wrong).toMatchObject({ code: 'UNAUTHORIZED', message: 'The email or the password is wrong', headers: {} });
    expect(unknown).toEqual(wrong);
  });

  it('takes the same time to reject an unknown email and a wrong password', async () => {
    const world = await tenancyWorld();
    const elapsed = async (email: string) => {
      const startedMs = performance.now();
      await login(world.deps, origin, { email, password: 'wrong password' }).catch(() => null);
      return performance.now() - startedMs;
    };
    const [known, unknown]: [number[], number[]] = [[], []];
    for (const name of ['ana', 'ben', 'cleo']) {
      await world.register(name);
      known.push(await elapsed(`${name}@example.com`));
      unknown.push(await elapsed(`no-${name}@example.com`));
    }
    // Uses the minimum of each: load on the machine only adds time.
    const [least, other] = [Math.min(...known), Math.min(...unknown)];
    expect(Math.min(least, other)).toBeGreaterThan(198);
    expect(Math.abs(least - other)).toBeLessThan(50);
  });

  it('audits a failure in each organization of the user, and nowhere for an unknown email', async () => {
    const world = await tenancyWorld();
    const [ana, ben] = [await world.register('ana'), await world.register('ben')];
    await join(world, ana.viewer.userId, ben.viewer.scope.organizationId);
    await login(world.deps, origin, { email: 'eve@example.com', password: 'wrong password' }).catch(() => null);
    await login(world.deps, origin, { email: 'ana@example.com', password: 'wrong password' }).catch(() => null);
    const failure = {
      action: 'failed_login',
      actorEmail: 'ana@example.com',
      resourceType: 'user',
      details: { wrong: 'password' },
    };
    const entries = await world.audit();
    expect(entries.filter((entry) => entry.action === 'failed_login')).toEqual([failure, failure]);
    expect((await world.audit(ben.viewer.scope.organizationId)).at(-1)).toEqual(failure);
  });
});

describe('the organization opened by a login', () => {
  it('is the last used one, or else the first joined one', async () => {
    const world = await tenancyWorld();
    const [ana, ben] = [await world.register('ana'), await world.register('ben')];
    const [own, other] = [ana.viewer.scope.organizationId, ben.viewer.scope.organizationId];
    world.passMs(1000);
    await join(world, ana.viewer.userId, other);
    expect((await world.login('ana')).viewer).toMatchObject({ role: 'super_admin', scope: { organizationId: own } });
    world.passMs(1000);
    await world.deps.db.session.updateMany({
      where: { organizationId: own, userId: ana.viewer.userId },
      data: { organizationId: other, lastUsedAt: world.deps.clock.now() },
    });
    expect((await world.login('ana')).viewer).toMatchObject({ role: 'viewer', scope: { organizationId: other } });
    await world.deps.db.membership.deleteMany({ where: { userId: ana.viewer.userId, organizationId: other } });
    expect((await world.login('ana')).viewer.scope.organizationId).toBe(own);
  });

  it('does not exist for a user removed from all organizations: the login is forbidden', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    await world.deps.db.membership.deleteMany({ where: { userId: viewer.userId } });
    await expect(world.login('ana')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
