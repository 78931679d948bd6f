import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { aLine } from '../../support/focus.ts';
import { connectAccount } from '../../../src/ingest/accounts/connect.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { anAccounting, type AccountBody, type Accounting, type ErrorBody } from './world.ts';

const connection = (folder: string) => ({ name: 'Bills', provider: 'focus', settings: { path: folder } });

/** A second organization beside the one of the world. */
async function aSecond({ register, rest }: Accounting) {
  const { token } = await register({ email: 'eve@example.com', organization_name: 'Pear' });
  const { body } = await rest<{ id: string }>('GET', '/org', { token });
  return {
    id: body.id,
    connect: (folder: string) =>
      rest<AccountBody & ErrorBody>('POST', '/accounts', { token, body: connection(folder) }),
    setup: () => rest<{ request: object; steps: string[] }>('GET', '/accounts/setup?provider=focus', { token }),
  };
}

describe('folders of a server with several organizations', () => {
  it('are refused alike whether another organization uses them, or they are unused or missing', async () => {
    const world = await anAccounting();
    await world.connect('may');
    const second = await aSecond(world);
    for (const folder of ['may', 'may/a.csv', 'june', 'nowhere', '.']) {
      const { status, body } = await second.connect(folder);
      expect([status, body.error]).toMatchObject([400, { code: 'VALIDATION_ERROR', field: 'settings.path' }]);
      expect(body.error.message).toBe(
        `settings.path "${folder}" is not a folder of this organization; place the files in FOCUS_ROOT/${second.id} and name a path in it, or ask the operator to load them with npm run ingest`,
      );
    }
  });

  it('include the one named like the organization, which the setup instructions name', async () => {
    const world = await anAccounting();
    const second = await aSecond(world);
    await world.put(`${second.id}/may/a.csv`, [aLine({ day: '2026-05-03', cost: '9' })]);
    expect((await second.connect(`${second.id}/may`)).status).toBe(201);
    const answer = await world.call<ErrorBody>('POST', '/accounts', connection(`${second.id}/may`));
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(/not a folder of this/)]);
    const { body } = await second.setup();
    expect(body.request).toMatchObject({ settings: { path: `${second.id}/FOLDER` } });
    expect(body.steps[0]).toContain(`a folder under FOCUS_ROOT/${second.id},`);
  });

  it('stay connected, and can be reconnected, where an organization used them before', async () => {
    const world = await anAccounting();
    const { id } = await world.connect('may');
    await aSecond(world);
    await world.work();
    expect(await world.until(id, 'succeeded', 'failed')).toMatchObject({ sync_status: 'succeeded' });
    await world.call('DELETE', `/accounts/${id}`);
    const back = await world.call('PATCH', `/accounts/${id}`, { settings: { path: 'may' } });
    expect([back.status, back.body.status]).toEqual([200, 'connected']);
    const other = await world.call<ErrorBody>('PATCH', `/accounts/${id}`, { settings: { path: 'june' } });
    expect([other.status, other.body.error.message]).toEqual([400, expect.stringMatching(/not a folder of this/)]);
  });

  it('are left out of the root, which an organization connected before', async () => {
    const world = await anAccounting();
    rmSync(path.join(world.root, 'june'), { recursive: true });
    const { id } = await world.connect('.');
    const second = await aSecond(world);
    await world.put(`${second.id}/a.csv`, [aLine({ day: '2026-05-04', cost: '900' })]);
    await world.work();
    await world.until(id, 'succeeded');
    const costs = await world.call<{ total_cost: number }>(
      'GET',
      '/costs/summary?start_date=2026-05-01&end_date=2026-05-31',
    );
    expect(costs.body.total_cost).toBe(7);
  });

  it('can all be connected by the operator', async () => {
    const world = await anAccounting();
    const second = await aSecond(world);
    const { db } = world.deps;
    const owner = await db.membership.findFirstOrThrow({
      where: { organizationId: second.id },
      include: { user: true },
    });
    const viewer = {
      userId: owner.userId,
      email: owner.user.email,
      name: owner.user.name,
      role: owner.role,
      sessionId: null,
      token: null,
      twoFactorSetupRequired: false,
      scope: orgScope(second.id, null),
    };
    const operator = { organizationId: second.id, userId: null, email: null, ipAddress: '', userAgent: '' };
    const input = { name: 'Bills', provider: 'focus', settings: { path: 'may' } } as const;
    expect(await connectAccount(world.deps, viewer, operator, input)).toMatchObject({ externalId: 'may' });
  });
});
