import { describe, expect, it } from 'vitest';
import { previousOf } from '../../src/console/costs/period.ts';
import { expectedIn } from '../../src/console/forecast/expected.ts';
import { askedSince, monthToDate } from '../../src/console/overview/headlines.tsx';
import { formatMoney, formatPeriod } from '../../src/kit/text/format.ts';
import { readPdf } from '../actions/reports/pdf/read.ts';
import { addDays, type Month } from '../../src/kit/time/period.ts';
import { bill } from '../support/bills.ts';
import { runJobs } from '../support/jobs.ts';
import { mcpWorld, type McpWorld } from './world.ts';

// The same figure wherever it appears: API, MCP, reports and console. Bills are complete through November 19; today is
// November 21.

const upToDate = mcpWorld();

/** The account `lab` is 20 days behind: its bills end on November 1. It does not hold back the others. */
const withStopped = mcpWorld(async ({ deps, accounts: { lab } }) => {
  const end = `complete_through = '2026-11-01', data_to = '2026-11-01', version = version + 1`;
  await deps.pool.query(`UPDATE accounts SET ${end} WHERE id = $1`, [lab]);
});

/** The bills of all accounts end on October 31, three weeks ago. */
const withOldBills = mcpWorld(async ({ deps }) => {
  await deps.pool.query(
    `UPDATE accounts SET complete_through = '2026-10-31', data_to = '2026-10-31', version = version + 1`,
  );
});

/** The bills of all accounts begin on October 10. */
const withShortHistory = mcpWorld(async ({ deps }) => {
  await deps.pool.query(`UPDATE accounts SET data_from = '2026-10-10', version = version + 1`);
});

/** Each day costs 30, but the bills of November 20 have 12, and those of November 21 have 45. */
const withIncompleteDays = mcpWorld(async ({ deps, organizationId, accounts: { prod, lab } }) => {
  const complete = Array.from({ length: 80 }, (_, at) => ({
    account: prod,
    date: addDays('2026-09-01', at),
    cost: '30',
  }));
  const incomplete = [
    { account: prod, date: '2026-11-20', cost: '12' },
    { account: prod, date: '2026-11-21', cost: '45' },
  ] as const;
  const completeThrough = { [prod]: '2026-11-19', [lab]: '2026-11-19' } as const;
  await bill(deps, organizationId, { charges: [...complete, ...incomplete], completeThrough });
});

/** The organization's currency is the euro; all bills are in US dollars, which have a rate from October on. */
const withoutRate = mcpWorld(async ({ rest, accessToken: token }) => {
  const rates = [{ month: '2026-10', from: 'USD', to: 'EUR', rate: 0.9 }];
  await rest('PATCH', '/org', { token, body: { currency: 'EUR' } });
  await rest('PUT', '/org/exchange-rates', { token, body: { rates } });
});

/** The account `lab` has bills in each month from June on, except October. */
const withMissingBill = mcpWorld(async ({ deps, organizationId, accounts: { prod, lab } }) => {
  const months: Month[] = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
  const charges = months.flatMap((month) =>
    [prod, ...(month === '2026-10' ? [] : [lab])].map((account) => ({
      account,
      date: `${month}-05` as const,
      cost: '30',
    })),
  );
  await bill(deps, organizationId, { charges, completeThrough: { [prod]: '2026-11-19', [lab]: '2026-11-19' } });
});

interface Costs {
  readonly total_cost: number;
  readonly previous: {
    readonly start_date: string;
    readonly end_date: string;
    readonly total_cost: number;
    readonly change_percent: number;
  };
}

interface Summary {
  readonly comparison: {
    readonly end_date: string;
    readonly cost: number;
    readonly previous_start_date: string;
    readonly previous_end_date: string;
    readonly change_percent: number;
  };
}

/** Texts of the PDF of a cost report. */
async function textsOf(
  { rest, deps, jobs, url, accessToken }: McpWorld,
  days: { start_date: string; end_date: string },
): Promise<string[]> {
  const body = { type: 'cost_summary', format: 'pdf', ...days, email: false };
  const made = await rest<{ id: string }>('POST', '/reports', { token: accessToken, body });
  await runJobs(deps, jobs);
  const file = await fetch(`${url}/api/v1/reports/${made.body.id}/download`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return readPdf(Buffer.from(await file.arrayBuffer())).flatMap(({ lines }) => lines.map(({ text }) => text));
}

describe.each([
  ['', '2026-11-19', upToDate],
  [' with a stopped account', '2026-11-01', withStopped],
] as const)('figures%s', (_, through, world) => {
  const token = () => ({ token: world().accessToken });

  it.for([
    ['a calendar month', '2026-10-01', '2026-10-31', '2026-10-31', '2026-09-01', '2026-09-30'],
    ['a running month', '2026-11-01', '2026-11-21', '2026-11-19', '2026-10-01', '2026-10-19'],
    ['the last 30 days', '2026-10-21', '2026-11-19', '2026-11-19', '2026-09-21', '2026-10-20'],
  ] as const)('of %s agree in the API, MCP, reports and the console', async ([, start, asked, end, from, to]) => {
    const { rest, callTool } = world();
    const { body: costs } = await rest<Costs>(
      'GET',
      `/costs?start_date=${start}&end_date=${end}&compare=previous_period`,
      token(),
    );
    expect(costs.previous).toMatchObject({ start_date: from, end_date: to });

    const { body: whole } = await rest('GET', `/costs?start_date=${start}&end_date=${asked}`, token());
    expect(whole).toMatchObject({ last_complete_day: end, complete_through: through });

    const { comparison } = await callTool<Summary>('get_cost_summary', { start_date: start, end_date: asked });
    expect(comparison).toMatchObject({
      end_date: end,
      cost: costs.total_cost,
      previous_start_date: from,
      previous_end_date: to,
      change_percent: costs.previous.change_percent,
    });

    expect(previousOf({ from: start, to: end })).toEqual({ from, to });

    const texts = (await textsOf(world(), { start_date: start, end_date: asked })).join('\n');
    expect(texts).toContain(formatMoney(costs.total_cost, 'USD'));
    expect(texts).toContain(formatPeriod(from as never, to as never));
    const change = Math.abs(costs.previous.change_percent).toFixed(1).replace(/\.0$/, '');
    expect(texts).toContain(`${costs.previous.change_percent > 0 ? '+' : '−'}${change}`);
  });

  it('end with the last complete day by default', async () => {
    const { rest, callTool } = world();
    const last30 = { start_date: '2026-10-21', end_date: '2026-11-19' };
    for (const tool of ['get_cost_summary', 'get_daily_costs', 'get_coverage'])
      expect(await callTool(tool)).toMatchObject(last30);
    const grouped = { group_by: ['service'], period: 'this_month', compare_previous: true };
    expect(await callTool('get_cost_breakdown', grouped)).toMatchObject({ comparison: { end_date: '2026-11-19' } });
    for (const type of ['cost_by_service', 'coverage', 'anomalies']) {
      const made = await rest('POST', '/reports', { ...token(), body: { type, format: 'csv', email: false } });
      expect(made.body).toMatchObject(last30);
    }
    expect(await callTool('get_cost_trend', { months: 2 })).toMatchObject({
      months: [{ partial: false }, { partial: true }],
      drivers: { month: '2026-10' },
    });
  });

  it('of the month to date agree on the overview, in the API and in budgets of all costs', async () => {
    const { gql, rest, accessToken } = world();
    const { body } = await gql<Parameters<typeof monthToDate>[0]>(
      `{ costsDaily(startDate: "${askedSince('2026-11-19')}", endDate: "2026-11-21") { lastCompleteDay dataFrom missingBills { month accountName } days { date cost unconverted { currency cost } } }
        forecast { historyTo points { date cost } } }`,
      {},
      accessToken,
    );
    if (!body.data) throw new Error('The overview has no answer');
    const month = monthToDate(body.data);
    expect(month?.days).toEqual({ from: '2026-11-01', to: '2026-11-19' });
    expect(month?.before).toEqual({ from: '2026-10-01', to: '2026-10-19' });
    const { body: costs } = await rest<Costs>(
      'GET',
      '/costs?start_date=2026-11-01&end_date=2026-11-19&compare=previous_period',
      token(),
    );
    expect([month?.cost, month?.beforeCost]).toEqual([costs.total_cost, costs.previous.total_cost]);
    const { body: budget } = await rest<{ current_spend: number; forecasted_spend: number; complete_through: string }>(
      'POST',
      '/budgets',
      { ...token(), body: { name: 'All', amount: 5000 } },
    );
    expect(budget).toMatchObject({ current_spend: costs.total_cost, complete_through: through });
    expect(month?.expected).toBeCloseTo(budget.forecasted_spend, 3);
  });
});

interface Forecast {
  readonly months: readonly { month: string; cost_so_far: number; still_expected_cost: number }[];
}

describe('a month with incomplete days', () => {
  it('has the same actual and expected cost on the forecast page and in MCP', async () => {
    const { gql, callTool, accessToken } = withIncompleteDays();
    const { body } = await gql<Parameters<typeof monthToDate>[0]>(
      `{ costsDaily(startDate: "2026-11-01", endDate: "2026-11-21") { days { date cost unconverted { currency cost } } }
        forecast { historyTo points { date cost } } }`,
      {},
      accessToken,
    );
    const { days = [] } = body.data?.costsDaily ?? {};
    const { points = [], historyTo = null } = body.data?.forecast ?? {};
    const month = { from: '2026-11-01', to: '2026-11-30' };
    // The forecast of the 20th and the costs of the 21st are the larger ones.
    const parts = { actual: 19 * 30 + 45, forecast: 10 * 30 };
    expect(expectedIn({ days, points, completeTo: historyTo ?? '' }, month)).toEqual(parts);
    const { months } = await callTool<Forecast>('get_forecast');
    expect(months[0]).toMatchObject({
      month: '2026-11',
      cost_so_far: parts.actual,
      still_expected_cost: parts.forecast,
    });
  });
});

describe('bills that ended weeks ago', () => {
  it('determine the last 30 days everywhere', async () => {
    const { rest, callTool, accessToken } = withOldBills();
    const token = { token: accessToken };
    const last30 = { start_date: '2026-10-02', end_date: '2026-10-31' };
    for (const tool of ['get_cost_summary', 'get_daily_costs', 'get_coverage'])
      expect(await callTool(tool)).toMatchObject(last30);
    expect((await rest('GET', '/coverage', token)).body).toMatchObject(last30);
    for (const type of ['cost_by_service', 'coverage']) {
      const made = await rest('POST', '/reports', { ...token, body: { type, format: 'csv', email: false } });
      expect(made.body).toMatchObject(last30);
    }
    const { body } = await rest('GET', '/costs?start_date=2026-10-23&end_date=2026-11-21', token);
    expect(body).toMatchObject({ last_complete_day: '2026-10-31', complete_through: '2026-10-31' });
  });

  it('determine the month to date on the overview', async () => {
    const { gql, accessToken } = withOldBills();
    const { body } = await gql<Parameters<typeof monthToDate>[0]>(
      `{ costsDaily(startDate: "${askedSince('2026-10-31')}", endDate: "2026-11-21") { lastCompleteDay dataFrom missingBills { month accountName } days { date cost unconverted { currency cost } } }
        forecast { historyTo points { date cost } } }`,
      {},
      accessToken,
    );
    expect(body.data && monthToDate(body.data)).toMatchObject({
      days: { from: '2026-10-01', to: '2026-10-31' },
      before: { from: '2026-09-01', to: '2026-09-30' },
    });
  });
});

describe('a comparison with days without an exchange rate', () => {
  it('has no percentage in the API, MCP and reports, and a note with the missing costs', async () => {
    const days = { start_date: '2026-10-01', end_date: '2026-10-31' };
    const { rest, callTool, accessToken } = withoutRate();
    const token = { token: accessToken };
    const asked = `start_date=${days.start_date}&end_date=${days.end_date}`;
    const { body: costs } = await rest<Costs & { previous: { unconverted: { cost: number }[] } }>(
      'GET',
      `/costs?${asked}&group_by=service&compare=previous_period`,
      token,
    );
    const [lacking] = costs.previous.unconverted;
    expect(costs).toMatchObject({ unconverted: [], previous: { total_cost: 0, change_percent: null } });
    expect(lacking).toMatchObject({ currency: 'USD' });
    const { body: trend } = await rest<{ months: object[] }>('GET', `/costs/trend?${asked}`, token);
    expect(trend.months).toMatchObject([{ change_percent: null, partial: false, previous_unconverted: [lacking] }]);
    const compared = {
      hint: expect.stringContaining(
        `${lacking?.cost} USD of 2026-09-01 to 2026-09-30 not included: no exchange rate to EUR`,
      ) as string,
      comparison: { change_percent: null },
    };
    expect(await callTool('get_cost_summary', days)).toMatchObject(compared);
    const grouped = { ...days, group_by: ['service'], compare_previous: true };
    expect(await callTool('get_cost_breakdown', grouped)).toMatchObject(compared);
    expect(await callTool('get_cost_trend', { end_month: '2026-10', months: 1 })).toMatchObject({
      hint: expect.stringContaining('An exchange rate is missing in 2026-09, so change_percent is null') as string,
      drivers: { change_percent: null },
    });
    const texts = (await textsOf(withoutRate(), days)).join('\n');
    expect(texts.replaceAll('\n', ' ')).toContain(
      `${formatMoney(lacking?.cost ?? 0, 'USD')} of Sep 1–30, 2026 is excluded, because USD has no exchange rate for these charges, so changes have no percentage.`,
    );
    expect(texts).not.toContain('vs. ');
  });
});

describe('a comparison with a month without a bill', () => {
  it('has no percentage in the API, MCP, reports and the overview, and names the missing bill', async () => {
    const days = { start_date: '2026-10-01', end_date: '2026-10-31' };
    const { rest, gql, callTool, accessToken, accounts } = withMissingBill();
    const asked = `start_date=${days.start_date}&end_date=${days.end_date}&compare=previous_period`;
    const { body: costs } = await rest<Costs & { missing_bills: { account_name: string }[] }>(
      'GET',
      `/costs?${asked}`,
      { token: accessToken },
    );
    const [{ account_name: name } = { account_name: '' }] = costs.missing_bills;
    expect(costs).toMatchObject({
      total_cost: 30,
      previous: { total_cost: 60, change_percent: null },
      missing_bills: [{ month: '2026-10', account_id: accounts.lab }],
    });
    const compared = {
      hint: expect.stringContaining(`There is no bill for ${name} (2026-10): these costs are unknown.`) as string,
      comparison: { change_percent: null },
    };
    expect(await callTool('get_cost_summary', days)).toMatchObject(compared);
    const next = { start_date: '2026-11-01', end_date: '2026-11-19' };
    expect(await callTool('get_cost_summary', next)).toMatchObject(compared);
    expect(
      await callTool('get_cost_breakdown', { ...days, group_by: ['service'], compare_previous: true }),
    ).toMatchObject(compared);
    expect(await callTool('get_cost_trend', { end_month: '2026-10', months: 1 })).toMatchObject({
      hint: compared.hint,
      drivers: { change_percent: null },
    });
    for (const reported of [days, next]) {
      const text = (await textsOf(withMissingBill(), reported)).join(' ').replaceAll('\n', ' ');
      expect(text).toContain(
        `There is no bill for ${name} (October 2026): these costs are unknown, so changes from or to them have no percentage.`,
      );
      expect(text).not.toContain('vs. ');
    }
    const { body } = await gql<Parameters<typeof monthToDate>[0]>(
      `{ costsDaily(startDate: "${askedSince('2026-11-19')}", endDate: "2026-11-21") { currency lastCompleteDay dataFrom unconverted { currency cost }
        missingBills { month accountId accountName } days { date cost unconverted { currency cost } } }
        forecast { historyTo points { date cost } } }`,
      {},
      accessToken,
    );
    expect(body.data && monthToDate(body.data)?.unknownChange).toBe(`no bill for ${name} (Oct 2026)`);
  });
});

describe('a comparison with days before the first bill', () => {
  const days = { start_date: '2026-11-01', end_date: '2026-11-19' };

  it('has no percentage in the API, MCP and reports', async () => {
    const { rest, callTool, accessToken } = withShortHistory();
    const token = { token: accessToken };
    const asked = `start_date=${days.start_date}&end_date=${days.end_date}`;
    const { body: costs } = await rest<Costs & { rows: { change_percent: number | null }[] }>(
      'GET',
      `/costs?${asked}&group_by=service&compare=previous_period`,
      token,
    );
    expect(costs).toMatchObject({ data_from: '2026-10-10', previous: { change_percent: null } });
    expect(new Set(costs.rows.map((row) => row.change_percent))).toEqual(new Set([null]));
    const { body: trend } = await rest<{ months: object[] }>('GET', `/costs/trend?${asked}`, token);
    expect(trend.months).toMatchObject([{ month: '2026-11', change_percent: null }]);
    const hint = expect.stringContaining('Bills begin on 2026-10-10') as string;
    expect(await callTool('get_cost_summary', days)).toMatchObject({ hint, comparison: { change_percent: null } });
    const grouped = { ...days, group_by: ['service'], compare_previous: true };
    expect(await callTool('get_cost_breakdown', grouped)).toMatchObject({ hint, comparison: { change_percent: null } });
    const texts = (await textsOf(withShortHistory(), days)).join('\n');
    expect(texts).toContain(formatMoney(costs.total_cost, 'USD'));
    expect(texts.replaceAll('\n', ' ')).toContain('Bills begin on October 10, 2026, so there is no comparison');
    expect(texts).not.toContain('vs. ');
  });

  it('has one if the days are covered', async () => {
    const { rest, accessToken } = withShortHistory();
    const { body } = await rest<Costs>(
      'GET',
      '/costs?start_date=2026-10-20&end_date=2026-10-29&compare=previous_period',
      {
        token: accessToken,
      },
    );
    expect(body.previous.change_percent).toEqual(expect.any(Number));
  });
});
