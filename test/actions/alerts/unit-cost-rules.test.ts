import { describe, expect, it } from 'vitest';
import { checkAlertRules } from '../../../src/actions/alerts/check.ts';
import { figureOf, valueOf, type Days } from '../../../src/actions/alerts/rule.ts';
import { parseAmount } from '../../../src/kit/money.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';
import { bill } from '../../support/bills.ts';
import { aTeam, conflict, invalid } from '../../tenancy/team.ts';

const last = '2026-11-20' satisfies Day;

/** A team with daily costs up to the last day, and a metric with the quantities of the same days; null is a day without one. */
async function aMeteredTeam(costs: readonly string[], quantities: readonly (number | null)[]) {
  const team = await aTeam();
  const { one } = team.accounts;
  const dayAt = (index: number) => addDays(last, index + 1 - costs.length);
  await bill(team.deps, team.organizationId, {
    charges: costs.map((cost, index) => ({ account: one, date: dayAt(index), cost })),
    completeThrough: { [one]: last, [team.accounts.two]: null },
  });
  const { body: metric } = await team.rest('ben', 'POST', '/metrics', { key: 'Orders', name: 'Orders', unit: 'order' });
  const put = (values: readonly (number | null)[]) =>
    team.rest(
      'ben',
      'PUT',
      `/metrics/${metric.id}/values`,
      values.flatMap((value, index) => (value === null ? [] : [{ date: dayAt(index), value }])),
    );
  await put(quantities);
  const figure = async (body: object) => {
    const rule = { name: 'Dear', metric: 'unit_cost', unit_metric_key: 'ORDERS', operator: 'gt', threshold: -1000 };
    const made = await team.rest('ben', 'POST', '/alert-rules', { ...rule, ...body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    await checkAlertRules(team.deps, team.organizationId);
    const firing = await team.db.alertFiring.findFirst({ where: { ruleId: made.body.id } });
    await team.rest('ben', 'DELETE', `/alert-rules/${made.body.id}`);
    return firing && firing.figure.toFixed();
  };
  return { ...team, metric, put, figure };
}

describe('an alert rule on unit cost', () => {
  it('divides the cost of its days by the quantity, exactly', async () => {
    const team = await aMeteredTeam(['10', '20', '30'], [3, 4, 5]);
    expect(await team.figure({ window_days: 1 })).toBe('6');
    expect(await team.figure({ window_days: 2, threshold: 5.555555555555 })).toBe('5.555555555555555555555555');
    expect(await team.figure({ window_days: 2, threshold: 5.555555555556 })).toBeNull();
    expect(await team.figure({ window_days: 3, operator: 'gte', threshold: 5 })).toBe('5');
    expect(await team.figure({ window_days: 3, operator: 'gt', threshold: 5 })).toBeNull();
    // The bills begin later.
    expect(await team.figure({ window_days: 4 })).toBeNull();
  });

  it('compares with the days before, in percent', async () => {
    const team = await aMeteredTeam(['10', '10', '30', '30'], [10, 10, 10, 30]);
    const change = { metric: 'unit_cost_change_percent' };
    expect(await team.figure({ ...change, window_days: 2 })).toBe('50');
    expect(await team.figure({ ...change, window_days: 1, threshold: -66.666667 })).toBe(
      '-66.666666666666666666666666',
    );
    expect(await team.figure({ ...change, window_days: 1, threshold: -66.666666 })).toBeNull();
    expect(await team.figure({ ...change, window_days: 3 })).toBeNull();
  });

  it('waits for the value of every day, and never divides by zero', async () => {
    const team = await aMeteredTeam(['10', '20', '30'], [3, null, 5]);
    expect(await team.figure({ window_days: 2 })).toBeNull();
    expect(await team.figure({ window_days: 1 })).toBe('6');
    await team.put([null, 0, 0]);
    expect(await team.figure({ window_days: 2 })).toBeNull();
    await team.put([null, 5, null]);
    expect(await team.figure({ window_days: 2 })).toBe('10');
  });

  it('covers its account only, and names metric and unit in the alert', async () => {
    const team = await aMeteredTeam(['10', '0.000123'], [3, 4]);
    const { one, two } = team.accounts;
    expect(await team.figure({ window_days: 1, account_id: two })).toBeNull();
    expect(await team.figure({ window_days: 1, account_id: one, threshold: 0.00003 })).toBe('0.00003075');
    const delivery = await team.db.delivery.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    const text = JSON.stringify(delivery);
    for (const part of [
      'Dear: unit cost $0.0000308 per order',
      'The unit cost on November 20, 2026 was $0.0000308 per order, which is above $0.00003 per order.',
      '"value":"Orders"',
    ])
      expect(text).toContain(part);
  });

  it('still refers to its metric after a key change, and blocks its deletion', async () => {
    const team = await aMeteredTeam(['1'], [1]);
    const rule = { name: 'Dear', metric: 'unit_cost', unit_metric_key: 'orders', operator: 'gt', threshold: 5 };
    const { body } = await team.rest('ben', 'POST', '/alert-rules', rule);
    expect(body).toMatchObject({ unit_metric_key: 'orders', window_days: 7 });
    const path = `/metrics/${team.metric.id}`;
    await team.rest('ben', 'PATCH', path, { key: 'sales' });
    expect((await team.rest('ben', 'GET', `/alert-rules/${body.id}`)).body.unit_metric_key).toBe('sales');
    expect(await team.rest('ben', 'DELETE', path)).toEqual(conflict('used by alert rules; delete these rules first'));
    expect(await team.rest('ben', 'PATCH', `/alert-rules/${body.id}`, { metric: 'daily_cost' })).toEqual(
      invalid('unit_metric_key "sales" requires metric unit_cost'),
    );
    const daily = { metric: 'daily_cost', unit_metric_key: null };
    expect((await team.rest('ben', 'PATCH', `/alert-rules/${body.id}`, daily)).status).toBe(200);
    expect((await team.rest('ben', 'DELETE', path)).status).toBe(204);
  });
});

describe('the figure of a unit cost', () => {
  const amounts = (values: Record<string, string>) =>
    new Map(Object.entries(values).map(([day, text]) => [day as Day, parseAmount(text)]));
  const known: Days = {
    days: amounts({ '2026-03-01': '-4', '2026-03-02': '2', '2026-03-03': '3' }),
    unconvertedDays: new Map(),
    quantities: amounts({ '2026-03-01': '2', '2026-03-02': '1', '2026-03-03': '1' }),
    from: '2026-03-01',
    missingBills: [],
  };

  it('is a change from the earlier unit cost, unless that is negative', () => {
    const figure = (day: Day) => figureOf({ metric: 'unit_cost_change_percent', windowDays: 1 }, known, day);
    const later = figure('2026-03-03');
    expect(later && valueOf(later)).toBe(parseAmount('50'));
    expect(figure('2026-03-02')).toBeNull();
  });

  it('is unknown in months without a bill, and so are changes of costs', () => {
    const missing: Days = { ...known, missingBills: [{ month: '2026-03', accountId: '', accountName: '' }] };
    for (const metric of ['unit_cost', 'unit_cost_change_percent', 'day_over_day_percent'] as const) {
      expect(figureOf({ metric, windowDays: 1 }, known, '2026-03-03'), metric).not.toBeNull();
      expect(figureOf({ metric, windowDays: 1 }, missing, '2026-03-03'), metric).toBeNull();
    }
  });
});
