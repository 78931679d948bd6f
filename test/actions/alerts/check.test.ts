import { describe, expect, it } from 'vitest';
import { checkAlertRules } from '../../../src/actions/alerts/check.ts';
import { addDays, type Day } from '../../../src/kit/time/period.ts';
import { bill } from '../../support/bills.ts';
import { runJobs } from '../../support/jobs.ts';
import { aTeam } from '../../tenancy/team.ts';

const last = '2026-11-20' satisfies Day;

/** Costs of days that end with the last one, by currency: USD is the organization's, the others have no exchange rate. */
type Costs = Readonly<Record<string, readonly string[]>>;

async function aForeignTeam(costs: Costs, through: Day = last) {
  const team = await aTeam();
  const { one, two } = team.accounts;
  await bill(team.deps, team.organizationId, {
    charges: Object.entries(costs).flatMap(([currency, amounts]) =>
      amounts.map((cost, index) => ({
        account: one,
        date: addDays(through, index + 1 - amounts.length),
        cost,
        currency,
      })),
    ),
    completeThrough: { [one]: through, [two]: null },
  });
  const figure = async (metric: string, operator: string, threshold: number, more: object = {}) => {
    const body = { name: 'Foreign', metric, operator, threshold, ...more };
    const { body: made } = await team.rest('ben', 'POST', '/alert-rules', body);
    await checkAlertRules(team.deps, team.organizationId);
    const firing = await team.db.alertFiring.findFirst({ where: { ruleId: made.id } });
    return firing && Number(firing.figure);
  };
  const announced = async () => JSON.stringify(await team.db.delivery.findMany());
  return { ...team, figure, announced };
}

describe('an alert rule on costs without an exchange rate', () => {
  it('does not take them for a decrease', async () => {
    const team = await aForeignTeam({ EUR: Array.from({ length: 30 }, () => '40') });
    for (const metric of ['daily_cost', 'month_to_date_cost', 'forecasted_month_cost'])
      for (const operator of ['lt', 'lte']) expect(await team.figure(metric, operator, 1000)).toBeNull();
    expect(await team.announced()).toBe('[]');
  });

  it('alerts if the other costs already exceed the threshold, and names the excluded ones', async () => {
    const team = await aForeignTeam({ USD: ['20', '101'], EUR: ['7', '1250.5'], JPY: ['9', '90'] });
    expect(await team.figure('daily_cost', 'gt', 101)).toBeNull();
    expect(await team.figure('daily_cost', 'gte', 101)).toBe(101);
    await runJobs(team.deps, team.jobs);
    const [mail] = await team.mails();
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      'Cost on November 20, 2026 was $101.00, which is at or above $101.00. Excludes €1,250.50 and ¥90, which have no exchange rate to USD.',
    );
    expect(await team.figure('month_to_date_cost', 'gt', 120)).toBe(121);
    expect(await team.announced()).toContain('Excludes €1,257.50 and ¥99, which have no exchange rate to USD.');
    expect(await team.figure('month_to_date_cost', 'lt', 1000)).toBeNull();
  });

  it('has them per day in the costs of its preview', async () => {
    const team = await aForeignTeam({ USD: ['20', '101'], EUR: ['7'], JPY: ['90'] });
    const { body } = await team.rest('ben', 'GET', `/costs/daily?start_date=2026-11-19&end_date=${last}`);
    const excluded = [
      { currency: 'EUR', cost: 7 },
      { currency: 'JPY', cost: 90 },
    ];
    expect(body).toMatchObject({
      days: [
        { date: '2026-11-19', cost: 20, unconverted: [] },
        { date: last, cost: 101, unconverted: excluded },
      ],
      unconverted: excluded,
    });
  });

  it('does not alert if the excluded costs are credits, which can lower the figure', async () => {
    const team = await aForeignTeam({ USD: ['101'], EUR: ['-50'] });
    expect(await team.figure('daily_cost', 'gt', 100)).toBeNull();
  });

  it('does not alert if a credit equals the excluded cost of another day', async () => {
    const team = await aForeignTeam({ USD: ['10', '90'], EUR: ['50', '-50'] });
    expect(await team.figure('day_over_day_percent', 'gt', 100)).toBeNull();
  });

  it('is not evaluated on percentages and unit costs', async () => {
    const fortnight = Array.from({ length: 14 }, (_, index) => (index === 13 ? '90' : '10'));
    const team = await aForeignTeam({ USD: fortnight, EUR: ['5', '0'] });
    await team.rest('ben', 'POST', '/metrics', { key: 'orders', name: 'Orders', unit: 'order' });
    const { body } = await team.rest('ben', 'GET', '/metrics');
    const values = fortnight.map((_, index) => ({ date: addDays(last, index - 13), value: 2 }));
    await team.rest('ben', 'PUT', `/metrics/${body.data[0].id}/values`, values);
    const orders = (days: number) => ({ unit_metric_key: 'orders', window_days: days });
    expect(await team.figure('day_over_day_percent', 'gt', 1)).toBeNull();
    expect(await team.figure('week_over_week_percent', 'gt', 1)).toBeNull();
    expect(await team.figure('unit_cost', 'gt', 1, orders(2))).toBeNull();
    expect(await team.figure('unit_cost_change_percent', 'gt', 1, orders(1))).toBeNull();
    // All costs of the last day itself are in USD.
    expect(await team.figure('unit_cost', 'gt', 1, orders(1))).toBe(45);
    expect(await team.figure('daily_cost', 'lt', 100)).toBe(90);
    expect(await team.announced()).not.toContain('Excludes');
  });

  it('on the forecast, also excludes such costs on the days before a month without bills', async () => {
    const history = Array.from({ length: 60 }, () => '10');
    const team = await aForeignTeam({ USD: history, EUR: history }, '2026-10-31');
    expect(await team.figure('forecasted_month_cost', 'lt', 1000)).toBeNull();
    expect(await team.figure('forecasted_month_cost', 'gt', 100)).toBeGreaterThan(100);
    expect(await team.announced()).toContain('Excludes €310.00, which has no exchange rate to USD.');
  });
});
