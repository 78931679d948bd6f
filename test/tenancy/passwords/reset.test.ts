import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { attemptLogin, lockedUntil } from '../../../src/tenancy/login/lockout.ts';
import { requestReset } from '../../../src/tenancy/passwords/forgot.ts';
import { resetPassword } from '../../../src/tenancy/passwords/change.ts';
import { login } from '../../../src/tenancy/login/login.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { origin, tenancyWorld } from '../support.ts';

const email = 'ana@example.com';
const chosen = 'brine lantern quill';

type World = Awaited<ReturnType<typeof tenancyWorld>>;

/** The token in the latest mail with a reset link. */
async function tokenOf({ mails }: World): Promise<string> {
  const links = (await mails()).flatMap(({ text }) => /reset-password\?token=(\S+)/.exec(text)?.[1] ?? []);
  return links.at(-1) ?? '';
}

async function aReset() {
  const world = await tenancyWorld();
  const registered = await world.register('ana');
  await requestReset(world.deps, origin, { email });
  return { ...world, registered, token: await tokenOf(world) };
}

const enter = ({ deps }: Pick<World, 'deps'>, password: string) => login(deps, origin, { email, password });

describe('requesting a password reset', () => {
  it('sends a mail with a link, and is audited', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    await requestReset(world.deps, origin, { email: ' Ana@Example.com ' });
    const [mail, ...others] = await world.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, subject: 'Choose a new password' });
    expect(mail?.text).toMatch(/http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}\n/);
    expect(await world.audit()).toMatchObject([
      { action: 'user_registered' },
      { action: 'password_reset_requested', actorEmail: email, details: {} },
    ]);
  });

  it('enqueues the same job for an unknown email, without effect', async () => {
    const { deps, jobs, mails } = await tenancyWorld();
    const unknown = 'ana@example.org';
    await requestReset(deps, origin, { email: unknown });
    const [job] = structuredClone(jobs);
    expect(Object.keys(job?.payload ?? {})).toEqual(['id', 'sealed']);
    expect(job?.task).toBe('forgot_password');
    expect(JSON.stringify(job)).not.toContain('ana');
    expect(await mails()).toEqual([]);
    expect(await deps.db.passwordReset.count()).toBe(0);
  });

  it('sends at most five mails per hour', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    for (let i = 0; i < 7; i += 1) await requestReset(world.deps, origin, { email });
    expect(await world.mails()).toHaveLength(5);
    world.passMs(3_600_000);
    await requestReset(world.deps, origin, { email });
    expect(await world.mails()).toHaveLength(6);
  });

  it('sends one mail when its job runs twice', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    await requestReset(world.deps, origin, { email });
    world.jobs.push(...structuredClone(world.jobs));
    expect(await world.mails()).toHaveLength(1);
  });

  it('rejects an invalid email', async () => {
    const { deps } = await tenancyWorld();
    await expect(requestReset(deps, origin, { email: 'ana' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('a reset token', () => {
  it('sets a new password, once', async () => {
    const world = await aReset();
    await resetPassword(world.deps, origin, { token: world.token, password: chosen });
    await expect(enter(world, 'plum kite orbit')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await enter(world, chosen)).toMatchObject({ viewer: { email } });
    const again = resetPassword(world.deps, origin, { token: world.token, password: 'another brine lantern' });
    await expect(again).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'token is invalid or expired: it works once, within an hour; request a new email',
    });
  });

  it('succeeds for one of 20 concurrent requests', async () => {
    const { deps, token } = await aReset();
    const uses = Array.from({ length: 20 }, (_, n) =>
      resetPassword(deps, origin, { token, password: `${chosen} ${n}` }),
    );
    const results = await Promise.allSettled(uses);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is valid for an hour', async () => {
    const { deps, token, passMs } = await aReset();
    passMs(3_600_000);
    await expect(resetPassword(deps, origin, { token, password: chosen })).rejects.toThrow(
      'token is invalid or expired',
    );
    passMs(-1);
    await resetPassword(deps, origin, { token, password: chosen });
  });

  it('stays valid when the new password is rejected', async () => {
    const { deps, token } = await aReset();
    for (const password of ['short', 'password123', email, 'x'.repeat(129)]) {
      await expect(resetPassword(deps, origin, { token, password })).rejects.toThrow(/^password /);
    }
    await resetPassword(deps, origin, { token, password: chosen });
  });

  it("ends every session and invalidates the user's other links", async () => {
    const world = await aReset();
    await requestReset(world.deps, origin, { email });
    const second = await tokenOf(world);
    await resetPassword(world.deps, origin, { token: second, password: chosen });
    await expect(refresh(world.deps, origin, world.registered.refreshToken)).rejects.toThrow('is invalid or expired');
    const first = resetPassword(world.deps, origin, { token: world.token, password: 'yet another one' });
    await expect(first).rejects.toThrow('token is invalid or expired');
  });

  it('lifts a login lock', async () => {
    const { deps, token } = await aReset();
    for (let i = 0; i < 5; i += 1) await attemptLogin(deps, email, () => Promise.resolve(null));
    await resetPassword(deps, origin, { token, password: chosen });
    expect(await lockedUntil(deps, [email])).toEqual(new Map());
  });

  it('is audited when used, and confirmed to the user by mail', async () => {
    const world = await aReset();
    await resetPassword(world.deps, origin, { token: world.token, password: chosen });
    expect((await world.audit()).at(-1)).toMatchObject({
      action: 'password_changed',
      actorEmail: email,
      details: { by: 'reset', sessions_ended: 1 },
    });
    expect((await world.mails()).at(-1)).toMatchObject({ to: email, subject: 'Your password was changed' });
  });

  it('is stored as a hash', async () => {
    const { deps, token } = await aReset();
    const [row] = await deps.db.passwordReset.findMany();
    expect(Buffer.from(row?.tokenHash ?? []).toString('latin1')).not.toContain(token);
    expect(row?.tokenHash).toHaveLength(32);
  });

  it('is rejected with the same error when unknown', async () => {
    const { deps } = await tenancyWorld();
    for (const token of ['', 'x', 'é'.repeat(5000)]) {
      await expect(resetPassword(deps, origin, { token, password: chosen })).rejects.toThrow(
        'token is invalid or expired',
      );
    }
  });
});

describe('a login with the old password', () => {
  it('leaves no session when it runs during the reset', async () => {
    const world = await aReset();
    const { deps, token } = world;
    const logins = Array.from({ length: 12 }, async (_, n) => {
      await sleep(n * 15);
      return enter(world, 'plum kite orbit');
    });
    const reset = sleep(60).then(() => resetPassword(deps, origin, { token, password: chosen }));
    const [, ...tried] = await Promise.allSettled([reset, ...logins]);
    await expect(reset).resolves.toBeUndefined();
    expect(await deps.db.session.count({ where: { revokedAt: null } })).toBe(0);
    const refusals = tried.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.code)] : []));
    expect(refusals.filter((code) => !['UNAUTHORIZED', 'ACCOUNT_LOCKED'].includes(code))).toEqual([]);
  });
});
