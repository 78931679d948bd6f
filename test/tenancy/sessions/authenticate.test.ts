import { describe, expect, it } from 'vitest';
import { authenticate } from '../../../src/tenancy/sessions/authenticate.ts';
import { tenancyWorld } from '../support.ts';

const otherId = '0193a000-0000-7000-8000-000000000001';

describe('authenticate', () => {
  it('reads role and account access on each request', async () => {
    const world = await tenancyWorld();
    const { viewer, accessToken } = await world.register('ana');
    const where = { userId: viewer.userId };
    await world.deps.db.membership.updateMany({
      where,
      data: { role: 'viewer', restricted: true, accountAccess: [otherId] },
    });
    expect(await authenticate(world.deps, accessToken)).toMatchObject({
      role: 'viewer',
      scope: { accountIds: [otherId] },
    });
    await world.deps.db.membership.updateMany({ where, data: { accountAccess: [] } });
    expect(await authenticate(world.deps, accessToken)).toMatchObject({ scope: { accountIds: [] } });
    await world.deps.db.membership.updateMany({ where, data: { restricted: false, accountAccess: [otherId] } });
    expect(await authenticate(world.deps, accessToken)).toMatchObject({ scope: { accountIds: null } });
  });

  it('returns null after the membership ends', async () => {
    const world = await tenancyWorld();
    const { viewer, accessToken } = await world.register('ana');
    await world.deps.db.membership.deleteMany({ where: { userId: viewer.userId } });
    expect(await authenticate(world.deps, accessToken)).toBeNull();
  });

  it('returns null after the session is revoked or expires', async () => {
    const world = await tenancyWorld();
    const { viewer, accessToken } = await world.register('ana');
    const where = { id: viewer.sessionId ?? '' };
    const now = world.deps.clock.now();
    await world.deps.db.session.update({ where, data: { revokedAt: now } });
    expect(await authenticate(world.deps, accessToken)).toBeNull();
    await world.deps.db.session.update({ where, data: { revokedAt: null, expiresAt: now } });
    expect(await authenticate(world.deps, accessToken)).toBeNull();
  });

  it('returns null after 15 minutes', async () => {
    const world = await tenancyWorld();
    const { accessToken } = await world.register('ana');
    world.passMs(899_999);
    expect(await authenticate(world.deps, accessToken)).not.toBeNull();
    world.passMs(1);
    expect(await authenticate(world.deps, accessToken)).toBeNull();
  });
});
