import { describe, expect, it } from 'vitest';
import { updateOrganization } from '../../../src/tenancy/org/organization.ts';
import { selectOrganization } from '../../../src/tenancy/org/store.ts';
import { origin, tenancyWorld } from '../support.ts';
import { aTeam, password, start } from '../team.ts';

async function registered() {
  const world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  const { organizationId } = viewer.scope;
  const actor = { organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  const read = ({ scope } = viewer) => selectOrganization(world.deps.db, scope, {});
  const update = async (input: Parameters<typeof updateOrganization>[3]) => {
    await updateOrganization(world.deps, viewer, actor, input);
    return read();
  };
  const ratesVersion = async () =>
    (await world.deps.db.organization.findUniqueOrThrow({ where: { id: organizationId } })).ratesVersion;
  return { world, organizationId, read, update, ratesVersion };
}

describe('the current organization', () => {
  it('has all fields for the Super Admin', async () => {
    const team = await aTeam();
    expect((await team.rest('ana', 'GET', '/org')).body).toEqual({
      id: team.organizationId,
      name: 'ana Inc',
      require_two_factor: false,
      owner_tag_key: null,
      fiscal_year_start_month: 1,
      currency: 'USD',
      member_count: 4,
      account_count: 2,
      automatic_exchange_rates: false,
      mail_configured: false,
      costs_loaded: false,
      sample_data: false,
      created_at: start.toISOString(),
      billing: { email: null, plan: 'self-hosted' },
    });
  });

  it('has no billing settings for other roles', async () => {
    const team = await aTeam();
    for (const name of ['ben', 'cleo', 'dan'])
      expect((await team.rest(name, 'GET', '/org')).body).toMatchObject({ name: 'ana Inc', billing: null });
  });

  it("counts connected accounts within the caller's scope", async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    await team.join('eve', 'viewer', [one]);
    await team.join('fay', 'viewer', [two]);
    await team.join('gus', 'viewer', []);
    const counts = () =>
      Promise.all(
        ['dan', 'eve', 'fay', 'gus'].map(async (name) => (await team.rest(name, 'GET', '/org')).body.account_count),
      );
    expect(await counts()).toEqual([2, 1, 1, 0]);
    await team.db.account.update({ where: { id: two }, data: { status: 'disconnected' } });
    expect(await counts()).toEqual([1, 1, 0, 0]);
  });

  it('in the response to a login depends on the role and scope of the user who logs in', async () => {
    const team = await aTeam();
    await team.join('eve', 'viewer', [team.accounts.one]);
    const fields = 'organization { id accountCount billing { plan } memberCount }';
    const login = (name: string) => `login(email: "${name}@example.com", password: "${password}") { ${fields} }`;
    const { body } = await team.gql('dan', `mutation { ana: ${login('ana')} eve: ${login('eve')} }`);
    const organization = { id: team.organizationId, memberCount: 5 };
    expect(body.data).toEqual({
      ana: { organization: { ...organization, accountCount: 2, billing: { plan: 'self-hosted' } } },
      eve: { organization: { ...organization, accountCount: 1, billing: null } },
    });
  });

  it('lists its members only to callers within it', async () => {
    const team = await aTeam();
    const zoe = await team.register('zoe');
    team.tokens['zoe'] = zoe.accessToken;
    const own = '{ organization { members(first: 2) { user { name } } } me { organization { members { role } } } }';
    const { body } = await team.gql('dan', own);
    const members = body.data.organization.members.map(({ user }: { user: { name: string } }) => user.name);
    expect(members).toEqual(['dan', 'cleo']);
    expect(body.data.me.organization.members).toHaveLength(4);
    const login = `mutation { login(email: "ana@example.com", password: "${password}") { organization { name members { id } } } }`;
    expect((await team.gql('zoe', login)).body.data).toEqual({
      login: { organization: { name: 'ana Inc', members: [] } },
    });
    const anonymous = await team.ask('POST', '/graphql', { query: login });
    expect(anonymous.body.errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED' } }]);
  });
});

describe('updateOrganization', () => {
  it('changes only the given fields, and audits old and new values', async () => {
    const { world, update, ratesVersion } = await registered();
    expect(await update({ name: ' Plum ', currency: 'EUR' })).toMatchObject({ name: 'Plum', currency: 'EUR' });
    expect(await update({ name: 'Pear' })).toMatchObject({ name: 'Pear', currency: 'EUR' });
    expect((await world.audit()).slice(-2).map((entry) => entry.details)).toEqual([
      { name: { from: 'ana Inc', to: 'Plum' }, currency: { from: 'USD', to: 'EUR' } },
      { name: { from: 'Plum', to: 'Pear' } },
    ]);
    expect(await ratesVersion()).toBe(1);
  });

  it('audits nothing when nothing changes', async () => {
    const { world, update, ratesVersion } = await registered();
    await update({ name: 'ana Inc', currency: 'USD' });
    expect(await world.audit()).toHaveLength(1);
    expect(await ratesVersion()).toBe(0);
  });

  it('affects no other organization', async () => {
    const { world, read, update } = await registered();
    const ben = await world.register('ben');
    await update({ name: 'Plum' });
    expect((await read(ben.viewer)).name).toBe('ben Inc');
  });

  it('rejects invalid values, and changes nothing', async () => {
    const { read, update } = await registered();
    const wrong: [Parameters<typeof update>[0], RegExp][] = [
      [{}, /^Nothing to change/],
      [{ name: null }, /^name cannot be null; leave it out to keep it$/],
      [{ name: 'Plum', currency: null }, /^currency cannot be null; leave it out to keep it$/],
      [{ name: '' }, /^name must/],
      [{ name: 'Plum', currency: 'eur' }, /^currency "eur" must be an ISO 4217 code such as "USD"/],
    ];
    for (const [input, message] of wrong) {
      await expect(update(input)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(message),
      });
    }
    expect((await read()).name).toBe('ana Inc');
  });
});

describe('an organization deleted during a request', () => {
  it('rejects reads and updates as from a non-member', async () => {
    const { world, organizationId, read, update } = await registered();
    await world.deps.db.organization.delete({ where: { id: organizationId } });
    const gone = { code: 'UNAUTHORIZED', message: 'You are no longer a member of this organization' };
    await expect(update({ name: 'Late' })).rejects.toMatchObject(gone);
    await expect(read()).rejects.toMatchObject(gone);
  });
});
