import { describe, expect, it } from 'vitest';
import { evaluateTags } from '../../src/facts/tags/evaluation/evaluate.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { fillInventory } from '../facts/tags/world.ts';
import { bill } from '../support/bills.ts';
import { statementRecorder } from '../support/statements.ts';
import { aTeam, type Team } from '../tenancy/team.ts';
import { essentials } from '../support/essentials.ts';

/** A team with 20 budgets: for the first account by Ben and Cleo, for the second by Ana. */
async function aTeamWithBudgets() {
  const team = await aTeam();
  const { one, two } = team.accounts;
  await bill(team.deps, team.organizationId, {
    charges: [
      { account: one, date: '2026-11-20', cost: '30' },
      { account: two, date: '2026-11-20', cost: '7' },
    ],
    completeThrough: { [one]: '2026-11-20', [two]: '2026-11-20' },
  });
  for (let index = 0; index < 20; index += 1) {
    const [who, account_id] = (
      [
        ['ben', one],
        ['cleo', one],
        ['ana', two],
      ] as const
    )[index % 3] ?? ['ana', two];
    await team.rest(who, 'POST', '/budgets', { name: `Budget ${index}`, amount: 100, account_id });
    team.passMs(1);
  }
  return team;
}

/** The statements that a request sends to the database, apart from those that authenticate it. */
async function statementsOf(team: Team, request: string): Promise<string[]> {
  const record = statementRecorder();
  const send = () => (request.startsWith('/') ? team.rest('ana', 'GET', request) : team.gql('ana', request));
  await send();
  const known = new Set(await record(() => team.gql('ana', '{ __typename }')));
  const sent = await record(async () => {
    const { status, body } = await send();
    expect([status, body.errors]).toEqual([200, undefined]);
  });
  return sent.filter((text) => !known.has(text));
}

describe('relations', () => {
  it('resolve records in both directions', async () => {
    const team = await aTeamWithBudgets();
    const { body } = await team.gql(
      'dan',
      `{ accounts(sortBy: NAME_ASC) { data { name lastSync { status } budgets(first: 2) { name account { name } createdBy { name email } } } } }`,
    );
    expect(body).toEqual({
      data: {
        accounts: {
          data: [
            {
              name: 'one',
              lastSync: null,
              budgets: [
                { name: 'Budget 19', account: { name: 'one' }, createdBy: { name: 'cleo', email: 'cleo@example.com' } },
                { name: 'Budget 18', account: { name: 'one' }, createdBy: { name: 'ben', email: 'ben@example.com' } },
              ],
            },
            {
              name: 'two',
              lastSync: null,
              budgets: [
                { name: 'Budget 17', account: { name: 'two' }, createdBy: { name: 'ana', email: 'ana@example.com' } },
                { name: 'Budget 14', account: { name: 'two' }, createdBy: { name: 'ana', email: 'ana@example.com' } },
              ],
            },
          ],
        },
      },
    });
  });

  it('load 20 budgets with account and owner in 4 statements', async () => {
    const team = await aTeamWithBudgets();
    const query = '{ budgets(perPage: 20) { data { id name account { id name } createdBy { id name email } } } }';
    expect(await statementsOf(team, query)).toHaveLength(4);
  });

  it('load a page in a constant number of statements', async () => {
    const team = await aTeamWithBudgets();
    const page = (perPage: number) =>
      `{ budgets(perPage: ${perPage}) { data { currentSpend forecastedSpend alerts { threshold } createdBy { name }
         account { name createdBy { name } lastSync { status } budgets(first: 5) { name createdBy { name } account { name } } } } } }`;
    const [few, many] = [await statementsOf(team, page(3)), await statementsOf(team, page(20))];
    expect(many).toHaveLength(few.length);
  });

  it('lead from an alert rule to its account, its owner and its firings, newest first', async () => {
    const team = await aTeam();
    const { one } = team.accounts;
    const rule = { name: 'Spike', metric: 'daily_cost', operator: 'gt', threshold: 5, account_id: one };
    const { body: made } = await team.rest('ben', 'POST', '/alert-rules', rule);
    const firing = (day: string, figure: number) => ({
      ruleId: made.id,
      day: new Date(day),
      figure,
      threshold: 5,
      firedAt: new Date(`${day}T12:00:00Z`),
    });
    await team.db.alertFiring.createMany({ data: [firing('2026-11-19', 6.5), firing('2026-11-20', 7)] });
    const query = `{ alertRules { data { createdById account { name alertRules { name } } createdBy { name }
      firings(first: 1) { day figure threshold firedAt } } } }`;
    const { body } = await team.gql('dan', query);
    expect(body.data.alertRules.data).toEqual([
      {
        createdById: made.created_by,
        account: { name: 'one', alertRules: [{ name: 'Spike' }] },
        createdBy: { name: 'ben' },
        firings: [{ day: '2026-11-20', figure: 7, threshold: 5, firedAt: '2026-11-20T12:00:00.000Z' }],
      },
    ]);
  });

  it('lead from a report to its schedule, for users who may see the schedule', async () => {
    const team = await aTeam();
    const { one } = team.accounts;
    await team.join('eve', 'member', [one]);
    const schedule = { name: 'Monday', type: 'cost_by_service', format: 'csv', frequency: 'weekly' };
    const { body: everything } = await team.rest('ana', 'POST', '/reports/schedules', schedule);
    const filters = { account_id: [one] };
    const { body: ofOne } = await team.rest('ben', 'POST', '/reports/schedules', { ...schedule, filters });
    for (const scheduleId of [everything.id, ofOne.id, null]) {
      const input = { type: 'cost_by_service', format: 'csv', filters: { account_id: one } };
      const { body: report } = await team.rest('cleo', 'POST', '/reports', input);
      await team.db.report.update({ where: { id: report.id }, data: { scheduleId } });
      team.passMs(1);
    }
    const query =
      '{ reports(sortBy: CREATED_AT_ASC) { data { createdBy { name } schedule { name createdBy { name } } } } }';
    const seenBy = async (name: string) => (await team.gql(name, query)).body.data.reports.data;
    const createdBy = { name: 'cleo' };
    const ofBen = { createdBy, schedule: { name: 'Monday', createdBy: { name: 'ben' } } };
    const without = { createdBy, schedule: null };
    expect(await seenBy('dan')).toEqual([
      { createdBy, schedule: { name: 'Monday', createdBy: { name: 'ana' } } },
      ofBen,
      without,
    ]);
    expect(await seenBy('eve')).toEqual([without, ofBen, without]);
  });

  it('lead from tag violations to policies, accounts and resources in a constant number of statements', async () => {
    const team = await aTeam();
    const { one, two } = team.accounts;
    await fillInventory(
      team.deps.pool,
      team.organizationId,
      Array.from({ length: 20 }, (_, index) => ({ account: index % 2 ? one : two, name: `vm-${index}`, tags: {} })),
    );
    for (const [who, key] of [
      ['ana', 'team'],
      ['ben', 'stage'],
    ] as const) {
      await team.rest(who, 'POST', '/tag-policies', { name: `Policy ${key}`, rules: [{ key }] });
      team.passMs(1);
    }
    for (const account of [one, two]) await evaluateTags(team.deps, orgScope(team.organizationId, null), account);
    const page = (perPage: number) =>
      `{ tagViolations(perPage: ${perPage}) { data { key policy { name violationCount createdBy { name } } account { name } resource { name inventory { name account { name } } } } } }`;
    const { body } = await team.gql('dan', page(40));
    expect(body.data.tagViolations.data).toHaveLength(40);
    expect(body.data.tagViolations.data).toContainEqual({
      key: 'stage',
      policy: { name: 'Policy stage', violationCount: 20, createdBy: { name: 'ben' } },
      account: { name: 'one' },
      resource: { name: 'vm-1', inventory: { name: 'vm-1', account: { name: 'one' } } },
    });
    const few = await statementsOf(team, page(10));
    expect(await statementsOf(team, page(40))).toHaveLength(few.length);
  });

  it('show an owner only while they are a member', async () => {
    const team = await aTeam();
    await team.rest('ben', 'POST', '/tag-policies', { name: 'Teams', rules: [{ key: 'team' }] });
    const query = '{ tagPolicies { data { createdById createdBy { name } } } }';
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ben') } });
    const ofBen = { createdById: userId, createdBy: { name: 'ben' } };
    expect((await team.gql('dan', query)).body.data.tagPolicies.data).toEqual([ofBen]);
    await team.db.membership.delete({ where: { id: team.id('ben') } });
    expect((await team.gql('dan', query)).body.data.tagPolicies.data).toEqual([{ ...ofBen, createdBy: null }]);
  });

  it.each([
    ['{ accounts { data { budgets(first: 101) { id } } } }', {}, 101],
    ['query ($n: Int) { accounts { data { budgets(first: $n) { id } } } }', { n: 0 }, 0],
    [
      'query ($n: Int = -1) { budgets { data { account { ...A } } } me { role } } fragment A on Account { alertRules(first: $n) { id } }',
      {},
      -1,
    ],
  ])('reject a page size out of range before anything runs: %s with %j', async (query, variables, first) => {
    const team = await aTeam();
    const answer = await team.gql('dan', query, variables);
    expect([answer.status, essentials(answer.body)]).toEqual([
      400,
      {
        errors: [
          {
            message: `first must be 1 to 100, not ${first}`,
            extensions: { code: 'VALIDATION_ERROR', status: 400, field: 'first' },
          },
        ],
      },
    ]);
  });

  it('are absent from REST responses', async () => {
    const team = await aTeamWithBudgets();
    const { body } = await team.rest('dan', 'GET', `/accounts/${team.accounts.one}`);
    expect(Object.keys(body)).not.toContain('budgets');
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
    const { body: page } = await team.rest('dan', 'GET', '/budgets?per_page=1');
    expect(page.data[0]).toMatchObject({ name: 'Budget 19', created_by: userId, account_id: team.accounts.one });
    expect(Object.keys(page.data[0])).not.toContain('account');
    // The accounts, their syncs, and the total count.
    expect(await statementsOf(team, '/accounts')).toHaveLength(3);
    expect(await statementsOf(team, '/alert-rules')).toHaveLength(2);
    expect(await statementsOf(team, '/reports')).toHaveLength(3);
  });
});
