import { describe, expect, it } from 'vitest';
import { authenticate } from '../../../src/tenancy/sessions/authenticate.ts';
import { logout } from '../../../src/tenancy/sessions/logout.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { origin, tenancyWorld } from '../support.ts';

const nothing = { refreshToken: null, viewer: null, cookie: null };

async function twoSessions() {
  const world = await tenancyWorld();
  const [one, two] = [await world.register('ana'), await world.login('ana')];
  const isAlive = async (session: typeof one) => (await authenticate(world.deps, session.accessToken)) !== null;
  return { world, one, two, isAlive };
}

describe('logout', () => {
  it.each(['refreshToken', 'cookie'] as const)('ends only the session of the %s', async (source) => {
    const { world, one, two, isAlive } = await twoSessions();
    await logout(world.deps, origin, { ...nothing, [source]: one.refreshToken });
    expect(await isAlive(one)).toBe(false);
    expect(await isAlive(two)).toBe(true);
    await expect(refresh(world.deps, origin, one.refreshToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('prefers the session of the Bearer token to that of the cookie', async () => {
    const { world, one, two, isAlive } = await twoSessions();
    await logout(world.deps, origin, { refreshToken: null, viewer: one.viewer, cookie: two.refreshToken });
    expect([await isAlive(one), await isAlive(two)]).toEqual([false, true]);
  });

  it('writes one audit entry when repeated', async () => {
    const { world, one } = await twoSessions();
    for (let round = 0; round < 3; round += 1)
      await logout(world.deps, origin, { ...nothing, refreshToken: one.refreshToken });
    const entries = (await world.audit()).filter((entry) => entry.action === 'logout');
    expect(entries).toEqual([
      { action: 'logout', actorEmail: 'ana@example.com', resourceType: 'session', details: {} },
    ]);
  });

  it('accepts a token that was already exchanged', async () => {
    const { world, one, isAlive } = await twoSessions();
    const next = await refresh(world.deps, origin, one.refreshToken);
    await logout(world.deps, origin, { ...nothing, refreshToken: one.refreshToken });
    expect(await isAlive(next)).toBe(false);
  });

  it('silently ignores an unknown token', async () => {
    const { world, one, two, isAlive } = await twoSessions();
    for (const token of ['nonsense', 'A'.repeat(86), ''])
      await logout(world.deps, origin, { ...nothing, refreshToken: token });
    expect([await isAlive(one), await isAlive(two)]).toEqual([true, true]);
  });

  it('rejects a request that names no session', async () => {
    const { world } = await twoSessions();
    await expect(logout(world.deps, origin, nothing)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
