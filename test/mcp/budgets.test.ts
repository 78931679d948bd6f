import { expect, it } from 'vitest';
import { mcpWorld, type McpWorld } from './world.ts';

interface Budget {
  readonly id: string;
  readonly name: string;
  readonly current_spend: number;
  readonly forecasted_spend: number;
}
interface Answer {
  readonly data: Budget[];
  readonly hint?: string;
}

let all = '';

const budgets: readonly object[] = [
  { name: 'All', amount: 4000, alert_thresholds: [50, 65, 90] },
  { name: 'Lab', amount: 300, provider: 'azure' },
  { name: 'Functions', amount: 1000, service: 'AWS Lambda' },
];

const world = mcpWorld(async (opened) => {
  for (const body of budgets) all = (await made(opened, body)) || all;
});

async function made(opened: McpWorld, body: object): Promise<string> {
  const { accessToken: token } = opened;
  const answer = await opened.rest<Budget>('POST', '/budgets', { token, body });
  return answer.body.name === 'All' ? answer.body.id : '';
}

it('lists budgets with their status, most used first', async () => {
  const answer = await world().callTool<Answer>('list_budgets');
  expect(answer).toMatchObject({ pagination: { page: 1, per_page: 20, total: 3, total_pages: 1 } });
  expect(answer.data.map(({ name }) => name)).toEqual(['Lab', 'All', 'Functions']);
  // 19 days at 130.583333, and 250 once.
  expect(answer.data[1]).toMatchObject({
    id: all,
    amount: 4000,
    currency: 'USD',
    period: 'monthly',
    period_start: '2026-11-01',
    period_end: '2026-11-30',
    current_spend: 2731.083327,
    remaining: 1268.916673,
    percent_used: 68.28,
    status: 'warning',
    alert_thresholds: [50, 65, 90],
    reached_thresholds: [50, 65],
    complete_through: '2026-11-19',
  });
  expect(answer.data[0]).toMatchObject({ status: 'exceeded', percent_used: 126.67, reached_thresholds: [80, 100] });
});

it('includes the forecast at the end of the month', async () => {
  const { data } = await world().callTool<Answer>('list_budgets', { provider: ['azure'] });
  expect(data).toEqual([expect.objectContaining({ name: 'Lab', forecasted_spend: 600, forecasted_percent: 200 })]);
});

it('filters, sorts and pages', async () => {
  const names = async (args: object) =>
    (await world().callTool<Answer>('list_budgets', args)).data.map(({ name }) => name);
  expect(await names({ projected_status: ['exceeded', 'ok'] })).toEqual(['Lab', 'Functions']);
  expect(await names({ projected_status: ['ok', 'at_risk'] })).toEqual(['Functions']);
  expect(await names({ sort_by: 'name' })).toEqual(['All', 'Functions', 'Lab']);
  expect(await names({ per_page: 2, page: 2 })).toEqual(['Functions']);
});

it('returns a single budget by id, without other arguments', async () => {
  const answer = await world().callTool<Answer>('list_budgets', { budget_id: all });
  expect(answer).toMatchObject({ data: [{ name: 'All' }], pagination: { total: 1 } });
  const unknown = await world().tryTool('list_budgets', { budget_id: '01933333-0000-7000-8000-000000000000' });
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('BUDGET_NOT_FOUND') });
  for (const id of ['../accounts', '\uD800', 'x'.repeat(10_000)]) {
    const refused = await world().tryTool('list_budgets', { budget_id: id });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('budget_id: This is not a valid id'),
    });
  }
  const both = await world().tryTool('list_budgets', { budget_id: all, page: 1 });
  expect(both).toMatchObject({
    isError: true,
    text: expect.stringContaining('budget_id selects one budget: omit page'),
  });
});

it('gives a hint when nothing matches', async () => {
  const none = await world().callTool<Answer>('list_budgets', { service: ['Nothing'] });
  expect(none).toMatchObject({ data: [], hint: expect.stringContaining('Omit filters') });
  const past = await world().callTool<Answer>('list_budgets', { page: 9 });
  expect(past).toMatchObject({ data: [], hint: expect.stringContaining('total_pages') });
});

it('creates a budget that is evaluated at once', async () => {
  const args = {
    name: 'Storage',
    amount: 150.5,
    service: 'Amazon S3',
    account_id: world().accounts.prod,
    alert_thresholds: [75],
    emails: ['team@example.com'],
  };
  const answer = await world().callTool<{ budget: Budget }>('create_budget', args);
  const { budget } = answer;
  expect(answer).not.toHaveProperty('hint');
  expect(budget).toMatchObject({
    name: 'Storage',
    amount: 150.5,
    currency: 'USD',
    current_spend: 194.75,
    status: 'exceeded',
    reached_thresholds: [75],
  });
  const { accessToken: token } = world();
  const { body } = await world().rest('GET', `/budgets/${budget.id}`, { token });
  expect(body).toMatchObject({ ...args, slack: false, cost_metric: 'effective' });
  expect((await world().rest('DELETE', `/budgets/${budget.id}`, { token })).status).toBe(204);
});

it('gives a hint when no costs match the created budget', async () => {
  const args = { name: 'Misspelt', amount: 10, service: 'EC2' };
  const answer = await world().callTool<{ budget: Budget }>('create_budget', args);
  expect(answer).toMatchObject({ hint: expect.stringContaining('get_cost_breakdown') });
  await world().rest('DELETE', `/budgets/${answer.budget.id}`, { token: world().accessToken });
});

it.each([[{}], [{ provider: 'aws' }]])(
  'gives a hint when costs cannot be converted to the currency of the budget: %j',
  async (args) => {
    const euros = { name: 'Euros', amount: 10, currency: 'EUR', ...args };
    const answer = await world().callTool<{ budget: Budget; hint: string }>('create_budget', euros);
    expect(answer.hint).toContain('exchange rate');
    expect(answer.hint).not.toContain('named');
    await world().rest('DELETE', `/budgets/${answer.budget.id}`, { token: world().accessToken });
  },
);

it.each([
  [{ name: 'Free', amount: 0 }, 'amount'],
  [{ name: 'Free', amount: 1, alert_thresholds: [80, 80] }, '80'],
  [{ name: 'Free', amount: 1, account_id: 'nobody' }, 'account_id'],
  [{ name: 'Free', amount: 1, currency: 'US1' }, 'currency'],
  [{ name: 'Free', amount: 1, period: 'weekly' }, 'period'],
  [{ name: 'Free', amount: 1, tag_key: 'virtual:nothing' }, 'tag_key'],
])('rejects %j, naming %s', async (args, named) => {
  const answer = await world().tryTool('create_budget', args);
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining(named) });
  expect(answer.text).toContain('VALIDATION_ERROR');
  expect(await world().callTool('list_budgets')).toMatchObject({ pagination: { total: 3 } });
});
