import { describe, expect, it } from 'vitest';
import { confirmTotp, disableTotp, renewRecoveryCodes, setUpTotp } from '../../../src/tenancy/second-factor/setup.ts';
import { countRecoveryCodes, hasSecondFactor, listSecondFactors } from '../../../src/tenancy/second-factor/store.ts';
import { password, serve, tenancyWorld } from '../support.ts';
import { actorFor, codeOf, logIn, viewerNow, withTotp, wrongCode } from './world.ts';

describe('setting up TOTP', () => {
  it('requires no code until it is confirmed', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    const { secret } = await setUpTotp(world.deps, viewer);
    expect(await hasSecondFactor(world.deps.db, [viewer.userId])).toEqual(new Set());
    expect(await logIn(world, 'ana')).toHaveProperty('accessToken');
    const user = await world.deps.db.user.findUniqueOrThrow({ where: { id: viewer.userId } });
    expect(Buffer.from(user.totpSecret ?? []).toString('latin1')).not.toContain(secret);
  });

  it('accepts only a code of the latest secret, and uses it up', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    const first = await setUpTotp(world.deps, viewer);
    const { secret } = await setUpTotp(world.deps, viewer);
    const confirm = (code: string) => confirmTotp(world.deps, viewer, actorFor(viewer), { code });
    await expect(confirm(codeOf(world, first.secret))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const code = codeOf(world, secret);
    expect(await confirm(code)).toHaveLength(10);
    await expect(confirm(code)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(setUpTotp(world.deps, viewer)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(logIn(world, 'ana', code)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await world.audit()).find(({ action }) => action === 'two_factor_enabled')).toMatchObject({
      actorEmail: 'ana@example.com',
    });
  });

  it('is confirmed to the user by mail, and so are new recovery codes and the removal of TOTP', async () => {
    const world = await tenancyWorld();
    const { viewer, secret } = await withTotp(world, 'ana');
    const actor = actorFor(viewer);
    world.passMs(60_000);
    await renewRecoveryCodes(world.deps, viewer, actor, { password, code: codeOf(world, secret) });
    world.passMs(60_000);
    await disableTotp(world.deps, viewer, actor, { password, code: codeOf(world, secret) });
    const mails = (await world.mails()).filter(({ subject }) => subject === 'Your sign-in settings were changed');
    expect(mails.map(({ to }) => to)).toEqual(Array.from({ length: 3 }, () => 'ana@example.com'));
    expect(
      mails.map(({ text }) => /(?:An|The) .*? (?:set up|replaced|removed)/s.exec(text)?.[0].replaceAll('\n', ' ')),
    ).toEqual([
      'An authenticator app was set up',
      'The recovery codes of your Costkeep account were replaced',
      'The authenticator app of your Costkeep account was removed',
    ]);
  });

  it('succeeds for one of ten concurrent confirmations, whose recovery codes are valid', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    const { secret } = await setUpTotp(world.deps, viewer);
    const code = codeOf(world, secret);
    const attempts = Array.from({ length: 10 }, () => confirmTotp(world.deps, viewer, actorFor(viewer), { code }));
    const done = (await Promise.allSettled(attempts)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    expect(await countRecoveryCodes(world.deps.db, viewer.userId)).toBe(10);
  });

  it('requires a secret first', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    await expect(confirmTotp(world.deps, viewer, actorFor(viewer), { code: '123456' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });
});

describe('disabling TOTP', () => {
  it('returns 204 without a body in REST', async () => {
    const world = await tenancyWorld();
    const { accessToken, secret } = await withTotp(world, 'ana');
    const ask = await serve(world.deps);
    const body = { password, code: codeOf(world, secret) };
    const answer = await ask('POST', '/api/v1/auth/2fa/disable', body, { authorization: `Bearer ${accessToken}` });
    expect([answer.status, answer.body]).toEqual([204, null]);
  });

  it('requires password and code, and deletes the secret and recovery codes', async () => {
    const world = await tenancyWorld();
    const { viewer, secret } = await withTotp(world, 'ana');
    await disableTotp(world.deps, viewer, actorFor(viewer), { password, code: codeOf(world, secret) });
    const user = await world.deps.db.user.findUniqueOrThrow({ where: { id: viewer.userId } });
    expect([user.totpSecret, user.totpConfirmedAt, user.totpLastStep]).toEqual([null, null, null]);
    expect(await countRecoveryCodes(world.deps.db, viewer.userId)).toBe(0);
    expect(await logIn(world, 'ana')).toHaveProperty('accessToken');
    expect((await world.audit()).map(({ action }) => action)).toContain('two_factor_disabled');
    await expect(disableTotp(world.deps, viewer, actorFor(viewer), { password, code: '123456' })).rejects.toMatchObject(
      { code: 'CONFLICT' },
    );
  });

  it('accepts a recovery code, too, and rejects a wrong password or code', async () => {
    const world = await tenancyWorld();
    const { viewer, secret, recoveryCodes } = await withTotp(world, 'ana');
    const disable = (given: object) =>
      disableTotp(world.deps, viewer, actorFor(viewer), { password, code: codeOf(world, secret), ...given });
    await expect(disable({ password: 'wrong password' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(disable({ code: wrongCode(world, secret) })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const failures = (await world.audit()).filter(({ action }) => action === 'failed_login');
    expect(failures.map(({ details }) => details)).toEqual([
      { wrong: 'password', why: 'the password was requested again' },
      { wrong: 'code', why: 'the code was requested again' },
    ]);
    await disable({ code: recoveryCodes[0] });
    expect(await hasSecondFactor(world.deps.db, [viewer.userId])).toEqual(new Set());
  });

  it('counts wrong codes like a login, and locks after five', async () => {
    const world = await tenancyWorld();
    const { viewer, secret } = await withTotp(world, 'ana');
    const disable = (code: string) => disableTotp(world.deps, viewer, actorFor(viewer), { password, code });
    for (let tries = 0; tries < 5; tries += 1)
      await expect(disable(wrongCode(world, secret))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(disable(codeOf(world, secret))).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' });
    world.passMs(60_000);
    await disable(codeOf(world, secret));
  });

  it('requires a new setup if the organization requires a second factor', async () => {
    const world = await tenancyWorld();
    const { viewer, accessToken, secret } = await withTotp(world, 'ana');
    await world.deps.db.organization.updateMany({ data: { requireTwoFactor: true } });
    expect((await viewerNow(world, accessToken)).twoFactorSetupRequired).toBe(false);
    await disableTotp(world.deps, viewer, actorFor(viewer), { password, code: codeOf(world, secret) });
    expect((await viewerNow(world, accessToken)).twoFactorSetupRequired).toBe(true);
  });
});

describe('renewed recovery codes', () => {
  it('replace the old ones, given password and code', async () => {
    const world = await tenancyWorld();
    const { viewer, secret, recoveryCodes } = await withTotp(world, 'ana');
    const input = { password, code: codeOf(world, secret) };
    const renewed = await renewRecoveryCodes(world.deps, viewer, actorFor(viewer), input);
    expect(renewed).toHaveLength(10);
    await expect(logIn(world, 'ana', recoveryCodes[0])).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await logIn(world, 'ana', renewed[0])).toHaveProperty('accessToken');
    expect((await world.audit()).map(({ action }) => action)).toContain('recovery_codes_renewed');
  });

  it('require a code if TOTP is enabled, and require a second factor', async () => {
    const world = await tenancyWorld();
    const { viewer } = await withTotp(world, 'ana');
    const { viewer: ben } = await world.register('ben');
    const renew = (who: typeof viewer) => renewRecoveryCodes(world.deps, who, actorFor(who), { password });
    await expect(renew(viewer)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(renew(ben)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('are available to users with passkeys only, too', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    await world.deps.db.passkey.create({
      data: {
        userId: viewer.userId,
        name: 'Key',
        credentialId: Buffer.alloc(16, 1),
        publicKey: Buffer.alloc(1),
        counter: 0,
        deviceType: 'singleDevice',
        backedUp: false,
      },
    });
    const [code] = await renewRecoveryCodes(world.deps, viewer, actorFor(viewer), { password });
    expect(await listSecondFactors(world.deps.db, viewer.userId)).toEqual(['recovery_code', 'webauthn']);
    expect(await logIn(world, 'ana', code)).toHaveProperty('accessToken');
  });
});
