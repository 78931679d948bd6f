import { expect, it } from 'vitest';
import { findingsWorld } from './world.ts';

interface Named {
  readonly name: string;
}

it('hides other accounts from a restricted member in relations of findings', async () => {
  const world = await findingsWorld(2);
  const query = `{
    anomalies { data { accountId account { id name } } }
    recommendations { data { account { name } resource { name inventory { name account { name } } } } }
    inventory { data { account { name } recommendations { title account { name } } } }
    accounts { data { anomalies { account { name } } recommendations { account { name } } } }
  }`;
  const seenBy = async (member: string) => {
    const { body } = await world.gql(member, query);
    expect(body.errors).toBeUndefined();
    const { anomalies, recommendations, inventory, accounts: own } = body.data;
    const accounts = [
      ...anomalies.data.map(({ account }: { account: Named }) => account.name),
      ...recommendations.data.flatMap((one: { account: Named; resource: { inventory: { account: Named } } }) => [
        one.account.name,
        one.resource.inventory.account.name,
      ]),
      ...inventory.data.flatMap((one: { account: Named; recommendations: { account: Named }[] }) => [
        one.account.name,
        ...one.recommendations.map(({ account }) => account.name),
      ]),
      ...own.data.flatMap((one: Record<'anomalies' | 'recommendations', { account: Named }[]>) =>
        [...one.anomalies, ...one.recommendations].map(({ account }) => account.name),
      ),
    ];
    return Object.fromEntries(
      Map.groupBy(accounts, String)
        .entries()
        .map(([account, { length }]) => [account, length]),
    );
  };
  // Per account: 2 anomalies, 2 recommendations with a resource, 2 resources with a recommendation, and the account's 2
  // anomalies and 2 recommendations.
  expect(await seenBy('ana')).toEqual({ one: 14, two: 14 });
  expect(await seenBy('eve')).toEqual({ one: 14 });
  expect(await seenBy('zoe')).toEqual({ 'zoe’s': 14 });
});

it('resolves a relation to a record outside the scope to null, like one to a missing record', async () => {
  const world = await findingsWorld(1);
  const { db, organizationId, accounts, found } = world;
  const unknown = '0193a000-0000-7000-8000-000000000002';
  const ask = async () => {
    const [one] = found.one.anomalies;
    const { body } = await world.gql('ana', `{ anomaly(id: "${one}") { id account { id } } }`);
    return body;
  };
  for (const accountId of [accounts.three, unknown]) {
    await db.anomaly.updateMany({ where: { organizationId, id: found.one.anomalies[0] }, data: { accountId } });
    expect(await ask()).toEqual({ data: { anomaly: { id: found.one.anomalies[0], account: null } } });
  }
  const changers = ['cleo', 'zoe'].map(
    async (name) => (await db.user.findUniqueOrThrow({ where: { email: `${name}@example.com` } })).id,
  );
  const [cleo, stranger] = await Promise.all(changers);
  const [changed] = found.two.anomalies;
  for (const [statusChangedById, member] of [
    [cleo, { name: 'cleo' }],
    [stranger, null],
  ] as const) {
    await db.anomaly.updateMany({ where: { id: changed }, data: { statusChangedById } });
    const { body } = await world.gql(
      'ana',
      `{ anomaly(id: "${changed}") { statusChangedById statusChangedBy { name } } }`,
    );
    expect(body.data.anomaly).toEqual({ statusChangedById, statusChangedBy: member });
    const { body: rest } = await world.rest('ana', 'GET', `/anomalies?account_id=${accounts.two}`);
    expect(rest.data).toMatchObject([{ id: changed, status_changed_by: statusChangedById }]);
    expect(Object.keys(rest.data[0])).not.toContain('status_changed_by_id');
  }
  const isAssigned = [
    [cleo, { name: 'cleo' }],
    [stranger, null],
  ] as const;
  for (const [assigneeId, assignee] of isAssigned) {
    await db.anomaly.updateMany({ where: { id: changed }, data: { assigneeId } });
    await db.recommendation.updateMany({ where: { id: found.two.recommendations[0] }, data: { assigneeId } });
    const { body } = await world.gql(
      'ana',
      `{ anomaly(id: "${changed}") { assignee { name } }
        recommendation(id: "${found.two.recommendations[0]}") { assigneeId assignee { name } } }`,
    );
    expect(body.data).toEqual({ anomaly: { assignee }, recommendation: { assigneeId, assignee } });
  }
  await db.inventoryResource.deleteMany({ where: { organizationId, accountId: accounts.two } });
  const id = found.two.recommendations[0];
  await db.recommendation.updateMany({ where: { id }, data: { statusChangedById: stranger } });
  const { body: archived } = await world.gql(
    'ana',
    `{ recommendation(id: "${id}") { statusChangedById statusChangedBy { name } } }`,
  );
  expect(archived.data.recommendation).toEqual({ statusChangedById: stranger, statusChangedBy: null });
  const left = await world.gql('ana', `{ recommendation(id: "${id}") { resource { id name inventory { id } } } }`);
  expect(left.body.data).toEqual({ recommendation: { resource: { id: null, name: 'volume 0', inventory: null } } });
  for (const [name, about] of [
    ['zoe', found.one],
    ['eve', found.two],
  ] as const)
    for (const root of [
      `anomaly(id: "${about.anomalies[0]}") { account { id } }`,
      `recommendation(id: "${about.recommendations[0]}") { resource { inventory { id } } }`,
      `inventoryResource(id: "${about.resources[0]}") { recommendations { id } }`,
    ]) {
      const { body } = await world.gql(name, `{ ${root} }`);
      expect(body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    }
});

it('resolves members, invitations and audit entries only to members and accounts of the organization', async () => {
  const world = await findingsWorld(0);
  const { db, organizationId, accounts, zoe } = world;
  const both = [accounts.one, accounts.two, accounts.three];
  await db.membership.update({ where: { id: world.id('cleo') }, data: { restricted: true, accountAccess: both } });
  await world.rest('eve', 'POST', '/org/invite', {
    emails: ['new@example.com'],
    role: 'viewer',
    account_access: [accounts.one],
  });
  const entry = { organizationId, action: 'login', resourceType: 'session', ipAddress: '', userAgent: '' };
  await db.auditEntry.createMany({
    data: [zoe.userId, null].map((actorId) => ({ ...entry, actorId, actorEmail: 'someone@example.com' })),
  });
  const query = `{
    members(search: "cleo") { data { user { name } accountAccess accounts { name } } }
    invites { data { email accountAccess invitedBy { name email } } }
    auditLogs(action: [LOGIN, INVITE_SENT]) { data { action actor { email } user { email } } }
  }`;
  const [ana, eve] = [(await world.gql('ana', query)).body.data, (await world.gql('eve', query)).body.data];
  const [one, two] = [accounts.one, accounts.two].toSorted();
  expect(ana.members.data).toEqual([
    { user: { name: 'cleo' }, accountAccess: [one, two], accounts: [named(one), named(two)] },
  ]);
  expect(eve.members.data).toEqual([
    { user: { name: 'cleo' }, accountAccess: [accounts.one], accounts: [{ name: 'one' }] },
  ]);
  const invite = {
    email: 'new@example.com',
    accountAccess: [accounts.one],
    invitedBy: { name: 'eve', email: 'eve@example.com' },
  };
  expect([ana.invites.data, eve.invites.data]).toEqual([[invite], [invite]]);
  const users = ana.auditLogs.data.map(
    ({ actor, user }: { actor: { email: string }; user: { email: string } | null }) => [
      actor.email,
      user?.email ?? null,
    ],
  );
  expect(users).toContainEqual(['eve@example.com', 'eve@example.com']);
  expect(users.filter(([email]: string[]) => email === 'someone@example.com')).toEqual([
    ['someone@example.com', null],
    ['someone@example.com', null],
  ]);
  // A removed member is still named in the log, but not resolved.
  await world.rest('ana', 'DELETE', `/org/members/${world.id('eve')}`);
  const after = (
    await world.gql('ana', '{ auditLogs(action: [INVITE_SENT]) { data { actor { email } user { email } } } }')
  ).body.data;
  expect(after.auditLogs.data).toEqual([{ actor: { email: 'eve@example.com' }, user: null }]);
  expect(
    (await world.gql('ana', '{ members(search: "ben") { data { accountAccess accounts { id } } } }')).body.data,
  ).toEqual({ members: { data: [{ accountAccess: null, accounts: null }] } });

  function named(id: string | undefined) {
    return { name: id === accounts.one ? 'one' : 'two' };
  }
});

it('omits relations from REST answers', async () => {
  const world = await findingsWorld(1);
  const keysOf = async (path: string) => Object.keys((await world.rest('ana', 'GET', path)).body.data[0]);
  expect(await keysOf('/anomalies')).not.toContain('account');
  expect(await keysOf('/recommendations')).not.toContain('account');
  expect(await keysOf('/inventory')).not.toContain('recommendations');
  expect(await keysOf('/inventory')).not.toContain('account');
  expect(await keysOf('/recommendations')).not.toContain('status_changed_by');
  expect(await keysOf('/accounts')).not.toContain('anomalies');
  expect(await keysOf('/accounts')).not.toContain('recommendations');
  expect(Object.keys((await world.rest('ana', 'GET', '/org')).body)).not.toContain('members');
  expect(await keysOf('/org/members')).not.toContain('accounts');
  expect(await keysOf('/audit-logs')).not.toContain('user');
  const { body } = await world.rest('ana', 'GET', '/recommendations');
  expect(Object.keys(body.data[0].resource)).toEqual(['id', 'native_id', 'name']);
});
