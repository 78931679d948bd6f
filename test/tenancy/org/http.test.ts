import { describe, expect, it } from 'vitest';
import { aTeam, failure, forbidden, invalid } from '../team.ts';

describe('organization settings', () => {
  it('show billing only to the Super Admin', async () => {
    const team = await aTeam();
    expect((await team.rest('ana', 'PATCH', '/org', { billing_email: 'Bills@Example.com' })).body.billing).toEqual({
      email: 'bills@example.com',
      plan: 'self-hosted',
    });
    for (const name of ['ben', 'cleo', 'dan']) {
      expect((await team.rest(name, 'GET', '/org')).body).toMatchObject({
        billing: null,
        member_count: 4,
        account_count: 2,
      });
      expect(
        (await team.gql(name, '{ organization { billing { email } } }')).body.data.organization.billing,
      ).toBeNull();
    }
  });

  it('accept billing changes only from the Super Admin, and reject the whole request otherwise', async () => {
    const team = await aTeam();
    const sent = { name: 'Pear', billing_email: 'bills@example.com' };
    expect(await team.rest('ben', 'PATCH', '/org', sent)).toEqual(
      forbidden(/^billing_email cannot be changed by the role admin; ask the Super Admin$/),
    );
    const { status, body } = await team.gql(
      'ben',
      'mutation { updateOrganization(input: { billingEmail: null }) { name } }',
    );
    expect([status, body.errors[0].extensions.code]).toEqual([403, 'FORBIDDEN']);
    expect((await team.rest('ana', 'GET', '/org')).body).toMatchObject({ name: 'ana Inc', billing: { email: null } });
    await team.rest('ana', 'PATCH', '/org', sent);
    expect((await team.rest('ana', 'PATCH', '/org', { billing_email: null })).body).toMatchObject({
      name: 'Pear',
      billing: { email: null },
    });
    expect((await team.recorded()).map(({ details }) => details)).toEqual([
      { name: { from: 'ana Inc', to: 'Pear' }, billing_email: { from: null, to: 'bills@example.com' } },
      { billing_email: { from: 'bills@example.com', to: null } },
    ]);
  });

  it('can require a second factor, effective from the next request', async () => {
    const team = await aTeam();
    const { status, body } = await team.rest('ben', 'PATCH', '/org', { require_two_factor: true });
    // The change was made; this response is the last one that Ben gets without a second factor.
    expect([status, body.require_two_factor]).toEqual([200, true]);
    for (const name of ['ana', 'ben', 'dan'])
      expect(await team.rest(name, 'GET', '/org')).toEqual(failure(403, 'TWO_FACTOR_SETUP_REQUIRED'));
    expect((await team.recorded()).map(({ details }) => details)).toEqual([
      { require_two_factor: { from: false, to: true } },
    ]);
  });

  it('cannot be changed by an Admin with access to some accounts', async () => {
    const team = await aTeam();
    await team.join('eve', 'admin', [team.accounts.one]);
    for (const change of [{ name: 'Pear' }, { currency: 'EUR' }, { fiscal_year_start_month: 4 }])
      expect(await team.rest('eve', 'PATCH', '/org', change)).toEqual(
        forbidden(
          '^Settings of the organization apply to all accounts, and you have access to some only; ask an Admin with access to all accounts$',
        ),
      );
    expect(await team.recorded()).toEqual([]);
  });

  it('reject invalid values', async () => {
    const team = await aTeam();
    expect(await team.rest('ana', 'PATCH', '/org', {})).toEqual(invalid(/^The body has nothing to change/));
    expect(await team.rest('ana', 'PATCH', '/org', { require_two_factor: null })).toEqual(
      invalid(/^require_two_factor cannot be null/),
    );
    expect(await team.rest('ana', 'PATCH', '/org', { require_two_factor: 1 })).toEqual(
      invalid(/^require_two_factor must be true or false/),
    );
    for (const email of ['', 'nobody'])
      expect(await team.rest('ana', 'PATCH', '/org', { billing_email: email })).toEqual(
        invalid(/^billing_email ".*" must be an address/),
      );
    expect(await team.rest('ana', 'PATCH', '/org', { plan: 'gold' })).toEqual(invalid(/^plan is not a known field/));
    expect(await team.recorded()).toEqual([]);
  });
});
