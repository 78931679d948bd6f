import { expect, vi } from 'vitest';
import { readCsv } from '../../support/rfc4180.ts';
import { days, expectMoney, expectRows, ranked, type Question } from './question.ts';

interface Budget {
  readonly id: string;
  readonly name: string;
  readonly amount: number;
  readonly current_spend: number;
  readonly forecasted_spend: number;
  readonly status: string;
}

interface CoverageBody {
  readonly eligible_cost: number;
  readonly covered_cost: number;
}

/** The costs covered by each of the sample's budgets in its current period. */
const budgetCosts: Readonly<Record<string, string>> = {
  'All clouds': days.thisMonth,
  'AWS production': `provider = 'aws' AND ${days.thisMonth}`,
  'Language models on Azure': `provider = 'azure' AND service = 'Azure OpenAI' AND ${days.thisMonth}`,
  BigQuery: `provider = 'gcp' AND service = 'BigQuery' AND ${days.thisMonth}`,
  // By its tag, else by the application that only this team has.
  'Storefront team': `coalesce(lower(tags['team']), CASE tags['application'] WHEN 'web-shop' THEN 'storefront' END)
    = 'storefront' AND ${days.thisQuarter}`,
};

/** Questions about forecasts, plans, and the reliability of figures. */
export const planQuestions: readonly Question[] = [
  {
    ask: 'Are the figures up to date?',
    async answer({ call, exports }) {
      interface Account {
        external_id: string;
        sync_status: string;
        data_from: string;
        data_to: string;
        complete_through: string;
      }
      const { data } = await call<{ data: Account[] }>('list_accounts');
      const bills = await exports.rows(
        'SELECT provider, CAST(min(day) AS VARCHAR) AS first, CAST(max(day) AS VARCHAR) AS last FROM lines GROUP BY 1 ORDER BY 1',
      );
      const found = data.map((account) => [account.external_id, account.data_from, account.data_to]);
      expect(found.toSorted()).toEqual(bills.map(({ provider, first, last }) => [provider, first, last]));
      expect(data.map((account) => `${account.sync_status} ${account.complete_through}`)).toEqual(
        Array(3).fill('succeeded 2026-11-19'),
      );
    },
  },
  {
    ask: 'Are we within our budgets, and which will not hold this month?',
    async answer({ call, exports }) {
      const { data } = await call<{ data: Budget[] }>('list_budgets');
      expect(data.map(({ name }) => name).toSorted()).toEqual(Object.keys(budgetCosts).toSorted());
      for (const { name, amount, current_spend, status } of data) {
        const spent = await exports.sum(budgetCosts[name] ?? '');
        expectMoney(current_spend, spent);
        expect(status === 'exceeded', name).toBe(spent >= amount);
      }
    },
  },
  {
    ask: 'Give Bedrock a budget of 6,000 a month and warn us at 75 percent.',
    async answer({ call, exports, sql }) {
      const args = { name: 'Bedrock', amount: 6000, service: 'Amazon Bedrock', alert_thresholds: [75, 100] };
      const { budget } = await call<{ budget: Budget }>('create_budget', args);
      expectMoney(budget.current_spend, await exports.sum(`service = 'Amazon Bedrock' AND ${days.thisMonth}`));
      const kept = await sql<{ amount: string }>('SELECT amount::text FROM budgets WHERE id = $1', [budget.id]);
      expect(kept.map(({ amount }) => Number(amount))).toEqual([6000]);
    },
  },
  {
    ask: 'What will this month cost in the end?',
    async answer({ call, exports, sql, rest, token }) {
      interface Forecast {
        currency: string;
        months: { month: string; cost_so_far: number; projected_cost: number }[];
      }
      const { months } = await call<Forecast>('get_forecast');
      const [month] = months;
      expect(month?.month).toBe('2026-11');
      expectMoney(month?.cost_so_far, await exports.sum(days.thisMonthComplete));
      const [all] = await sql<{ id: string }>(`SELECT id FROM budgets WHERE name = 'All clouds'`);
      const budget = await rest<Budget>('GET', `/budgets/${all?.id}`, { token });
      expectMoney(month?.projected_cost, budget.body.forecasted_spend);
    },
  },
  {
    ask: 'How much of what we run is covered by reservations and savings plans, and do we waste any of them?',
    async answer({ call, exports }) {
      interface Coverage {
        total_cost: number;
        unused_commitment_cost: number;
        split: { kind: string; cost: number }[];
      }
      const coverage = await call<Coverage>('get_coverage');
      const costs = new Map(coverage.split.map(({ kind, cost }) => [kind, cost]));
      const sum = (where: string) => exports.sum(`charge = 'Usage' AND ${where} AND ${days.last30Complete}`);
      expectMoney(costs.get('reserved'), await sum(`commitment = 'Usage'`));
      expectMoney(costs.get('savings_plan'), await sum(`commitment = 'Spend'`));
      expectMoney(costs.get('spot'), await sum(`pricing = 'Dynamic'`));
      expectMoney(coverage.unused_commitment_cost, await sum(`commitment_status = 'Unused'`));
      expectMoney(coverage.total_cost, await exports.sum(days.last30Complete));
    },
  },
  {
    ask: 'Which reservations or savings plans should we buy?',
    async answer({ call, exports, rest, token }) {
      interface Plan {
        gaps: { provider: string; service: string; region: string; on_demand_cost: number; covered_cost: number }[];
        pools: { product: string; on_demand_cost_per_hour: number }[];
      }
      const { gaps, pools } = await call<Plan>('get_commitment_plan', { top: 10 });
      for (const { provider, service, region, ...gap } of gaps) {
        const month = { start_date: '2026-10-21', end_date: '2026-11-19' };
        const query = new URLSearchParams({ provider, service, region, ...month });
        const { body } = await rest<CoverageBody>('GET', `/coverage?${query}`, { token });
        expectMoney(gap.covered_cost, body.covered_cost);
        expectMoney(gap.on_demand_cost, body.eligible_cost - body.covered_cost);
      }
      const machines = `provider = 'aws' AND charge = 'Usage' AND pricing = 'Standard' AND resource LIKE '%:instance/%'`;
      const hourly = (await exports.sum(`${machines} AND day BETWEEN '2026-09-21' AND '2026-11-19'`)) / (60 * 24);
      const plan = pools.find(({ product }) => product === 'Compute Savings Plans');
      // Half a percent of the cost is not for the machines themselves, and not covered by the plan.
      expect((plan?.on_demand_cost_per_hour ?? 0) / hourly).toBeCloseTo(0.995, 2);
    },
  },
  {
    ask: 'Which resources have no proper cost center?',
    async answer({ call, sql }) {
      interface Compliance {
        violations: { native_id: string; key: string }[];
        totals: { violations: number };
      }
      const args = { include: ['violations'], tag_key: 'cost_center', per_page: 5 };
      const { violations, totals } = await call<Compliance>('get_tag_compliance', args);
      const rows = await sql<{ native_id: string }>(
        `SELECT native_id FROM inventory_resources
         WHERE gone_at IS NULL AND coalesce(tags->>'cost_center', '') !~ '^CC-[1-4][0-9]{3}$'`,
      );
      expect(totals.violations).toBe(rows.length);
      const wrong = new Set(rows.map(({ native_id }) => native_id));
      expect(violations.map(({ native_id }) => wrong.has(native_id))).toEqual(Array(5).fill(true));
    },
  },
  {
    ask: 'Send finance a table of what each service cost in October.',
    async answer({ call, exports, rest, token, work }) {
      interface Report {
        id: string;
        status: string;
        size_bytes: number;
      }
      const args = { type: 'cost_by_service', format: 'csv', period: 'last_month' };
      const made = call<Report>('generate_report', args);
      await vi.waitFor(() => work('generate_report'), 20_000);
      const { id, status, size_bytes } = await made;
      const file = await rest('GET', `/reports/${id}/download`, { token });
      expect(status).toBe('ready');
      expect(Buffer.byteLength(file.text)).toBe(size_bytes);
      const costs = readCsv(file.text).map(({ service, provider, cost }) => ({
        name: `${service} ${provider}`,
        cost: Number(cost),
      }));
      expectRows(costs, await ranked(exports, `service || ' ' || provider`, days.lastMonth));
    },
  },
];
