import { describe, expect, it } from 'vitest';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { authenticate } from '../../../src/tenancy/sessions/authenticate.ts';
import { firstRefreshToken } from '../../../src/tenancy/sessions/refresh-token.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { origin, tenancyWorld } from '../support.ts';

const refusal = { code: 'UNAUTHORIZED', message: 'The refresh token is invalid or expired; sign in again' };
const dayMs = 86_400_000;

async function loggedIn() {
  const world = await tenancyWorld();
  const session = await world.register('ana');
  const exchange = (token: string) => refresh(world.deps, origin, token);
  return { world, session, exchange, first: session.refreshToken };
}

describe('refresh', () => {
  it('rotates the token within its session without extending it', async () => {
    const { world, session, exchange, first } = await loggedIn();
    world.passMs(6 * dayMs);
    const next = await exchange(first);
    expect(next.refreshToken).not.toBe(first);
    expect(next.viewer).toEqual(session.viewer);
    expect(next.expiresAt).toEqual(session.expiresAt);
    expect(await authenticate(world.deps, next.accessToken)).toEqual(session.viewer);
    world.passMs(dayMs - 1);
    const last = await exchange(next.refreshToken);
    world.passMs(1);
    await expect(exchange(last.refreshToken)).rejects.toMatchObject(refusal);
  });

  it('ends a session that was not used for SESSION_IDLE_HOURS', async () => {
    const { world, session } = await loggedIn();
    const deps = { ...world.deps, config: { ...world.deps.config, sessionIdleMs: dayMs } };
    world.passMs(dayMs);
    const next = await refresh(deps, origin, session.refreshToken);
    world.passMs(dayMs + 1);
    await expect(refresh(deps, origin, next.refreshToken)).rejects.toMatchObject(refusal);
  });

  it('returns the same successor to 20 concurrent clients', async () => {
    const { exchange, first } = await loggedIn();
    const all = await Promise.all(Array.from({ length: 20 }, () => exchange(first)));
    expect(new Set(all.map((each) => each.refreshToken)).size).toBe(1);
    expect(all[0]?.refreshToken).not.toBe(first);
  });

  it('returns the same successor again for 10 seconds', async () => {
    const { world, exchange, first } = await loggedIn();
    const next = await exchange(first);
    world.passMs(10_000);
    expect((await exchange(first)).refreshToken).toBe(next.refreshToken);
  });

  it('gives a slow third tab the token that is current by then', async () => {
    const { world, exchange, first } = await loggedIn();
    const second = await exchange(first);
    world.passMs(4000);
    const third = await exchange(second.refreshToken);
    world.passMs(4000);
    const slow = await exchange(first);
    expect(slow.refreshToken).toBe(third.refreshToken);
    world.passMs(900_000);
    expect((await exchange(slow.refreshToken)).viewer).toEqual(second.viewer);
  });

  it('counts the 10 seconds from the exchange of each token, not from the latest one', async () => {
    const { world, exchange, first } = await loggedIn();
    const second = await exchange(first);
    world.passMs(10_000);
    const third = await exchange(second.refreshToken);
    world.passMs(1);
    await expect(exchange(first)).rejects.toMatchObject(refusal);
    await expect(exchange(third.refreshToken)).rejects.toMatchObject(refusal);
  });

  it('recognizes earlier tokens of a session after a key rotation, and exchanges the current one', async () => {
    const { world, exchange, first } = await loggedIn();
    const next = await exchange(first);
    const secrets = openSecrets([new Uint8Array(32).fill(9), new Uint8Array(32).fill(1)]);
    const changed = { ...world.deps, secrets };
    const after = await refresh(changed, origin, next.refreshToken);
    world.passMs(10_001);
    await expect(refresh(changed, origin, first)).rejects.toMatchObject(refusal);
    await expect(refresh(changed, origin, after.refreshToken)).rejects.toMatchObject(refusal);
    expect((await world.audit()).at(-1)).toMatchObject({ action: 'session_revoked' });
  });

  it('ends the session when a token is reused after 10 seconds', async () => {
    const { world, exchange, first } = await loggedIn();
    const next = await exchange(first);
    world.passMs(10_001);
    await expect(exchange(first)).rejects.toMatchObject(refusal);
    await expect(exchange(next.refreshToken)).rejects.toMatchObject(refusal);
    expect(await authenticate(world.deps, next.accessToken)).toBeNull();
    expect((await world.audit()).at(-1)).toMatchObject({ action: 'session_revoked', resourceType: 'session' });
  });

  it('ends the session when a token is reused after the clock was set back', async () => {
    const { world, exchange, first } = await loggedIn();
    const next = await exchange(first);
    world.passMs(-7_200_000);
    await expect(exchange(first)).rejects.toMatchObject(refusal);
    await expect(exchange(next.refreshToken)).rejects.toMatchObject(refusal);
  });

  it('ends the session when any earlier token is reused', async () => {
    const { world, exchange, first } = await loggedIn();
    let token = first;
    for (let round = 0; round < 3; round += 1) {
      world.passMs(60_000);
      token = (await exchange(token)).refreshToken;
    }
    await expect(exchange(first)).rejects.toMatchObject(refusal);
    await expect(exchange(token)).rejects.toMatchObject(refusal);
  });
});

describe('an invalid refresh token', () => {
  it('is rejected and ends no session', async () => {
    const { session, exchange, first } = await loggedIn();
    const stranger = firstRefreshToken(session.viewer.sessionId ?? '');
    for (const token of ['', 'nonsense', session.accessToken, stranger.text]) {
      await expect(exchange(token)).rejects.toMatchObject(refusal);
    }
    expect((await exchange(first)).viewer).toEqual(session.viewer);
  });

  it('includes the token of a removed member', async () => {
    const { world, session, exchange, first } = await loggedIn();
    await world.deps.db.membership.deleteMany({ where: { userId: session.viewer.userId } });
    await expect(exchange(first)).rejects.toMatchObject(refusal);
  });
});

it('stores no token in plain text', async () => {
  const { world, exchange, first } = await loggedIn();
  const next = await exchange(first);
  const { rows } = await world.deps.pool.query<{ row: string }>(
    `SELECT s::text AS row FROM sessions s UNION ALL SELECT u::text FROM used_refresh_tokens u
     UNION ALL SELECT a::text FROM audit_entries a`,
  );
  const kept = rows.map(({ row }) => row).join('\n');
  for (const token of [first, next.refreshToken]) {
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(Buffer.from(token, 'base64url').toString('hex'));
  }
});
