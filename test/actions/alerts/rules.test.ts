import { describe, expect, it } from 'vitest';
import { checkAlertRules } from '../../../src/actions/alerts/check.ts';
import type { Day } from '../../../src/kit/time/period.ts';
import { addDays } from '../../../src/kit/time/period.ts';
import { bill, type Charge } from '../../support/bills.ts';
import { runJobs } from '../../support/jobs.ts';
import { aTeam, failure, forbidden, invalid } from '../../tenancy/team.ts';

const unknown = '01933333-0000-7000-8000-000000000000';
const notFound = (id: string) => failure(404, 'NOT_FOUND', `Alert rule "${id}" not found`);
const condition = { name: 'Too much', metric: 'daily_cost', operator: 'gt', threshold: 100 };
const last = '2026-11-20' satisfies Day;

/** In milliseconds. */
const dayMs = 86_400_000;

/** A team with the given daily costs of the first account up to the last day, and eve, an Admin with access to it only. */
async function aSpendingTeam(costs: readonly string[], more: Partial<Charge> = {}) {
  const team = await aTeam();
  await team.join('eve', 'admin', [team.accounts.one]);
  const { one, two } = team.accounts;
  const spend = async (amounts: readonly string[], through: Day = last, others: Record<string, Day | null> = {}) =>
    bill(team.deps, team.organizationId, {
      charges: amounts.map((cost, index) => ({
        account: one,
        date: addDays(through, index + 1 - amounts.length),
        cost,
        ...more,
      })),
      completeThrough: { [one]: through, [two]: null, ...others },
    });
  await spend(costs);
  const rule = async (name: string, body: object = {}) => {
    const answer = await team.rest(name, 'POST', '/alert-rules', { ...condition, ...body });
    team.passMs(1);
    return answer.body;
  };
  const check = () => checkAlertRules(team.deps, team.organizationId);
  const notified = async () => {
    const deliveries = await team.db.delivery.findMany({ orderBy: [{ createdAt: 'asc' }, { subjectKey: 'asc' }] });
    return deliveries.map(({ recipient, subjectKey }) => `${recipient} ${subjectKey.replace(/^rule:[^:]*:/, '')}`);
  };
  return { ...team, spend, rule, check, notified };
}

describe('an alert rule', () => {
  it('returns all its fields', async () => {
    const team = await aSpendingTeam(['100']);
    const made = await team.rest('ben', 'POST', '/alert-rules', condition);
    const { userId } = await team.db.membership.findUniqueOrThrow({ where: { id: team.id('ben') } });
    expect(made).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...condition,
        unit_metric_key: null,
        window_days: 7,
        account_id: null,
        provider: null,
        service: null,
        tag_key: null,
        tag_value: null,
        sub_account_id: null,
        emails: [],
        slack: false,
        channel_ids: [],
        enabled: true,
        last_triggered_at: null,
        created_by: userId,
        created_at: '2026-11-21T10:00:00.000Z',
        updated_at: '2026-11-21T10:00:00.000Z',
      },
    });
    expect((await team.rest('dan', 'GET', '/alert-rules')).body.data).toEqual([made.body]);
    expect(team.jobs.map(({ task }) => task)).toContain('check_alert_rules');
  });

  it('alerts its new owner when ownership changes during the check', async () => {
    const team = await aSpendingTeam(['100.01']);
    await team.rule('ben');
    let isRemoved = false;
    const db = new Proxy(team.db, {
      get(target, key) {
        const own: unknown = Reflect.get(target, key);
        if (key !== '$transaction' || typeof own !== 'function' || isRemoved) return own;
        isRemoved = true;
        return async (...work: unknown[]) => {
          await team.rest('ana', 'DELETE', `/org/members/${team.id('ben')}`);
          return own.apply(target, work);
        };
      },
    });
    await checkAlertRules({ ...team.deps, db }, team.organizationId);
    expect(isRemoved).toBe(true);
    await team.check();
    expect(await team.notified()).toEqual([`ana@example.com ${last}`]);
  });

  it('alerts the owner and its addresses with figure, threshold and link, once per day', async () => {
    const team = await aSpendingTeam(['90', '100.01']);
    const { id } = await team.rule('ben', { name: 'Too <much>', emails: ['ops@example.com', 'BEN@example.com'] });
    await runJobs(team.deps, team.jobs);
    await Promise.all([team.check(), team.check(), team.check()]);
    expect(await team.notified()).toEqual([`ben@example.com ${last}`, `ops@example.com ${last}`]);
    const mails = await team.mails();
    expect(mails.map(({ to }) => to)).toEqual(expect.arrayContaining(['ben@example.com', 'ops@example.com']));
    const [mail] = mails;
    expect(mail?.subject).toContain('Too <much>: daily cost $100.01');
    for (const text of ['Cost on November 20, 2026 was $100.01, which is above $100.00', `/alert-rules/${id}`])
      expect(mail?.text).toContain(text);
    expect(mail?.html).not.toContain('<much>');
    const { body } = await team.rest('dan', 'GET', '/alert-rules');
    expect(body.data).toMatchObject([{ last_triggered_at: '2026-11-21T10:00:00.001Z' }]);
  });

  it('compares exactly with each operator', async () => {
    const team = await aSpendingTeam(['100']);
    const holds = async (operator: string, threshold: number) => {
      const { id } = await team.rule('ben', { operator, threshold });
      await team.check();
      return (await team.db.alertFiring.count({ where: { ruleId: id } })) === 1;
    };
    expect([await holds('gt', 99.999999), await holds('gt', 100), await holds('gt', 100.000001)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([await holds('gte', 99.999999), await holds('gte', 100), await holds('gte', 100.000001)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([await holds('lt', 99.999999), await holds('lt', 100), await holds('lt', 100.000001)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([await holds('lte', 99.999999), await holds('lte', 100), await holds('lte', 100.000001)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('evaluates each metric, and skips days without a base for comparison', async () => {
    const fortnight = [...Array.from({ length: 7 }, () => '10'), ...Array.from({ length: 6 }, () => '10'), '29'];
    const team = await aSpendingTeam(fortnight);
    const figure = async (metric: string, operator = 'gt', threshold = -1000) => {
      const { id } = await team.rule('ben', { metric, operator, threshold });
      await team.check();
      const firing = await team.db.alertFiring.findFirst({ where: { ruleId: id } });
      return firing ? Number(firing.figure) : null;
    };
    expect(await figure('daily_cost')).toBe(29);
    expect(await figure('month_to_date_cost')).toBe(159);
    expect(await figure('day_over_day_percent')).toBe(190);
    expect(await figure('day_over_day_percent', 'gt', 190)).toBe(null);
    expect(await figure('day_over_day_percent', 'gte', 190)).toBe(190);
    expect(await figure('week_over_week_percent')).toBeCloseTo(27.142857, 6);
    expect(await figure('forecasted_month_cost')).toBeGreaterThan(159);
    await team.spend(fortnight.slice(1));
    expect(await figure('week_over_week_percent')).toBe(null);
    await team.spend(['0', '5']);
    expect(await figure('day_over_day_percent')).toBe(null);
    await team.spend(['-10', '5']);
    expect(await figure('day_over_day_percent')).toBe(null);
  });

  it('evaluates a forecast with more digits than a number can hold', async () => {
    const team = await aSpendingTeam(Array.from({ length: 30 }, () => '1000000000000000000000000'));
    const { id } = await team.rule('ben', { metric: 'forecasted_month_cost', operator: 'gt', threshold: 1 });
    await team.check();
    const firing = await team.db.alertFiring.findFirst({ where: { ruleId: id } });
    expect(Number(firing?.figure)).toBeGreaterThan(2e25);
  });

  it('filters by account, provider, service and tag', async () => {
    const team = await aSpendingTeam(['100'], { tags: { Team: 'red' }, service: 'Amazon S3' });
    const { one, two } = team.accounts;
    const holds = async (body: object) => {
      const { id } = await team.rule('ben', { threshold: 99, ...body });
      await team.check();
      return (await team.db.alertFiring.count({ where: { ruleId: id } })) === 1;
    };
    expect(await holds({ account_id: one, provider: 'AWS', service: 'Amazon S3' })).toBe(true);
    expect(await holds({ account_id: two })).toBe(false);
    expect(await holds({ provider: 'azure' })).toBe(false);
    expect(await holds({ service: 'Amazon EC2' })).toBe(false);
    expect(await holds({ tag_key: 'user:team' })).toBe(true);
    expect(await holds({ tag_key: 'team', tag_value: 'red' })).toBe(true);
    expect(await holds({ tag_key: 'team', tag_value: 'blue' })).toBe(false);
    expect(await holds({ tag_key: 'stage' })).toBe(false);
  });

  it('alerts for all newly complete days and restated ones, but not for days before its creation', async () => {
    const team = await aSpendingTeam(['500', '500', '90']);
    await team.rule('ben');
    await team.check();
    expect(await team.notified()).toEqual([]);
    team.passMs(2 * dayMs);
    await team.spend(['500', '500', '90', '101', '5', '102'], '2026-11-23');
    await team.check();
    expect(await team.notified()).toEqual(['ben@example.com 2026-11-21', 'ben@example.com 2026-11-23']);
    await team.spend(['500', '500', '103', '0', '5', '102'], '2026-11-23');
    await team.check();
    await team.spend(['500', '500', '90', '101', '5', '102'], '2026-11-23');
    await team.check();
    expect((await team.notified()).sort()).toEqual(
      ['2026-11-20', '2026-11-21', '2026-11-23'].map((day) => `ben@example.com ${day}`),
    );
  });

  it('waits for the bills of all accounts, except for stale accounts', async () => {
    const team = await aSpendingTeam(['101', '102']);
    const { two } = team.accounts;
    await team.rule('ben');
    await team.spend(['101', '102'], last, { [two]: '2026-11-19' });
    await team.check();
    expect(await team.notified()).toEqual(['ben@example.com 2026-11-19']);
    await team.spend(['101', '102'], last, { [two]: '2026-11-01' });
    await team.check();
    expect(await team.notified()).toEqual(['ben@example.com 2026-11-19', 'ben@example.com 2026-11-20']);
  });

  it('does not alert while disabled, and never twice for a day after it is enabled again', async () => {
    const team = await aSpendingTeam(['101']);
    const { id } = await team.rule('ben', { enabled: false });
    await team.check();
    expect(await team.notified()).toEqual([]);
    let ben = 'ben';
    const set = (body: object) => team.rest(ben, 'PATCH', `/alert-rules/${id}`, body);
    await set({ enabled: true });
    await team.check();
    await set({ threshold: 50 });
    await team.check();
    expect(await team.notified()).toEqual([`ben@example.com ${last}`]);
    await set({ enabled: false });
    team.passMs(dayMs);
    ben = (await team.login('ben')).accessToken;
    await team.spend(['101', '102', '103'], '2026-11-22');
    await team.check();
    await set({ enabled: true });
    await team.check();
    expect(await team.notified()).toEqual([`ben@example.com ${last}`, 'ben@example.com 2026-11-22']);
  });

  it("is evaluated in its owner's scope", async () => {
    const team = await aSpendingTeam(['101']);
    await team.rule('ben', { emails: ['eve@example.com', 'ana@example.com'] });
    await team.rest('ana', 'PATCH', `/org/members/${team.id('ben')}`, { account_access: [team.accounts.two] });
    await team.check();
    expect(await team.notified()).toEqual([]);
    await team.rest('ana', 'PATCH', `/org/members/${team.id('ben')}`, { account_access: null });
    await team.check();
    // Eve does not have access to all accounts of the rule.
    expect(await team.notified()).toEqual([`ana@example.com ${last}`, `ben@example.com ${last}`]);
  });

  it('updates only the given fields, and null clears optional ones', async () => {
    const team = await aSpendingTeam(['1']);
    const { one } = team.accounts;
    const { id } = await team.rule('ben', {
      account_id: one,
      service: 'Amazon S3',
      tag_key: 'team',
      tag_value: 'red',
      emails: ['x@example.com'],
    });
    const at = `/alert-rules/${id}`;
    expect(await team.rest('ben', 'PATCH', at, { tag_key: null })).toEqual(
      invalid('tag_value "red" requires tag_key; give both or neither'),
    );
    const cleared = { account_id: null, service: null, tag_key: null, tag_value: null, emails: null, slack: true };
    expect(
      (await team.rest('ben', 'PATCH', at, { ...cleared, name: 'All', metric: 'month_to_date_cost' })).body,
    ).toMatchObject({
      ...cleared,
      emails: [],
      name: 'All',
      metric: 'month_to_date_cost',
    });
    expect(await team.rest('ben', 'DELETE', at)).toEqual({ status: 204, body: null });
    expect(await team.rest('ben', 'DELETE', at)).toEqual(notFound(id));
    expect((await team.recorded()).map(({ action }) => action)).toEqual([
      'alert_rule_created',
      'alert_rule_updated',
      'alert_rule_updated',
      'alert_rule_deleted',
    ]);
  });

  it('rejects invalid values with a message that names the field', async () => {
    const team = await aSpendingTeam(['1']);
    const cases: [object, RegExp][] = [
      [{ metric: 'weekly_cost' }, /metric/],
      [{ operator: 'eq' }, /operator/],
      [{ threshold: '1' }, /threshold/],
      [{ threshold: 1e15 }, /^threshold must be above -1,000,000,000,000,000 and below 1,0/],
      [{ threshold: 0.0000001 }, /^threshold must have at most 6 decimals/],
      [{ threshold: -1234.56789012 }, /^threshold must have at most 6 decimals, not -1234.56789012/],
      [{ account_id: unknown }, /is not an account/],
      [{ service: '' }, /^service must have/],
      [{ service: ' ' }, /^service " " is blank/],
      [{ tag_key: '  ' }, /^tag_key " {2}" is blank; give a name as on the bill, or leave it out$/],
      [{ tag_key: 'user:' }, /^tag_key "user:" must have text after the prefix/],
      [{ tag_key: 'user: ' }, /^tag_key "user: " must have text after the prefix/],
      [{ metric: 'unit_cost' }, /^unit_metric_key is required for this metric; give the key/],
      [
        { unit_metric_key: 'orders' },
        /^unit_metric_key "orders" requires metric unit_cost or unit_cost_change_percent; leave/,
      ],
      [
        { metric: 'unit_cost', unit_metric_key: 'orders' },
        /^unit_metric_key "orders" is not a unit metric of the organization; create one first/,
      ],
      [{ metric: 'unit_cost', unit_metric_key: 'a b' }, /^unit_metric_key "a b" is not a key/],
      [{ window_days: 91 }, /^window_days must be 1 to 90, not 91/],
      [{ tag_value: 'red' }, /^tag_value "red" requires tag_key; give both or neither/],
      [{ emails: ['nobody'] }, /^emails\[0\]/],
      [{ slack: 'yes' }, /slack/],
    ];
    for (const [body, message] of cases)
      expect(await team.rest('ben', 'POST', '/alert-rules', { ...condition, ...body })).toEqual(invalid(message));
    const { id } = await team.rule('ben');
    const at = `/alert-rules/${id}`;
    expect(await team.rest('ben', 'PATCH', at, {})).toEqual(invalid('nothing to change'));
    expect(await team.rest('ben', 'PATCH', at, { metric: null })).toEqual(invalid('^metric cannot be null'));
    expect(await team.rest('ben', 'PATCH', '/alert-rules/x', { name: 'A' })).toEqual(notFound('x'));
  });

  it('is visible only with access to all its accounts, and cannot cover more than its creator sees', async () => {
    const team = await aSpendingTeam(['1']);
    const { one, two } = team.accounts;
    const all = await team.rule('ben');
    const theirs = await team.rule('ben', { account_id: two });
    const mine = await team.rule('ben', { account_id: one, name: 'Mine' });
    expect((await team.rest('eve', 'GET', '/alert-rules')).body.data).toMatchObject([{ id: mine.id }]);
    const read = (who: string, id: string) => team.rest(who, 'GET', `/alert-rules/${id}`);
    for (const rule of [all, theirs, mine]) expect(await read('dan', rule.id)).toEqual({ status: 200, body: rule });
    expect(await read('eve', mine.id)).toEqual({ status: 200, body: mine });
    for (const id of [all.id, theirs.id, unknown, 'x']) expect(await read('eve', id)).toEqual(notFound(id));
    const byId = 'query ($id: ID!) { alertRule(id: $id) { id name accountId } }';
    expect((await team.gql('eve', byId, { id: mine.id })).body.data.alertRule).toEqual({
      id: mine.id,
      name: 'Mine',
      accountId: one,
    });
    expect((await team.gql('eve', byId, { id: all.id })).body.errors[0].extensions.code).toBe('NOT_FOUND');
    for (const { id } of [all, theirs])
      expect(await team.rest('eve', 'PATCH', `/alert-rules/${id}`, { name: 'Mine' })).toEqual(notFound(id));
    const create = (body: object) => team.rest('eve', 'POST', '/alert-rules', { ...condition, ...body });
    expect(await create({})).toEqual(forbidden('you have access to some accounts only; set it to one of them'));
    expect(await create({ account_id: two })).toEqual(invalid('is not an account'));
    expect(await create({ account_id: one })).toMatchObject({ status: 201 });
    const list = async (query: string) =>
      (await team.rest('ben', 'GET', `/alert-rules?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await list(`account_id=${two}`)).toEqual([theirs.id]);
    expect(await list('enabled=false')).toEqual([]);
    expect((await list('sort_by=name'))[0]).toBe(mine.id);
  });
});
