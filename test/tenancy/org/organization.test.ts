import { describe, expect, it } from 'vitest';
import { readOrganization, updateOrganization } from '../../../src/tenancy/org/organization.ts';
import { orgScope, type Viewer } from '../../../src/tenancy/auth/scope.ts';
import { origin, start, tenancyWorld } from '../support.ts';

async function registered() {
  const world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  const { organizationId } = viewer.scope;
  const actor = { organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  const update = (input: Parameters<typeof updateOrganization>[3]) =>
    updateOrganization(world.deps, viewer, actor, input);
  const ratesVersion = async () =>
    (await world.deps.db.organization.findUniqueOrThrow({ where: { id: organizationId } })).ratesVersion;
  return { world, viewer, organizationId, update, ratesVersion };
}

function connect(world: Awaited<ReturnType<typeof tenancyWorld>>, organizationId: string, externalId: string) {
  const data = { organizationId, externalId, name: externalId, provider: 'focus' } as const;
  return world.deps.db.account.create({ data, select: { id: true } });
}

describe('readOrganization', () => {
  it('shows the Super Admin everything', async () => {
    const { world, viewer, organizationId } = await registered();
    expect(await readOrganization(world.deps, viewer)).toEqual({
      id: organizationId,
      name: 'ana Inc',
      requireTwoFactor: false,
      currency: 'USD',
      memberCount: 1,
      accountCount: 0,
      createdAt: start,
      billing: { email: null, plan: 'self-hosted' },
    });
  });

  it('shows nobody else the billing settings', async () => {
    const { world, viewer } = await registered();
    for (const role of ['admin', 'member', 'viewer'] as const) {
      expect((await readOrganization(world.deps, { ...viewer, role })).billing).toBeNull();
    }
  });

  it('counts the connected accounts that the caller may see', async () => {
    const { world, viewer, organizationId } = await registered();
    const [one, two] = [await connect(world, organizationId, 'one'), await connect(world, organizationId, 'two')];
    const seenBy = (accountIds: string[] | null): Viewer => ({
      ...viewer,
      scope: orgScope(organizationId, accountIds),
    });
    const count = async (accountIds: string[] | null) =>
      (await readOrganization(world.deps, seenBy(accountIds))).accountCount;
    expect([await count(null), await count([one.id]), await count([])]).toEqual([2, 1, 0]);
    await world.deps.db.account.update({ where: { id: two.id }, data: { status: 'disconnected' } });
    expect([await count(null), await count([two.id])]).toEqual([1, 0]);
  });
});

describe('updateOrganization', () => {
  it('changes what is named and records both values', async () => {
    const { world, update, ratesVersion } = await registered();
    expect(await update({ name: ' Plum ', currency: 'EUR' })).toMatchObject({ name: 'Plum', currency: 'EUR' });
    expect(await update({ name: 'Pear' })).toMatchObject({ name: 'Pear', currency: 'EUR' });
    expect((await world.audit()).slice(-2).map((entry) => entry.details)).toEqual([
      { name: { from: 'ana Inc', to: 'Plum' }, currency: { from: 'USD', to: 'EUR' } },
      { name: { from: 'Plum', to: 'Pear' } },
    ]);
    expect(await ratesVersion()).toBe(1);
  });

  it('records nothing when nothing changes', async () => {
    const { world, update, ratesVersion } = await registered();
    await update({ name: 'ana Inc', currency: 'USD' });
    expect(await world.audit()).toHaveLength(1);
    expect(await ratesVersion()).toBe(0);
  });

  it('touches no other organization', async () => {
    const { world, update } = await registered();
    const ben = await world.register('ben');
    await update({ name: 'Plum' });
    expect((await readOrganization(world.deps, ben.viewer)).name).toBe('ben Inc');
  });

  it('refuses what it cannot use, and changes nothing', async () => {
    const { world, viewer, update } = await registered();
    const wrong: [Parameters<typeof update>[0], RegExp][] = [
      [{}, /^Nothing to change/],
      [{ name: null }, /^name cannot be null/],
      [{ name: 'Plum', currency: null }, /^currency cannot be null/],
      [{ name: '' }, /^name must/],
      [{ name: 'Plum', currency: 'eur' }, /^currency must be an ISO 4217 code such as "USD", not "eur"/],
    ];
    for (const [input, message] of wrong) {
      await expect(update(input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(message),
      });
    }
    expect((await readOrganization(world.deps, viewer)).name).toBe('ana Inc');
  });
});

describe('an organization that is deleted while a request runs', () => {
  it('has no settings any more, and nobody is a member of it', async () => {
    const { world, viewer, organizationId, update } = await registered();
    await world.deps.db.organization.delete({ where: { id: organizationId } });
    const gone = { code: 'UNAUTHORIZED', message: 'You are no member of this organization any more' };
    await expect(update({ name: 'Late' })).rejects.toMatchObject(gone);
    await expect(readOrganization(world.deps, viewer)).rejects.toMatchObject(gone);
  });
});
