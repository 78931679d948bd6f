import { describe, expect, it } from 'vitest';
import { isLogin } from '../../../src/tenancy/sessions/open.ts';
import { verifySecondFactor } from '../../../src/tenancy/login/login.ts';
import { disableTotp } from '../../../src/tenancy/second-factor/setup.ts';
import { countRecoveryCodes } from '../../../src/tenancy/second-factor/store.ts';
import { origin, password, tenancyWorld } from '../support.ts';
import {
  actorFor,
  challengeFor,
  codeOf,
  logIn,
  methodOf,
  withTotp,
  type World,
  wrongCode,
} from '../second-factor/world.ts';

const verify = (world: World, challengeToken: string, code: string) =>
  verifySecondFactor(world.deps, origin, { challengeToken, code });

describe('a login with a second factor', () => {
  it('returns a challenge instead of tokens, and completes with a code', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const answer = await logIn(world, 'ana');
    expect(answer).toEqual({
      challengeToken: expect.stringMatching(/^[\w-]{43}$/),
      methods: ['totp', 'recovery_code'],
    });
    const challengeToken = isLogin(answer) ? '' : answer.challengeToken;
    const done = await verify(world, challengeToken, codeOf(world, secret));
    expect(done.viewer.email).toBe('ana@example.com');
    expect(await methodOf(world, done)).toBe('password + totp');
    expect((await world.audit()).at(-1)).toMatchObject({ action: 'login', details: { method: 'password + totp' } });
    await expect(verify(world, challengeToken, codeOf(world, secret, 1))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('accepts password and code in one request', async () => {
    const world = await tenancyWorld();
    const { secret, recoveryCodes } = await withTotp(world, 'ana');
    const done = await logIn(world, 'ana', codeOf(world, secret));
    if (!isLogin(done)) throw new Error('There should be tokens');
    expect(await methodOf(world, done)).toBe('password + totp');
    const other = await logIn(world, 'ana', recoveryCodes[3]?.toLowerCase());
    if (!isLogin(other)) throw new Error('There should be tokens');
    expect(await methodOf(world, other)).toBe('password + recovery_code');
  });

  it('ignores a code when there is no second factor', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    expect(await logIn(world, 'ana', '123456')).toHaveProperty('accessToken');
  });

  it('accepts a recovery code once', async () => {
    const world = await tenancyWorld();
    const { viewer, recoveryCodes } = await withTotp(world, 'ana');
    const [code = ''] = recoveryCodes;
    const done = await verify(world, await challengeFor(world, 'ana'), code);
    expect(await methodOf(world, done)).toBe('password + recovery_code');
    expect(await countRecoveryCodes(world.deps.db, viewer.userId)).toBe(9);
    await expect(verify(world, await challengeFor(world, 'ana'), code)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('accepts a TOTP code once, and none older than the last', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const [before, now, after] = [-1, 0, 1].map((steps) => codeOf(world, secret, steps));
    await logIn(world, 'ana', now);
    await expect(logIn(world, 'ana', now)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(logIn(world, 'ana', before)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await logIn(world, 'ana', after)).toHaveProperty('accessToken');
  });

  it('accepts codes one step before and after, but no further', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    for (const [steps, isTaken] of [
      [-2, false],
      [2, false],
      [-1, true],
      [1, true],
    ] as const) {
      const outcome = await logIn(world, 'ana', codeOf(world, secret, steps)).then(isLogin, () => false);
      expect([steps, outcome]).toEqual([steps, isTaken]);
    }
  });
});

describe('a login challenge', () => {
  it('allows five attempts', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const token = await challengeFor(world, 'ana');
    for (let tries = 0; tries < 5; tries += 1)
      await expect(verify(world, token, wrongCode(world, secret))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        message: 'code is wrong or was already used',
      });
    world.passMs(60_000); // the lock after the fifth failure
    await expect(verify(world, token, codeOf(world, secret))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await logIn(world, 'ana', codeOf(world, secret))).toHaveProperty('accessToken');
  });

  it('accepts the right code at the fifth attempt', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const token = await challengeFor(world, 'ana');
    for (let tries = 0; tries < 4; tries += 1) await verify(world, token, wrongCode(world, secret)).catch(() => null);
    expect(await verify(world, token, codeOf(world, secret))).toHaveProperty('accessToken');
  });

  it('expires after five minutes', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const tokens = [await challengeFor(world, 'ana'), await challengeFor(world, 'ana')];
    world.passMs(299_999);
    expect(await verify(world, tokens[0] ?? '', codeOf(world, secret))).toHaveProperty('accessToken');
    world.passMs(1);
    await expect(verify(world, tokens[1] ?? '', codeOf(world, secret, 1))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('is rejected when unknown', async () => {
    const world = await tenancyWorld();
    await expect(verify(world, 'x'.repeat(43), '123456')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(verify(world, '', '123456')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('concurrent codes', () => {
  it('succeed once when twenty challenges use the same TOTP code', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const tokens = [];
    for (let made = 0; made < 20; made += 1) tokens.push(await challengeFor(world, 'ana'));
    const code = codeOf(world, secret);
    const outcomes = await Promise.allSettled(tokens.map((token) => verify(world, token, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('succeed once for the same challenge, and once for the same recovery code', async () => {
    const world = await tenancyWorld();
    const { secret, recoveryCodes } = await withTotp(world, 'ana');
    const token = await challengeFor(world, 'ana');
    const same = await Promise.allSettled(
      Array.from({ length: 20 }, () => verify(world, token, codeOf(world, secret))),
    );
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await world.deps.db.loginLock.deleteMany();
    const recovery = await Promise.allSettled(Array.from({ length: 20 }, () => logIn(world, 'ana', recoveryCodes[0])));
    expect(recovery.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the lockout', () => {
  it('counts wrong codes together with wrong passwords, and is not reset by a correct password alone', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    for (let tries = 0; tries < 4; tries += 1) {
      const token = await challengeFor(world, 'ana');
      await expect(verify(world, token, wrongCode(world, secret))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    await expect(logIn(world, 'ana', wrongCode(world, secret))).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(logIn(world, 'ana', codeOf(world, secret))).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' });
    const failures = (await world.audit()).filter(({ action }) => action === 'failed_login');
    expect(failures.map(({ details }) => details)).toEqual(Array.from({ length: 5 }, () => ({ wrong: 'code' })));
  });

  it('is reset by a complete login', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    for (let tries = 0; tries < 4; tries += 1) await logIn(world, 'ana', wrongCode(world, secret)).catch(() => null);
    await verify(world, await challengeFor(world, 'ana'), codeOf(world, secret));
    for (let tries = 0; tries < 4; tries += 1) await logIn(world, 'ana', wrongCode(world, secret)).catch(() => null);
    expect(await logIn(world, 'ana', codeOf(world, secret, 1))).toHaveProperty('accessToken');
  });
});

describe('a challenge whose second factor was removed', () => {
  it('is rejected', async () => {
    const world = await tenancyWorld();
    const { viewer, secret, recoveryCodes } = await withTotp(world, 'ana');
    const token = await challengeFor(world, 'ana');
    await disableTotp(world.deps, viewer, actorFor(viewer), { password, code: codeOf(world, secret) });
    for (const code of [codeOf(world, secret, 1), recoveryCodes[0] ?? ''])
      await expect(verify(world, token, code)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});
