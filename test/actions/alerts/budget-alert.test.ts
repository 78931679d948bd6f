import { describe, expect, it } from 'vitest';
import { targetFacts } from '../../../src/actions/alerts/notify-of-budget-alert.ts';
import { runJobs } from '../../support/jobs.ts';
import { bill } from '../../support/bills.ts';
import { aTeam } from '../../tenancy/team.ts';

/** A team that has spent $90 on one account and $30 on the other this month.
 *  @param unpriced costs of the first account by currency, which has no exchange rate */
async function aSpendingTeam(unpriced: Readonly<Record<string, string>> = {}) {
  const team = await aTeam();
  const { one, two } = team.accounts;
  await team.join('eve', 'member', [one]);
  await bill(team.deps, team.organizationId, {
    charges: [
      { account: one, date: '2026-11-02', cost: '70', service: 'Amazon EC2' },
      { account: one, date: '2026-11-20', cost: '20', service: 'Amazon S3' },
      { account: two, date: '2026-11-20', cost: '30', service: 'Amazon EC2' },
      ...Object.entries(unpriced).map(([currency, cost]) => ({
        account: one,
        date: '2026-11-03' as const,
        cost,
        currency,
      })),
    ],
    completeThrough: { [one]: '2026-11-20', [two]: '2026-11-20' },
  });
  const budget = async (body: object) =>
    (await team.rest('cleo', 'POST', '/budgets', { name: 'Cloud <b>', amount: 100, ...body })).body;
  return { ...team, budget };
}

describe('a budget alert', () => {
  it("reports spend, target and largest services to the owner and the budget's addresses", async () => {
    const team = await aSpendingTeam();
    const { id } = await team.budget({ emails: ['ops@example.com', 'eve@example.com'] });
    const mails = await team.mails();
    // Eve does not have access to all accounts of the budget.
    expect(mails.map(({ to }) => to).sort()).toEqual(['cleo@example.com', 'ops@example.com']);
    const text = mails[0]?.text.replaceAll(/\s+/g, ' ') ?? '';
    for (const said of [
      'Cloud <b> has reached 100% of its budget for November 2026',
      'reached $120.00, $20.00 more than the $100.00 budget “Cloud <b>”',
      'Spent: $120.00 (120%)',
      'Over budget by: $20.00',
      'Account: All accounts',
      '$100.00 Amazon EC2',
      '$20.00 Amazon S3',
      `/budgets/${id}`,
    ])
      expect(text.replaceAll('\u200b', '')).toContain(said);
    expect(mails[0]?.html).not.toContain('Cloud <b>');
  });

  it('reports what is left and the forecast below the amount', async () => {
    const team = await aSpendingTeam();
    await team.budget({ account_id: team.accounts.one, service: 'Amazon EC2', amount: 87.5 });
    const [mail] = await team.mails();
    const text = mail?.text.replaceAll(/\s+/g, ' ') ?? '';
    for (const said of [
      '$70.00 of the $87.50',
      'Spent: $70.00 (80%)',
      'Remaining: $17.50',
      'Account: one',
      'Service: Amazon EC2',
    ])
      expect(text).toContain(said);
  });

  it('states the costs without an exchange rate, and does not claim that the budget is kept', async () => {
    const team = await aSpendingTeam({ EUR: '31175.03', JPY: '1' });
    const excludes = 'Excludes €31,175.03 and ¥1, which have no exchange rate to USD.';
    await team.budget({ amount: 1000, alert_thresholds: [10] });
    const [mail] = await team.mails();
    const text = mail?.text.replaceAll(/\s+/g, ' ') ?? '';
    expect(text).toContain(`has reached $120.00 of the $1,000.00 budget “Cloud <b>”. ${excludes}`);
    expect(text).toContain('Remaining: $880.00 without the excluded costs');
    expect(text).toMatch(
      /At this rate the month ends \$[\d.]+ below the budget without the excluded costs, and may exceed it with them\./,
    );
    expect(text).not.toContain('within the budget');

    await team.budget({ amount: 130, alert_thresholds: [50] });
    const texts = (await team.mails()).map((one) => one.text.replaceAll(/\s+/g, ' '));
    expect(texts).toContainEqual(
      expect.stringMatching(/At this rate the month ends \$[\d.]+ over the budget, without the excluded costs\./),
    );
  });

  it("states the spend in the owner's access at the time of the mail, or is not sent if that is below the threshold", async () => {
    const team = await aSpendingTeam();
    await team.budget({ amount: 80, emails: ['ops@example.com'], alert_thresholds: [100] });
    await team.budget({ amount: 100, name: 'Large', emails: ['ops@example.com'], alert_thresholds: [100] });
    await team.rest('ana', 'PATCH', `/org/members/${team.id('cleo')}`, { account_access: [team.accounts.one] });
    const mails = await team.mails();
    const texts = mails.filter(({ subject }) => subject.includes('has reached')).map(({ text }) => text);
    expect(texts.length).toBe(2);
    for (const text of texts) expect(text.replaceAll(/\s+/g, ' ')).toContain('Spent: $90.00 (112.5%)');
    expect(mails.map(({ text }) => text).join(' ')).not.toContain('120.00');
  });

  it('names providers and virtual tags as the console does', () => {
    const anyTarget = { accountId: null, service: null, subAccountId: null };
    const factsOf = (target: { provider: string | null; tagKey: string | null; tagValue: string | null }) =>
      targetFacts({ ...anyTarget, ...target }, null).map(({ label, value }) => `${label}: ${value}`);
    expect(factsOf({ provider: 'gcp', tagKey: 'virtual:team', tagValue: 'shop' })).toEqual([
      'Account: All accounts',
      'Provider: Google Cloud',
      'Virtual tag: team = shop',
    ]);
    expect(factsOf({ provider: 'oracle', tagKey: 'team', tagValue: null })).toEqual([
      'Account: All accounts',
      'Provider: Oracle Cloud',
      'Tag: team, any value',
    ]);
  });

  it('is sent once even if its job repeats, and not for a deleted budget', async () => {
    const team = await aSpendingTeam();
    const { id } = await team.budget({});
    const jobs = team.jobs.filter(({ task }) => task === 'tell_budget_alert');
    await runJobs(team.deps, [...jobs, ...jobs]);
    expect(await team.db.delivery.count()).toBe(1);
    const { id: other } = await team.budget({});
    await team.rest('cleo', 'DELETE', `/budgets/${other}`);
    await runJobs(team.deps, [...team.jobs]);
    const notified = await team.db.delivery.findMany();
    expect(notified.map(({ subjectKey }) => subjectKey)).toEqual([`budget:${id}:2026-11:100`]);
  });
});
