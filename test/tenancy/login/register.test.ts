import { describe, expect, it } from 'vitest';
import { register } from '../../../src/tenancy/login/register.ts';
import { authenticate } from '../../../src/tenancy/sessions/authenticate.ts';
import { isLogin } from '../../../src/tenancy/sessions/open.ts';
import { verifySecondFactor } from '../../../src/tenancy/login/login.ts';
import { codeOf, logIn, withTotp, type World, wrongCode } from '../second-factor/world.ts';
import { origin, password, tenancyWorld } from '../support.ts';

const ana = { email: ' Ana@Example.com', password, name: ' Ana Li ', organizationName: 'Plum Inc' };

describe('register', () => {
  it('creates an organization with its Super Admin, and logs them in', async () => {
    const world = await tenancyWorld();
    const session = await register(world.deps, origin, ana);
    if (!isLogin(session)) throw new Error('A second factor was asked for');
    expect(session.viewer).toMatchObject({ email: 'ana@example.com', name: 'Ana Li', role: 'super_admin' });
    expect(session.viewer.scope.accountIds).toBeNull();
    expect(session.expiresAt.toISOString()).toBe('2026-11-28T10:00:00.000Z');
    expect(await authenticate(world.deps, session.accessToken)).toEqual(session.viewer);
    expect(await world.audit()).toEqual([
      {
        action: 'user_registered',
        actorEmail: 'ana@example.com',
        resourceType: 'user',
        details: { name: 'Ana Li', organization_name: 'Plum Inc' },
      },
    ]);
  });

  it('rejects an email that is taken, and stores nothing', async () => {
    const world = await tenancyWorld();
    await world.register('ana');
    const again = register(world.deps, origin, { ...ana, email: 'ANA@example.com' });
    await expect(again).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('"ana@example.com"'),
    });
    expect(await world.deps.db.organization.count()).toBe(1);
    expect(await world.audit()).toHaveLength(1);
  });

  it('accepts one of ten concurrent registrations of an email', async () => {
    const world = await tenancyWorld();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => register(world.deps, origin, ana)));
    expect(all.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    expect(await world.deps.db.organization.count()).toBe(1);
  });

  it('names the invalid field', async () => {
    const world = await tenancyWorld();
    const wrong: [typeof ana, RegExp][] = [
      [{ ...ana, email: 'nobody' }, /^email must/],
      [{ ...ana, name: 'bell\u0007' }, /^name must/],
      [{ ...ana, organizationName: '' }, /^organization_name must/],
      [{ ...ana, password: 'short' }, /^password must/],
      [{ ...ana, password: 'password123' }, /^password is one of the most common passwords/],
    ];
    for (const [input, message] of wrong) {
      await expect(register(world.deps, origin, input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(message),
      });
    }
    expect(await world.deps.db.user.count()).toBe(0);
  });
});

describe('a user without an organization', () => {
  const again = (world: World) => register(world.deps, origin, { ...ana, organizationName: 'New Inc' });

  it('can register again with their existing password', async () => {
    const world = await tenancyWorld();
    const { viewer } = await world.register('ana');
    await world.deps.db.membership.deleteMany();
    expect(await again(world)).toMatchObject({ viewer: { userId: viewer.userId, role: 'super_admin' } });
    await expect(register(world.deps, origin, { ...ana, password: 'kite orbit plum' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('keeps their second factor, and gets no tokens before proving it', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    await world.deps.db.membership.deleteMany();
    const answer = await again(world);
    if (isLogin(answer)) throw new Error('The password alone was enough');
    expect(answer.methods).toEqual(['totp', 'recovery_code']);
    expect(await world.deps.db.session.count({ where: { organization: { name: 'New Inc' } } })).toBe(0);
    const { viewer } = await verifySecondFactor(world.deps, origin, { ...answer, code: codeOf(world, secret) });
    expect(viewer).toMatchObject({ email: 'ana@example.com', role: 'super_admin' });
  });

  it('cannot reset the count of wrong codes by registering', async () => {
    const world = await tenancyWorld();
    const { secret } = await withTotp(world, 'ana');
    const wrong = () => logIn(world, 'ana', wrongCode(world, secret));
    for (const _ of [1, 2, 3, 4]) await expect(wrong()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await world.deps.db.membership.deleteMany();
    await again(world);
    await expect(wrong()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    await expect(wrong()).rejects.toMatchObject({ code: 'ACCOUNT_LOCKED' });
  });
});

describe('restricted registration', () => {
  it('rejects everyone if only invitations are allowed', async () => {
    const world = await tenancyWorld({ REGISTRATION: 'invite' });
    await expect(world.register('ana')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('accepts only the first of five concurrent registrations', async () => {
    const world = await tenancyWorld({ REGISTRATION: 'first' });
    const all = await Promise.allSettled(['a1', 'b2', 'c3', 'd4', 'e5'].map((name) => world.register(name)));
    expect(all.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    await expect(world.register('f6')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
