import { expect, it } from 'vitest';
import { newId } from '../../../src/kit/ids.ts';
import { attemptLogin } from '../../../src/tenancy/login/lockout.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { deleteEndedRecords } from '../../../src/tenancy/retention/run.ts';
import { origin, start, tenancyWorld } from '../support.ts';

const day = 86_400_000;
const after = (ms: number) => new Date(start.getTime() + ms);

async function aWorld() {
  const world = await tenancyWorld();
  const { viewer, refreshToken } = await world.register('ana');
  const { db } = world.deps;
  return {
    ...world,
    viewer,
    refreshToken,
    /** Deletes ended records, a number of milliseconds after the start. */
    sweep: (ms: number) => deleteEndedRecords(world.deps, after(ms)),
    counts: async () => ({
      sessions: await db.session.count(),
      challenges: await db.challenge.count(),
      resets: await db.passwordReset.count(),
      invites: await db.invite.count(),
      locks: await db.loginLock.count(),
    }),
  };
}

it('deletes expired records after their retention', async () => {
  const { deps, viewer, sweep, counts } = await aWorld();
  const { userId, scope } = viewer;
  const tokenHash = new Uint8Array(32);
  await deps.db.challenge.create({ data: { kind: 'second_factor', tokenHash, userId, expiresAt: after(0) } });
  await deps.db.passwordReset.create({ data: { id: newId(start), tokenHash, userId, expiresAt: after(0) } });
  const invite = {
    organizationId: scope.organizationId,
    email: 'bo@example.com',
    role: 'viewer',
    sentAt: start,
  } as const;
  await deps.db.invite.create({ data: { ...invite, tokenHash, expiresAt: after(0) } });
  await attemptLogin(deps, 'ana@example.com', () => Promise.resolve(null));
  const all = { sessions: 1, challenges: 1, resets: 1, invites: 1, locks: 1 };
  await sweep(day);
  expect(await counts()).toEqual(all);
  await sweep(day + 1);
  expect(await counts()).toEqual({ ...all, challenges: 0, resets: 0 });
  await sweep(30 * day);
  expect(await counts()).toEqual({ ...all, challenges: 0, resets: 0 });
  await sweep(30 * day + 1);
  expect(await counts()).toEqual({ sessions: 1, challenges: 0, resets: 0, invites: 1, locks: 0 });
  await sweep(90 * day + 1);
  expect(await counts()).toEqual({ sessions: 1, challenges: 0, resets: 0, invites: 0, locks: 0 });
  // The session itself was valid for seven days.
  await sweep(97 * day + 1);
  expect((await counts()).sessions).toBe(0);
});

it('keeps an accepted or revoked invitation for 90 days from then on', async () => {
  const { deps, viewer, sweep, counts } = await aWorld();
  const invite = { organizationId: viewer.scope.organizationId, role: 'viewer', sentAt: start } as const;
  const ends = [{ acceptedAt: after(0) }, { revokedAt: after(0) }];
  for (const [n, end] of ends.entries()) {
    const tokenHash = new Uint8Array(32).fill(n);
    const data = { ...invite, ...end, email: `${n}@example.com`, tokenHash, expiresAt: after(7 * day) };
    await deps.db.invite.create({ data });
  }
  await sweep(90 * day);
  expect((await counts()).invites).toBe(2);
  await sweep(90 * day + 1);
  expect((await counts()).invites).toBe(0);
});

it('deletes exchanged refresh tokens when their session ends, not before', async () => {
  const { deps, refreshToken, sweep } = await aWorld();
  await refresh(deps, origin, refreshToken);
  await sweep(7 * day - 1);
  expect(await deps.db.usedRefreshToken.count()).toBe(1);
  await sweep(7 * day);
  expect(await deps.db.usedRefreshToken.count()).toBe(0);
});
