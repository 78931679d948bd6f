import { expect, it } from 'vitest';
import { evaluateTags } from '../../../src/facts/tags/evaluation/evaluate.ts';
import { instantOf } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillInventory } from '../../facts/tags/world.ts';
import { bill } from '../../support/bills.ts';
import { statementRecorder } from '../../support/statements.ts';
import { aTeam, type Team } from '../team.ts';

/** A team with two resources and a charge for each in both accounts, and Eve with access to the first account only. */
async function billedTeam() {
  const team = await aTeam();
  const { one, two } = team.accounts;
  await team.join('eve', 'admin', [one]);
  const resources = [one, one, two, two].map((account, index) => ({ account, name: `vm-${index}` }));
  await bill(team.deps, team.organizationId, {
    charges: resources.map(({ account, name }) => ({ account, date: '2026-11-20', cost: '30', resource: name })),
    completeThrough: { [one]: '2026-11-20', [two]: '2026-11-20' },
  });
  await fillInventory(
    team.deps.pool,
    team.organizationId,
    resources.map((resource) => ({ ...resource, tags: {} })),
  );
  const kind = { provider: 'aws', resourceType: 'Instance', service: 'Compute', region: 'us-east-1', currency: 'USD' };
  const { organizationId } = team;
  for (const accountId of [one, two])
    await team.db.inventoryCount.create({ data: { ...kind, organizationId, accountId, isGone: false, resources: 2 } });
  for (const [name, accountId] of Object.entries(team.accounts))
    await team.db.account.update({ where: { id: accountId }, data: { name }, select: { id: true } });
  return team;
}

/** Counts the statements that a selection adds to a query.
 *  @param queryOf builds the query with the added selection */
async function statementsAdded(team: Team, queryOf: (added: string) => string, added: string): Promise<number> {
  const record = statementRecorder();
  const count = async (query: string) => {
    const send = async () => expect((await team.gql('ana', query)).body.errors).toBeUndefined();
    // Answers to cost queries are cached; the second request reads only the added relation.
    await send();
    return (await record(send)).length;
  };
  return (await count(queryOf(added))) - (await count(queryOf('')));
}

/** Queries with account groups, with a slot for a selection on each group. */
const groups = [
  ['costsByAccount', (added: string) => `{ costsByAccount { groups { accountId ${added} } } }`],
  ['costsDaily', (added: string) => `{ costsDaily(groupBy: ACCOUNT) { days { groups { accountId ${added} } } } }`],
  ['costs', (added: string) => `{ costs(groupBy: [{ dimension: ACCOUNT }]) { rows { keyList { value ${added} } } } }`],
  ['inventorySummary', (added: string) => `{ inventorySummary { byAccount { accountId ${added} } } }`],
] as const;

it.each(groups)('resolves the account of each group of %s with one statement', async (_root, queryOf) => {
  const team = await billedTeam();
  const namesOf = async (who: string) => {
    const { body } = await team.gql(who, queryOf('account { name }'));
    expect(body.errors).toBeUndefined();
    return [...JSON.stringify(body.data).matchAll(/"account":\{"name":"(\w+)"\}/g)].map(([, name]) => name).toSorted();
  };
  expect(await namesOf('ana')).toEqual(['one', 'two']);
  expect(await namesOf('eve')).toEqual(['one']);
  expect(await statementsAdded(team, queryOf, 'account { name }')).toBe(1);
});

it('resolves the inventory resources of costs by resource with two statements', async () => {
  const team = await billedTeam();
  const { one, two } = team.accounts;
  const queryOf = (added: string) =>
    `{ costs(groupBy: [{ dimension: ACCOUNT }, { dimension: RESOURCE }]) { rows { resourceId ${added} keyList { value account { name } } } } }`;
  const resource = 'resource { id name account { name } }';
  const rowsOf = async (who: string) => (await team.gql(who, queryOf(resource))).body.data.costs.rows;
  const rows = await rowsOf('ana');
  expect(rows).toHaveLength(4);
  for (const row of rows) {
    const [account, named] = row.keyList;
    const name = { [one]: 'one', [two]: 'two' }[account.value];
    expect(row.resource).toEqual({ id: row.resourceId, name: named.value, account: { name } });
    expect([account.account, named.account]).toEqual([{ name }, null]);
  }
  expect(await rowsOf('eve')).toEqual(rows.filter((row: (typeof rows)[number]) => row.keyList[0].value === one));
  expect(await statementsAdded(team, queryOf, 'resource { name }')).toBe(2);
});

it('resolves the account of each violating resource with one statement', async () => {
  const team = await billedTeam();
  await team.rest('ana', 'POST', '/tag-policies', { name: 'Owned', rules: [{ key: 'team' }] });
  for (const account of Object.values(team.accounts))
    await evaluateTags(team.deps, orgScope(team.organizationId, null), account);
  const queryOf = (added: string) => `{ tagViolations { data { resource { name ${added} } } } }`;
  const { body } = await team.gql('eve', queryOf('account { name }'));
  expect(body.data.tagViolations.data).toEqual(
    ['vm-0', 'vm-1'].map((name) => ({ resource: { name, account: { name: 'one' } } })),
  );
  expect(await statementsAdded(team, queryOf, 'account { name }')).toBe(1);
});

it("resolves the accounts granted by an invitation, limited to the caller's scope", async () => {
  const team = await billedTeam();
  const { one, two } = team.accounts;
  const invitation = { role: 'viewer', account_access: [one, two] };
  await team.rest('ana', 'POST', '/org/invite', { ...invitation, emails: ['new@example.com', 'other@example.com'] });
  await team.rest('ana', 'POST', '/org/invite', { emails: ['all@example.com'], role: 'viewer' });
  const queryOf = (added: string) => `{ invites(sortBy: EMAIL_ASC) { data { accountAccess ${added} } } }`;
  const seenBy = async (who: string) =>
    (await team.gql(who, queryOf('accounts { name }'))).body.data.invites.data.map(
      ({ accounts }: { accounts: { name: string }[] | null }) => accounts?.map(({ name }) => name).toSorted() ?? null,
    );
  expect(await seenBy('ana')).toEqual([null, ['one', 'two'], ['one', 'two']]);
  expect(await seenBy('eve')).toEqual([null, ['one'], ['one']]);
  expect(await statementsAdded(team, queryOf, 'accounts { name }')).toBe(1);
});

it("resolves the accounts in report filters, and a schedule's reports within the caller's scope", async () => {
  const team = await billedTeam();
  const { one, two } = team.accounts;
  const plan = { name: 'Monday', type: 'cost_by_service', format: 'csv', frequency: 'weekly' };
  const schedules: string[] = [];
  for (const account_id of [one, two]) {
    const { body } = await team.rest('ana', 'POST', '/reports/schedules', { ...plan, filters: { account_id } });
    schedules.push(body.id);
    team.passMs(1);
  }
  // The last report of the first schedule covers an account outside Eve's scope; its first report has expired.
  for (const [scheduleId, account_id, isExpired] of [
    [schedules[0], one, true],
    [schedules[0], one, false],
    [schedules[0], one, false],
    [schedules[0], two, false],
    [schedules[1], two, false],
  ] as const) {
    const input = { type: 'cost_by_service', format: 'json', filters: { account_id } };
    const { body } = await team.rest('ana', 'POST', '/reports', input);
    const data = { scheduleId, ...(isExpired && { expiresAt: instantOf('2026-11-01') }) };
    await team.db.report.update({ where: { id: body.id }, data, select: { id: true } });
    team.passMs(1);
  }
  const queryOf = (added: string) => `{ reportSchedules(sortBy: CREATED_AT_ASC) { data { name ${added} } } }`;
  const seenBy = async (who: string, relations: string) =>
    (await team.gql(who, queryOf(relations))).body.data.reportSchedules.data;
  const report = (name: string) => ({ filters: { accounts: [{ name }] } });
  const reports = 'reports { filters { accounts { name } } }';
  expect(await seenBy('ana', reports)).toEqual([
    { name: 'Monday', reports: [report('two'), report('one'), report('one')] },
    { name: 'Monday', reports: [report('two')] },
  ]);
  expect(await seenBy('ana', 'reports(first: 1) { schedule { name } filters { accounts { name } } }')).toEqual([
    { name: 'Monday', reports: [{ schedule: { name: 'Monday' }, ...report('two') }] },
    { name: 'Monday', reports: [{ schedule: { name: 'Monday' }, ...report('two') }] },
  ]);
  expect(await seenBy('eve', reports)).toEqual([{ name: 'Monday', reports: [report('one'), report('one')] }]);
  expect(await statementsAdded(team, queryOf, 'reports { status }')).toBe(2);
  expect(await statementsAdded(team, queryOf, 'filters { accounts { name } }')).toBe(1);
});
