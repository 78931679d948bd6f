import { describe, expect, it } from 'vitest';
import { bill, type Charge } from '../../support/bills.ts';
import { aTeam, failure, invalid } from '../../tenancy/team.ts';

const today = '2026-11-21T10:00:00.000Z';

/** A team with bills of two years, by tag, sub-account and quarter. */
async function aTaggedTeam() {
  const team = await aTeam();
  const { one, two } = team.accounts;
  const charges: Charge[] = [
    { account: one, date: '2025-12-31', cost: '512', tags: { team: 'web' } },
    { account: one, date: '2026-01-01', cost: '256', tags: { team: 'web' } },
    { account: one, date: '2026-09-30', cost: '128', tags: { Team: 'data' } },
    { account: one, date: '2026-10-01', cost: '64', tags: { team: 'web' }, subAccount: '222' },
    { account: one, date: '2026-11-01', cost: '32', tags: { team: 'web' } },
    { account: one, date: '2026-11-20', cost: '16', tags: { Team: 'data' }, service: 'Amazon S3' },
    { account: two, date: '2026-11-20', cost: '8', tags: { team: '' }, subAccount: '222' },
    { account: two, date: '2026-11-20', cost: '4' },
  ];
  await bill(team.deps, team.organizationId, {
    charges,
    completeThrough: { [one]: '2026-11-20', [two]: '2026-11-20' },
  });
  const virtual = async (body: object = {}) =>
    team.rest('ben', 'POST', '/virtual-tags', {
      name: 'Team',
      rules: [{ value_from: { dimension: 'tag:team', transform: 'lower' } }],
      ...body,
    });
  const create = (body: object) => team.rest('ben', 'POST', '/budgets', { name: 'Cloud', amount: 1000, ...body });
  const spend = async (body: object) => {
    const { body: made, status } = await create(body);
    expect(status).toBe(201);
    team.passMs(1);
    return made.current_spend;
  };
  return { ...team, virtual, create, spend };
}

describe('the scope of a budget', () => {
  it('can be a tag, with any or one value', async () => {
    const { spend } = await aTaggedTeam();
    expect(await spend({ tag_key: 'team' })).toBe(56);
    expect(await spend({ tag_key: 'user:TEAM', tag_value: 'web' })).toBe(32);
    expect(await spend({ tag_key: 'team', tag_value: '' })).toBe(8);
    expect(await spend({ tag_key: 'team', tag_value: 'unknown' })).toBe(0);
  });

  it('can be a value of a virtual tag, also before the tag is evaluated', async () => {
    const { spend, virtual } = await aTaggedTeam();
    await virtual();
    expect(await spend({ tag_key: 'virtual:team', tag_value: 'web' })).toBe(32);
    expect(await spend({ tag_key: 'virtual:team', tag_value: 'Unallocated' })).toBe(12);
    expect(await spend({ tag_key: 'virtual:team' })).toBe(60);
  });

  it('can be a sub-account, within an account, and combines with the others', async () => {
    const { spend, accounts } = await aTaggedTeam();
    expect(await spend({ sub_account_id: '222' })).toBe(8);
    expect(await spend({ sub_account_id: '222', period: 'quarterly' })).toBe(72);
    expect(await spend({ sub_account_id: '222', account_id: accounts.one })).toBe(0);
    expect(await spend({ sub_account_id: '111', tag_key: 'team', provider: 'aws', service: 'Amazon S3' })).toBe(16);
    expect(await spend({ sub_account_id: '999' })).toBe(0);
  });

  it('rejects what it cannot cover, and names the field', async () => {
    const { create, virtual, rest } = await aTaggedTeam();
    const unknown = /^tag_key "virtual:team" is not an enabled virtual tag of the organization; use a key from GET/;
    expect(await create({ tag_value: 'web' })).toEqual(
      invalid(/^tag_value "web" requires tag_key; give both or neither$/),
    );
    expect(await create({ tag_key: 'virtual:team', tag_value: 'web' })).toEqual(invalid(unknown));
    await virtual({ enabled: false });
    expect(await create({ tag_key: 'virtual:team', tag_value: 'web' })).toEqual(invalid(unknown));
    expect(await create({ tag_key: 'user:' })).toEqual(invalid(/^tag_key "user:" must have text after the prefix$/));
    expect(await create({ tag_key: ' ' })).toEqual(invalid(/^tag_key " " is blank/));
    expect(await create({ tag_key: 'a', tag_value: 'x\ny' })).toEqual(invalid(/^tag_value must not contain control/));
    expect(await create({ sub_account_id: '' })).toEqual(invalid(/^sub_account_id must have 1 to 512 characters/));
    const { body } = await create({ tag_key: 'team', tag_value: 'web' });
    const change = (changes: object) => rest('ben', 'PATCH', `/budgets/${body.id}`, changes);
    expect(await change({ tag_key: null })).toEqual(invalid(/^tag_value "web" requires tag_key/));
    expect(await change({ tag_key: 'virtual:team' })).toEqual(invalid(unknown));
    expect(await change({ tag_key: null, tag_value: null, sub_account_id: '222' })).toMatchObject({
      status: 200,
      body: { tag_key: null, tag_value: null, sub_account_id: '222', current_spend: 8 },
    });
  });

  it('keeps its virtual tag, which can be changed but neither disabled nor deleted', async () => {
    const { create, virtual, rest, jobs } = await aTaggedTeam();
    const { body: tag } = await virtual();
    const { body: budget } = await create({ name: 'Web', tag_key: 'virtual:team', tag_value: 'web' });
    const rule = { name: 'Spike', metric: 'daily_cost', operator: 'gt', threshold: 1, tag_key: 'virtual:team' };
    const { body: made } = await rest('ben', 'POST', '/alert-rules', rule);
    const at = `/virtual-tags/${tag.id}`;
    const used = (by: string) =>
      failure(409, 'CONFLICT', `The virtual tag is used by ${by}; delete these first, or give them another scope`);
    expect(await rest('ben', 'DELETE', at)).toEqual(used('budget “Web”, alert rule “Spike”'));
    expect(await rest('ben', 'PATCH', at, { enabled: false })).toEqual(used('budget “Web”, alert rule “Spike”'));
    expect((await rest('ben', 'PATCH', at, { default_value: 'Elsewhere' })).status).toBe(200);
    await rest('ben', 'PATCH', `/budgets/${budget.id}`, { tag_key: null, tag_value: null });
    expect(await rest('ben', 'DELETE', at)).toEqual(used('alert rule “Spike”'));
    await rest('ben', 'DELETE', `/alert-rules/${made.id}`);
    expect((await rest('ben', 'DELETE', at)).status).toBe(204);
    expect(await rest('ben', 'POST', '/alert-rules', rule)).toEqual(
      invalid(/^tag_key "virtual:team" is not an enabled/),
    );
    expect(jobs.filter(({ task }) => task === 'evaluate_virtual_tags').length).toBeGreaterThan(0);
  });

  it('filters the list', async () => {
    const { create, rest, passMs } = await aTaggedTeam();
    const budgets: object[] = [
      { name: 'a', tag_key: 'Team', tag_value: 'web' },
      { name: 'b', tag_key: 'team', tag_value: 'data', period: 'yearly' },
      { name: 'c', sub_account_id: '222', period: 'quarterly' },
      { name: 'd' },
    ];
    for (const body of budgets) {
      await create(body);
      passMs(1);
    }
    const names = async (query: string) => {
      const { body } = await rest('dan', 'GET', `/budgets?sort_by=name&${query}`);
      return body.data.map(({ name }: { name: string }) => name).join('');
    };
    expect(await names('tag_key=team')).toBe('ab');
    expect(await names('tag_key=user:TEAM&tag_value=web')).toBe('a');
    expect(await names('tag_value=web,data')).toBe('ab');
    expect(await names('sub_account_id=222')).toBe('c');
    expect(await names('period=quarterly,yearly')).toBe('bc');
    expect(await names('period=monthly&status=ok')).toBe('ad');
    expect(await rest('dan', 'GET', '/budgets?period=weekly')).toEqual(invalid('period'));
  });
});

describe('the period of a budget', () => {
  it('is a calendar month, quarter or year, and its spend that of all its days', async () => {
    const { create } = await aTaggedTeam();
    const tag = { tag_key: 'team', tag_value: 'web' };
    const read = async (period: string) => (await create({ ...tag, period })).body;
    expect(await read('monthly')).toMatchObject({
      period_start: '2026-11-01',
      period_end: '2026-11-30',
      current_spend: 32,
      percent_used: 3.2,
      forecasted_spend: expect.any(Number),
    });
    expect(await read('quarterly')).toMatchObject({
      period_start: '2026-10-01',
      period_end: '2026-12-31',
      current_spend: 96,
      forecasted_spend: expect.any(Number),
    });
    expect(await read('yearly')).toMatchObject({
      period_start: '2026-01-01',
      period_end: '2026-12-31',
      current_spend: 352,
      remaining: 648,
      forecasted_spend: expect.any(Number),
    });
  });

  it('can change, which alerts for the new period even if both begin on the same day', async () => {
    const team = await aTaggedTeam();
    const body = { amount: 60, tag_key: 'team', tag_value: 'web', alert_thresholds: [50, 100] };
    const { body: made } = await team.create(body);
    expect(made.alerts).toEqual([{ threshold: 50, triggered_at: today, spend: 32 }]);
    const change = async (period: string) => (await team.rest('ben', 'PATCH', `/budgets/${made.id}`, { period })).body;
    expect(await change('quarterly')).toMatchObject({ status: 'exceeded', alerts: [{ threshold: 100, spend: 96 }] });
    expect(await change('yearly')).toMatchObject({ status: 'exceeded', alerts: [{ threshold: 100, spend: 352 }] });
    expect(await change('monthly')).toMatchObject({ status: 'warning', alerts: [{ threshold: 50, spend: 32 }] });
    const notified = team.jobs.filter(({ task }) => task === 'tell_budget_alert').map(({ payload }) => payload);
    const about = { organizationId: team.organizationId, budgetId: made.id };
    expect(notified).toEqual([
      { ...about, period: 'monthly', month: '2026-11', threshold: '50' },
      { ...about, period: 'quarterly', month: '2026-10', threshold: '100' },
      { ...about, period: 'yearly', month: '2026-01', threshold: '100' },
    ]);
    const mails = await team.mails();
    expect(mails.map(({ subject }) => subject.replace(/^.*?Cloud/, 'Cloud'))).toEqual([
      expect.stringContaining('Cloud has reached 50% of its budget for November 2026'),
      expect.stringContaining('Cloud has reached 100% of its budget for Q4 2026'),
      expect.stringContaining('Cloud has reached 100% of its budget for 2026'),
    ]);
  });

  it('is named in alerts, with the services inside the scope', async () => {
    const team = await aTaggedTeam();
    await team.virtual();
    await team.create({ period: 'quarterly', tag_key: 'virtual:team', tag_value: 'data', amount: 20 });
    await team.create({ period: 'quarterly', sub_account_id: '111', tag_key: 'team', amount: 60 });
    const texts = (await team.mails()).map(({ text }) => text.replaceAll('\u200b', '').replaceAll(/\s+/g, ' '));
    for (const said of [
      'Spend in Q4 2026 has reached $16.00 of the $20.00 budget',
      'Forecast for the quarter:',
      'Virtual tag: team = data',
      'Each threshold sends one alert per calendar quarter (UTC).',
      'At this rate the quarter ends',
    ])
      expect(texts[0]).toContain(said);
    for (const said of [
      'Sub-account: 111',
      'Tag: team, any value',
      '$32.00 Amazon Elastic Compute',
      '$16.00 Amazon S3',
    ])
      expect(texts[1]).toContain(said);
  });
});
