import { describe, expect, it } from 'vitest';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import type { Viewer } from '../../../src/tenancy/auth/scope.ts';
import { endSession } from '../../../src/tenancy/sessions/run.ts';
import { pageSessions } from '../../../src/tenancy/sessions/store.ts';
import { origin, start, tenancyWorld } from '../support.ts';

const select = {
  id: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
  ipAddress: true,
  userAgent: true,
  method: true,
  organization: { select: { name: true } },
} as const;
const firstPage = { skip: 0, take: 20, select };
const day = 86_400_000;

const actorOf = ({ scope, userId, email }: Viewer) => ({
  organizationId: scope.organizationId,
  userId,
  email,
  ...origin,
});

describe('the sessions of a user', () => {
  it('are only their own active ones, newest first', async () => {
    const world = await tenancyWorld();
    await world.register('bo');
    const { viewer } = await world.register('ana');
    world.passMs(1000);
    await world.login('ana');
    const { rows, total } = await pageSessions(world.deps, viewer, firstPage);
    expect(total).toBe(2);
    expect(rows.map(({ id, createdAt }) => [id === viewer.sessionId, createdAt])).toEqual([
      [false, new Date(start.getTime() + 1000)],
      [true, start],
    ]);
    expect(rows[1]).toMatchObject({
      lastUsedAt: start,
      expiresAt: new Date(start.getTime() + 7 * day),
      ipAddress: origin.ipAddress,
      userAgent: origin.userAgent,
      method: 'password',
      organization: { name: 'ana Inc' },
    });
  });

  it('can be sorted', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    world.passMs(1000);
    await world.login('ana');
    const { rows } = await pageSessions(world.deps, viewer, { ...firstPage, sortBy: 'created_at' });
    expect(rows.map(({ id }) => id === viewer.sessionId)).toEqual([true, false]);
  });

  it('exclude expired ones', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    world.passMs(7 * day);
    expect((await pageSessions(world.deps, viewer, firstPage)).total).toBe(0);
  });
});

describe('ending a session', () => {
  it('revokes its refresh token, and is audited', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    const other = await world.login('ana');
    if (!('viewer' in other)) throw new Error('A second factor was asked for');
    await endSession(world.deps, viewer, actorOf(viewer), other.viewer.sessionId ?? '');
    await expect(refresh(world.deps, origin, other.refreshToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await world.audit()).at(-1)).toMatchObject({
      action: 'session_revoked',
      actorEmail: 'ana@example.com',
      details: { reason: 'ended by the user' },
    });
  });

  it("returns 404 for another user's session, an ended session, and an invalid id", async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    const bo = await world.register('bo');
    const end = (id: string) => endSession(world.deps, viewer, actorOf(viewer), id);
    const other = bo.viewer.sessionId ?? '';
    for (const id of [other, 'x', '']) await expect(end(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await refresh(world.deps, origin, bo.refreshToken)).toMatchObject({ viewer: { name: 'bo' } });
    await end(viewer.sessionId ?? '');
    await expect(end(viewer.sessionId ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
