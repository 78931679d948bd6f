import { describe, expect, it } from 'vitest';
import { memberSortFields } from '../../../src/tenancy/members/store.ts';
import { aTeam, failure, invalid, start } from '../team.ts';

describe('the list of members', () => {
  it('is visible to every role, with all fields of the contract', async () => {
    const team = await aTeam();
    const { body } = await team.rest('dan', 'GET', '/org/members?search=CLEO');
    expect(body).toEqual({
      data: [
        {
          id: team.id('cleo'),
          user: { id: expect.any(String), email: 'cleo@example.com', name: 'cleo' },
          role: 'member',
          account_access: null,
          two_factor_enabled: false,
          locked_until: null,
          last_login_at: start.toISOString(),
          joined_at: start.toISOString(),
        },
      ],
      pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
    });
    const one = await team.rest('dan', 'GET', `/org/members/${team.id('cleo')}`);
    expect([one.status, one.body]).toEqual([200, body.data[0]]);
    expect((await team.gql('dan', `{ member(id: "${team.id('cleo')}") { user { name } role } }`)).body.data).toEqual({
      member: { user: { name: 'cleo' }, role: 'MEMBER' },
    });
    const query = '{ members(role: [SUPER_ADMIN, ADMIN], sortBy: NAME_ASC) { data { user { name } accountAccess } } }';
    expect((await team.gql('dan', query)).body.data.members.data).toEqual([
      { user: { name: 'ana' }, accountAccess: null },
      { user: { name: 'ben' }, accountAccess: null },
    ]);
  });

  it('can be filtered, sorted and paged', async () => {
    const team = await aTeam();
    const names = async (query: string) => {
      const { body } = await team.rest('dan', 'GET', `/org/members?${query}`);
      return body.data.map((member: { user: { name: string } }) => member.user.name);
    };
    expect(await names('sort_by=email')).toEqual(['ana', 'ben', 'cleo', 'dan']);
    expect(await names('sort_by=-name&per_page=2')).toEqual(['dan', 'cleo']);
    expect(await names('sort_by=-name&per_page=2&page=2')).toEqual(['ben', 'ana']);
    expect(await names('role=viewer,member&sort_by=name')).toEqual(['cleo', 'dan']);
    expect(await names('search=%25')).toEqual([]);
    expect(await names('search=@example&page=9')).toEqual([]);
    expect(await team.rest('dan', 'GET', '/org/members?sort_by=password_hash')).toEqual(
      invalid(/^sort_by must be one of/),
    );
    expect(await team.rest('dan', 'GET', '/org/members?role=owner')).toEqual(invalid(/^role must be one of/));
  });

  it('shows second factors and locks', async () => {
    const team = await aTeam();
    await team.db.user.update({ where: { email: 'cleo@example.com' }, data: { totpConfirmedAt: start } });
    for (let n = 0; n < 5; n += 1)
      await team.ask('POST', '/api/v1/auth/login', { email: 'dan@example.com', password: 'wrong password' });
    const { body } = await team.rest('ben', 'GET', '/org/members?sort_by=name');
    const found = body.data.map((member: Record<string, unknown>) => [
      member['two_factor_enabled'],
      member['locked_until'],
    ]);
    expect(found).toEqual([
      [false, null],
      [false, null],
      [true, null],
      [false, '2026-11-21T10:01:00.000Z'],
    ]);
  });

  it('shows restricted members only the access to accounts in their own scope', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    await team.join('eve', 'member', [one]);
    await team.join('fay', 'viewer', [one, two]);
    await team.join('gus', 'viewer', [two]);
    await team.join('hal', 'viewer', []);
    const seenBy = async (name: string) => {
      const { body } = await team.rest(name, 'GET', '/org/members?sort_by=name');
      return Object.fromEntries(
        body.data.map((member: { user: { name: string }; account_access: string[] | null }) => [
          member.user.name,
          member.account_access,
        ]),
      );
    };
    const open = { ana: null, ben: null, cleo: null, dan: null };
    expect(await seenBy('ben')).toEqual({ ...open, eve: [one], fay: [one, two].sort(), gus: [two], hal: [] });
    expect(await seenBy('eve')).toEqual({ ...open, eve: [one], fay: [one], gus: [], hal: [] });
    expect(await seenBy('hal')).toEqual({ ...open, eve: [], fay: [], gus: [], hal: [] });
    await team.db.account.delete({ where: { id: one } });
    expect(await seenBy('ben')).toMatchObject({ eve: [], fay: [two] });
  });

  it('leaves no trace of access to accounts outside the scope of a restricted caller', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    for (const [name, role, access] of [
      ['eve', 'admin', [one]],
      ['fay', 'viewer', [one]],
      ['gus', 'member', []],
    ] as const)
      await team.join(name, role, [...access]);
    const sorts = memberSortFields.flatMap((field) => [field, `-${field}`]);
    const lists = ['', 'search=g', 'per_page=1&page=2', 'role=viewer', 'role=member', 'role=admin,member'];
    const paths = [...lists, ...sorts.map((sort) => `sort_by=${sort}`)].map((query) => `/org/members?${query}`);
    const query = `{ members { data { id role accountAccess accounts { id name } } pagination { total } }
      organization { memberCount accountCount members { id accountAccess accounts { id } } } }`;
    const seenBy = async (name: string) => {
      const answers = [];
      for (const path of [...paths, `/org/members/${team.id('fay')}`, `/org/members/${team.id('gus')}`, '/org'])
        answers.push([path, (await team.rest(name, 'GET', path)).body]);
      const csv = { authorization: `Bearer ${team.tokens[name]}`, accept: 'text/csv' };
      answers.push((await team.ask('GET', '/api/v1/org/members', undefined, csv)).body);
      return [...answers, (await team.gql(name, query)).body];
    };
    const [before, all] = [await seenBy('eve'), await seenBy('ben')];

    const three = await team.connect('three');
    await team.db.membership.update({ where: { id: team.id('fay') }, data: { accountAccess: [three, one, two] } });
    await team.db.membership.update({ where: { id: team.id('gus') }, data: { accountAccess: [two] } });
    expect(await seenBy('eve')).toEqual(before);
    expect(JSON.stringify(before)).not.toMatch(new RegExp(`${two}|${three}`));
    expect(await seenBy('ben')).not.toEqual(all);
    // The responses to her changes are limited in the same way.
    const change = await team.rest('eve', 'PATCH', `/org/members/${team.id('fay')}`, { account_access: [one] });
    expect(change).toMatchObject({ status: 200, body: { account_access: [one] } });
    expect(await seenBy('eve')).toEqual(before);
  });

  it('is isolated from other organizations', async () => {
    const team = await aTeam();
    team.tokens['zoe'] = (await team.register('zoe')).accessToken;
    const { body } = await team.rest('zoe', 'GET', '/org/members');
    expect(body.data.map((member: { user: { name: string } }) => member.user.name)).toEqual(['zoe']);
    for (const [method, path, sent] of [
      ['PATCH', '', { role: 'viewer' }],
      ['DELETE', '', undefined],
      ['POST', '/unlock', undefined],
    ] as const) {
      const at = `/org/members/${team.id('cleo')}${path}`;
      expect(await team.rest('zoe', method, at, sent)).toEqual(failure(404, 'NOT_FOUND', team.id('cleo')));
    }
  });
});
