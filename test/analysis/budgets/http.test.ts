import { describe, expect, it } from 'vitest';
import { updateBudget } from '../../../src/analysis/budgets/change.ts';
import { BudgetFigures } from '../../../src/analysis/budgets/figures.ts';
import { parseAmount } from '../../../src/kit/money.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { bill, type Charge } from '../../support/bills.ts';
import { aTeam, failure, forbidden, invalid } from '../../tenancy/team.ts';

const unknown = '01933333-0000-7000-8000-000000000000';
const notFound = (id: string) => failure(404, 'BUDGET_NOT_FOUND', `Budget "${id}" not found`);

/** A team with bills for this month, and eve, a Member with access to the first account only. */
async function aBilledTeam(charges?: (accounts: { one: string; two: string }) => Charge[]) {
  const team = await aTeam();
  await team.join('eve', 'member', [team.accounts.one]);
  const { one, two } = team.accounts;
  await bill(team.deps, team.organizationId, {
    charges: charges?.(team.accounts) ?? [
      { account: one, date: '2026-10-31', cost: '1000' },
      { account: one, date: '2026-11-01', cost: '50.000000000001' },
      { account: one, date: '2026-11-20', cost: '30', service: 'Amazon S3' },
      { account: two, date: '2026-11-20', cost: '7', provider: 'azure' },
      { account: two, date: '2026-11-25', cost: '500' },
    ],
    completeThrough: { [one]: '2026-11-20', [two]: '2026-11-19' },
  });
  const budget = async (name: string, body: object = {}) => {
    const { body: made } = await team.rest(name, 'POST', '/budgets', { name: 'Cloud', amount: 100, ...body });
    team.passMs(1);
    return made;
  };
  const notified = () => team.jobs.filter(({ task }) => task === 'tell_budget_alert').map(({ payload }) => payload);
  return { ...team, budget, notified };
}

describe('a budget', () => {
  it('returns all its fields, and by default covers all accounts, providers and services', async () => {
    const team = await aBilledTeam();
    const made = await team.rest('cleo', 'POST', '/budgets', { name: ' Cloud ', amount: 100 });
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } });
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Cloud',
        amount: 100,
        currency: 'USD',
        converted: { currency: 'USD', amount: 100, current_spend: 87, remaining: 13 },
        period: 'monthly',
        period_start: '2026-11-01',
        period_end: '2026-11-30',
        account_id: null,
        provider: null,
        service: null,
        sub_account_id: null,
        tag_key: null,
        tag_value: null,
        alert_thresholds: [80, 100],
        emails: [],
        slack: false,
        channel_ids: [],
        cost_metric: 'effective',
        current_spend: 87,
        forecasted_spend: expect.any(Number),
        percent_used: 87,
        remaining: 13,
        status: 'warning',
        projected_status: 'warning',
        alerts: [{ threshold: 80, triggered_at: '2026-11-21T10:00:00.000Z', spend: 87 }],
        unconverted: [],
        provisional_rates: [],
        missing_bills: [],
        complete_through: '2026-11-19',
        created_by: userId,
        created_at: '2026-11-21T10:00:00.000Z',
        updated_at: '2026-11-21T10:00:00.000Z',
      },
    });
    expect(await team.rest('dan', 'GET', `/budgets/${made.body.id}`)).toEqual({ status: 200, body: made.body });
    expect((await team.rest('dan', 'GET', '/budgets')).body.data).toEqual([made.body]);
  });

  it('filters by account, provider, service and cost metric', async () => {
    const team = await aBilledTeam();
    const { one, two } = team.accounts;
    expect(await team.budget('ben', { account_id: one })).toMatchObject({ account_id: one, current_spend: 80 });
    expect(await team.budget('ben', { account_id: two })).toMatchObject({ current_spend: 7, status: 'ok', alerts: [] });
    expect(await team.budget('ben', { provider: 'Azure' })).toMatchObject({ provider: 'azure', current_spend: 7 });
    expect(await team.budget('ben', { service: 'Amazon S3', cost_metric: 'list' })).toMatchObject({
      service: 'Amazon S3',
      cost_metric: 'list',
      current_spend: 30,
    });
  });

  it('alerts only for the highest threshold already reached on creation, and never twice', async () => {
    const team = await aBilledTeam();
    const made = await team.budget('cleo', { amount: 80, alert_thresholds: [100, 50, 80, 150] });
    expect(made).toMatchObject({ alert_thresholds: [50, 80, 100, 150], status: 'exceeded', percent_used: 108.75 });
    expect(made.alerts).toMatchObject([{ threshold: 100 }]);
    expect(team.notified()).toEqual([
      { organizationId: team.organizationId, budgetId: made.id, period: 'monthly', month: '2026-11', threshold: '100' },
    ]);
    // A threshold reached by a change alerts once, too, but none below the highest alerted one does.
    const at = `/budgets/${made.id}`;
    expect((await team.rest('cleo', 'PATCH', at, { alert_thresholds: [60, 100, 105, 106] })).body.alerts).toMatchObject(
      [{ threshold: 100 }, { threshold: 106 }],
    );
    expect((await team.rest('cleo', 'PATCH', at, { amount: 1000 })).body).toMatchObject({ status: 'ok' });
    expect((await team.rest('cleo', 'PATCH', at, { amount: 80 })).body).toMatchObject({ status: 'exceeded' });
    expect(team.notified().map(({ threshold }) => threshold)).toEqual(['100', '106']);
  });

  it('reaches a threshold at exactly its amount, and not a billionth below', async () => {
    const team = await aBilledTeam(({ one }) => [{ account: one, date: '2026-11-02', cost: '79.999999999999' }]);
    expect(await team.budget('ben')).toMatchObject({ current_spend: 80, percent_used: 80, status: 'ok', alerts: [] });
    const exact = await aBilledTeam(({ one }) => [{ account: one, date: '2026-11-02', cost: '33.3' }]);
    expect(await exact.budget('ben', { amount: 99.9, alert_thresholds: [33.333333, 33.333334] })).toMatchObject({
      status: 'warning',
      alerts: [{ threshold: 33.333333 }],
    });
  });

  it('updates only the given fields, and null clears optional ones', async () => {
    const team = await aBilledTeam();
    const { one } = team.accounts;
    const { id } = await team.budget('cleo', {
      account_id: one,
      provider: 'aws',
      service: 'Amazon S3',
      emails: ['X@example.com', 'x@example.com'],
      slack: true,
    });
    const at = `/budgets/${id}`;
    expect((await team.rest('ben', 'PATCH', at, { name: 'Files' })).body).toMatchObject({
      name: 'Files',
      account_id: one,
      emails: ['x@example.com'],
      slack: true,
      current_spend: 30,
      created_by: (await team.db.membership.findUniqueOrThrow({ where: { id: team.id('cleo') } })).userId,
    });
    const cleared = { account_id: null, provider: null, service: null, emails: null, slack: false, period: 'monthly' };
    expect((await team.rest('ben', 'PATCH', at, cleared)).body).toMatchObject({
      ...cleared,
      emails: [],
      current_spend: 87,
    });
    expect(await team.rest('cleo', 'DELETE', at)).toEqual({ status: 204, body: null });
    expect(await team.rest('cleo', 'GET', at)).toEqual(notFound(id));
    expect(await team.rest('cleo', 'DELETE', at)).toEqual(notFound(id));
  });

  it('keeps its currency, and reports costs without an exchange rate as unconverted', async () => {
    const team = await aBilledTeam();
    const { one } = team.accounts;
    await bill(team.deps, team.organizationId, {
      charges: [
        { account: one, date: '2026-11-03', cost: '10', currency: 'EUR' },
        { account: one, date: '2026-11-03', cost: '20' },
      ],
      completeThrough: { [one]: '2026-11-20' },
    });
    const { id } = await team.budget('ben', { currency: 'EUR' });
    const read = async () => (await team.rest('ben', 'GET', `/budgets/${id}`)).body;
    expect(await read()).toMatchObject({
      currency: 'EUR',
      current_spend: 10,
      unconverted: [{ currency: 'USD', cost: 20 }],
    });
    const set = (month: string, rate: number) =>
      team.rest('ana', 'PUT', '/org/exchange-rates', { rates: [{ month, from: 'USD', to: 'EUR', rate }] });
    await set('2026-09', 0.5);
    const carried = [{ currency: 'USD', month: '2026-11', rate_month: '2026-09' }];
    expect(await read()).toMatchObject({ current_spend: 20, unconverted: [], provisional_rates: carried });
    await set('2026-11', 0.9);
    expect(team.jobs.map(({ task }) => task)).toEqual(expect.arrayContaining(['check_budgets', 'check_alert_rules']));
    await team.rest('ana', 'PATCH', '/org', { currency: 'JPY' });
    expect(await read()).toMatchObject({
      currency: 'EUR',
      amount: 100,
      current_spend: 28,
      unconverted: [],
      provisional_rates: [],
    });
  });

  it('rejects invalid values with a message that names the field', async () => {
    const team = await aBilledTeam();
    const cases: [object, RegExp][] = [
      [{ amount: 0 }, /^amount must be above 0, not 0/],
      [{ amount: -1 }, /^amount must be above 0/],
      [{ amount: 1e15 }, /^amount must be below/],
      [{ amount: 0.0000001 }, /^amount must have at most 6 decimals, not 1e-7/],
      [{ amount: 1.23456789012 }, /^amount must have at most 6 decimals, not 1.23456789012; round it/],
      [{ alert_thresholds: [80, 80.0000001] }, /^alert_thresholds\[1\] must have at most 6 decimals, not 80.0000001/],
      [{ amount: '100' }, /amount/],
      [{ name: '' }, /^name must have 1 to 100/],
      [{ currency: 'usd' }, /^currency "usd" must be an ISO 4217 code such as "USD"$/],
      [{ period: 'weekly' }, /period/],
      [{ account_id: unknown }, /^account_id "01933333-.*" is not an account/],
      [{ account_id: 'x' }, /^account_id "x" is not an account/],
      [{ currency: '' }, /^currency "" must be an ISO 4217 code such as "USD"/],
      [{ provider: '' }, /^provider "" is not a provider; use one slug such as aws, azure, gcp or oracle$/],
      [{ provider: ' AWS ' }, /^provider " AWS " is not a provider; use one slug such as aws/],
      [{ provider: 'aws,gcp' }, /^provider "aws,gcp" is not a provider/],
      [{ service: '' }, /^service must have/],
      [{ service: '   ' }, /^service " {3}" is blank; give a name as on the bill, or leave it out$/],
      [{ alert_thresholds: [0] }, /^alert_thresholds\[0\] must be above 0 and at most 1000/],
      [{ alert_thresholds: [80, 1000.5] }, /^alert_thresholds\[1\] must be above 0 and at most 1000/],
      [{ alert_thresholds: [80, 80] }, /^alert_thresholds\[1\] repeats 80; list each percentage once/],
      [{ alert_thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, /^alert_thresholds takes at most 10/],
      [{ emails: ['nobody'] }, /^emails\[0\] "nobody" must be an address/],
      [{ emails: Array.from({ length: 21 }, (_, index) => `a${index}@example.com`) }, /^emails takes at most 20/],
      [{ cost_metric: 'net' }, /cost_metric/],
      [{ colour: 'red' }, /colour/],
    ];
    for (const [body, message] of cases)
      expect(await team.rest('ben', 'POST', '/budgets', { name: 'A', amount: 1, ...body })).toEqual(invalid(message));
    expect(await team.rest('ben', 'POST', '/budgets', { name: 'A' })).toEqual(invalid('amount'));
    const { id } = await team.budget('ben');
    const changes: [object, RegExp][] = [
      [{}, /nothing to change/i],
      [{ amount: null }, /^amount cannot be null/],
      [{ alert_thresholds: null }, /^alert_thresholds cannot be null/],
      [{ currency: 'EUR' }, /currency/],
    ];
    for (const [body, message] of changes)
      expect(await team.rest('ben', 'PATCH', `/budgets/${id}`, body)).toEqual(invalid(message));
    for (const none of [unknown, 'x', id.toUpperCase()])
      expect(await team.rest('ben', 'GET', `/budgets/${none}`)).toEqual(notFound(none));
  });

  it('is visible only with access to all its accounts, and cannot cover more than its creator sees', async () => {
    const team = await aBilledTeam();
    const { one, two } = team.accounts;
    const all = await team.budget('ben');
    const theirs = await team.budget('ben', { account_id: two });
    const mine = await team.budget('ben', { account_id: one });
    expect((await team.rest('eve', 'GET', '/budgets')).body).toMatchObject({
      data: [{ id: mine.id }],
      pagination: { total: 1 },
    });
    for (const { id } of [all, theirs])
      for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const)
        expect(await team.rest('eve', method, `/budgets/${id}`, body)).toEqual(notFound(id));
    const create = (body: object) => team.rest('eve', 'POST', '/budgets', { name: 'A', amount: 1, ...body });
    expect(await create({})).toEqual(forbidden('you have access to some accounts only; set it to one of them'));
    expect(await create({ account_id: two })).toEqual(invalid('is not an account'));
    expect(await create({ account_id: one })).toMatchObject({ status: 201, body: { current_spend: 80 } });
    const change = (body: object) => team.rest('eve', 'PATCH', `/budgets/${mine.id}`, body);
    expect(await change({ account_id: null })).toEqual(
      forbidden('you have access to some accounts only; set it to one of them'),
    );
    expect(await change({ account_id: two })).toEqual(invalid('is not an account'));
    expect(await change({ name: 'Ours' })).toMatchObject({ status: 200, body: { name: 'Ours' } });
  });

  it("is computed in its owner's scope, which persists when the owner leaves", async () => {
    const team = await aBilledTeam();
    const { one, two } = team.accounts;
    const { id } = await team.budget('cleo');
    const read = async () => (await team.rest('ana', 'GET', `/budgets/${id}`)).body;
    const access = (ids: string[] | null) =>
      team.rest('ana', 'PATCH', `/org/members/${team.id('cleo')}`, { account_access: ids });
    expect(await access([two])).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ current_spend: 7, account_id: null });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ana') } });
    expect(await read()).toMatchObject({ current_spend: 7, created_by: userId });
    // Setting the account explicitly replaces the inherited scope.
    expect((await team.rest('ana', 'PATCH', `/budgets/${id}`, { account_id: one })).body.current_spend).toBe(80);
  });

  it('keeps only the accounts both owners could see after two inheritances', async () => {
    const team = await aBilledTeam();
    const { one, two } = team.accounts;
    await team.join('fay', 'member', [one, two]);
    const owner = async (name: string) =>
      (await team.db.membership.findUniqueOrThrow({ where: { id: team.id(name) } })).userId;
    const { id } = await team.budget('cleo');
    const kept = () =>
      team.db.budget.findUniqueOrThrow({ where: { id }, select: { isInherited: true, inheritedScope: true } });
    await team.db.membership.update({
      where: { id: team.id('cleo') },
      data: { restricted: true, accountAccess: [one, two] },
    });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
    expect(await kept()).toEqual({ isInherited: true, inheritedScope: [one, two] });
    await team.db.budget.update({ where: { id }, data: { createdById: await owner('eve') } });
    await team.rest('ana', 'DELETE', `/org/members/${team.id('eve')}`);
    expect(await kept()).toEqual({ isInherited: true, inheritedScope: [one] });
    await team.db.budget.update({ where: { id }, data: { createdById: await owner('fay') } });
    await team.db.membership.update({ where: { id: team.id('fay') }, data: { accountAccess: [two] } });
    expect((await team.rest('ana', 'GET', `/budgets/${id}`)).body.current_spend).toBe(0);
  });

  it('keeps the scope of an owner who is removed during an update', async () => {
    const team = await aBilledTeam();
    const { id } = await team.budget('cleo');
    const restricted = { restricted: true, accountAccess: [team.accounts.two] };
    await team.db.membership.update({ where: { id: team.id('cleo') }, data: restricted });
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ana') } });
    const self = { userId, email: 'ana@example.com', name: 'ana', sessionId: null, token: null };
    const scope = orgScope(team.organizationId, null);
    const viewer = { ...self, role: 'super_admin', scope, twoFactorSetupRequired: false } as const;
    const actor = { organizationId: team.organizationId, userId, email: self.email, ipAddress: '', userAgent: '' };
    let isRemoved = false;
    // She is removed after the budget is read and before it is locked.
    const db = new Proxy(team.db, {
      get(target, key) {
        const own: unknown = Reflect.get(target, key);
        if (key !== '$transaction' || typeof own !== 'function' || isRemoved) return own;
        isRemoved = true;
        return async (...work: unknown[]) => {
          await team.rest('ana', 'DELETE', `/org/members/${team.id('cleo')}`);
          return own.apply(target, work);
        };
      },
    });
    const changed = await updateBudget({ ...team.deps, db }, viewer, actor, { id, name: 'Mine' });
    expect(changed).toMatchObject({
      name: 'Mine',
      createdById: userId,
      isInherited: true,
      inheritedScope: [team.accounts.two],
    });
    const figures = new BudgetFigures(team.deps, team.organizationId);
    expect(await figures.spent([changed])).toMatchObject([{ spend: { amount: parseAmount('7') } }]);
  });

  it('is deleted when its account is purged', async () => {
    const team = await aBilledTeam();
    const { id } = await team.budget('ben', { account_id: team.accounts.two });
    expect((await team.rest('ben', 'DELETE', `/accounts/${team.accounts.two}?purge=true`)).status).toBe(204);
    expect(await team.rest('ben', 'GET', `/budgets/${id}`)).toEqual(notFound(id));
  });

  it('is audited, with details only for readers with access to all its accounts', async () => {
    const team = await aBilledTeam();
    await team.join('gus', 'admin', [team.accounts.one]);
    const { id } = await team.budget('cleo');
    await team.rest('cleo', 'PATCH', `/budgets/${id}`, { amount: 120, alert_thresholds: [50] });
    await team.rest('cleo', 'DELETE', `/budgets/${id}`);
    const details = { name: 'Cloud', currency: 'USD', account_id: null };
    const act = (action: string, more: object) => ({
      action,
      actorEmail: 'cleo@example.com',
      resourceType: 'budget',
      details: { ...details, ...more },
    });
    expect(await team.recorded()).toEqual([
      act('budget_created', { amount: 100, alert_thresholds: [80, 100] }),
      act('budget_updated', { amount: 120, alert_thresholds: [50], changed: ['amount', 'alert_thresholds'] }),
      act('budget_deleted', { amount: 120, alert_thresholds: [50] }),
    ]);
    const seen = (await team.rest('gus', 'GET', '/audit-logs?action=budget_created')).body.data;
    expect(seen).toMatchObject([{ action: 'budget_created', details: {} }]);
    expect(JSON.stringify(seen)).not.toContain('Cloud');
  });
});

describe('a list of budgets', () => {
  it('filters, sorts and pages by stored and computed fields', async () => {
    const team = await aBilledTeam();
    const { one, two } = team.accounts;
    await team.budget('ben', { name: 'b', amount: 50, account_id: one });
    await team.budget('ben', { name: 'A', amount: 100 });
    await team.budget('ben', { name: 'c', amount: 10, account_id: two, service: 'Amazon S3' });
    await team.budget('ben', { name: 'd', amount: 1000, provider: 'azure' });
    const names = async (query: string) => {
      const { body } = await team.rest('dan', 'GET', `/budgets?${query}`);
      return body.data.map(({ name }: { name: string }) => name).join('');
    };
    expect(await names('')).toBe('dcAb');
    expect(await names('sort_by=name')).toBe('Abcd');
    expect(await names('sort_by=-amount')).toBe('dAbc');
    expect(await names('sort_by=-current_spend')).toBe('Abdc');
    expect(await names('sort_by=remaining')).toBe('bcAd');
    expect(await names('sort_by=-percent_used')).toBe('bAdc');
    expect(await names('sort_by=-current_spend&page=2&per_page=2')).toBe('dc');
    expect((await names('sort_by=forecasted_spend')).length).toBe(4);
    expect(await names('status=exceeded')).toBe('b');
    expect(await names('status=ok,warning')).toBe('dcA');
    expect(await names(`account_id=${one}`)).toBe('b');
    expect(await names(`account_id=${one},${two},${unknown},x`)).toBe('cb');
    expect(await names('account_id=x')).toBe('');
    expect(await names('provider=azure')).toBe('d');
    expect(await names('service=Amazon%20S3')).toBe('c');
    expect(await team.rest('dan', 'GET', '/budgets?sort_by=colour')).toEqual(invalid('sort_by'));
    expect(await team.rest('dan', 'GET', '/budgets?status=fine')).toEqual(invalid('status'));
  });

  it('separates budgets that are forecast to exceed their amount from those within it', async () => {
    const team = await aBilledTeam();
    const thresholds = { alert_thresholds: [100] };
    const atRisk = await team.budget('ben', { name: 'a', amount: 88, ...thresholds });
    expect(atRisk).toMatchObject({ current_spend: 87, status: 'ok', projected_status: 'at_risk' });
    expect(atRisk.forecasted_spend).toBeGreaterThan(88);
    const even = await team.budget('ben', { name: 'e', amount: atRisk.forecasted_spend, ...thresholds });
    expect(even).toMatchObject({ forecasted_spend: even.amount, projected_status: 'ok' });
    await team.budget('ben', { name: 'w', amount: 88, alert_thresholds: [50] });
    await team.budget('ben', { name: 'x', amount: 87, ...thresholds });
    const names = async (query: string) => {
      const { body } = await team.rest('dan', 'GET', `/budgets?sort_by=name&${query}`);
      return [body.data.map(({ name }: { name: string }) => name).join(''), body.pagination.total];
    };
    expect(await names('projected_status=at_risk')).toEqual(['a', 1]);
    expect(await names('projected_status=ok')).toEqual(['e', 1]);
    expect(await names('projected_status=exceeded,warning,at_risk')).toEqual(['awx', 3]);
    expect(await names('projected_status=exceeded,warning,at_risk&per_page=1&page=2')).toEqual(['w', 3]);
    expect(await names('status=ok')).toEqual(['ae', 2]);
    expect(await names('status=ok&projected_status=at_risk')).toEqual(['a', 1]);
    expect(await team.rest('dan', 'GET', '/budgets?projected_status=fine')).toEqual(invalid('projected_status'));
  });
});
