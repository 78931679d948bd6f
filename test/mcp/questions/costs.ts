import { expect } from 'vitest';
import { days, expectMoney, expectRows, ranked, type Group, type Question } from './question.ts';

interface Breakdown {
  readonly total_cost: number;
  readonly currency: string;
  readonly groups: (Omit<Group, 'name'> & {
    readonly keys: Readonly<Record<string, string | null>>;
    readonly names?: Readonly<Record<string, string>>;
  })[];
  readonly other?: { count: number; cost: number };
  readonly comparison?: { end_date: string; previous_start_date: string; previous_end_date: string };
}

interface Summary {
  readonly total_cost: number;
  readonly currency: string;
  readonly comparison: { previous_cost: number; change: number; change_percent: number };
}

const accountNames = `CASE provider WHEN 'aws' THEN 'AWS production' WHEN 'azure' THEN 'Azure' ELSE 'Google Cloud' END`;

/** Rows by the name of a dimension's value. */
function namedBy(dimension: string, groups: Breakdown['groups']): Group[] {
  return groups.map((group) => ({ ...group, name: group.names?.[dimension] ?? group.keys[dimension] ?? null }));
}

/** Questions about past costs. */
export const costQuestions: readonly Question[] = [
  {
    ask: 'What did we spend on compute last month?',
    async answer({ call, exports }) {
      const args = { group_by: ['service_category'], period: 'last_month' };
      const { groups, currency } = await call<Breakdown>('get_cost_breakdown', args);
      const compute = namedBy('service_category', groups).find(({ name }) => name === 'Compute');
      expect(currency).toBe('USD');
      expectMoney(compute?.cost, await exports.sum(`category = 'Compute' AND ${days.lastMonth}`));
    },
  },
  {
    ask: 'How much did the cloud cost us last month, and is that more than the month before?',
    async answer({ call, exports }) {
      const { total_cost, comparison } = await call<Summary>('get_cost_summary', { period: 'last_month' });
      const [last, before] = [await exports.sum(days.lastMonth), await exports.sum(days.monthBefore)];
      expectMoney(total_cost, last);
      expectMoney(comparison.previous_cost, before);
      expectMoney(comparison.change, last - before);
      expect(comparison.change_percent).toBeCloseTo((last / before - 1) * 100, 2);
    },
  },
  {
    ask: 'Which account grew most this month?',
    async answer({ call, exports }) {
      const args = { group_by: ['account'], period: 'this_month', sort_by: 'increase' };
      const { groups, comparison } = await call<Breakdown>('get_cost_breakdown', args);
      expect(comparison).toMatchObject({
        end_date: '2026-11-19',
        previous_start_date: '2026-10-01',
        previous_end_date: '2026-10-19',
      });
      const now = await ranked(exports, accountNames, days.thisMonthComplete);
      const before = new Map(await ranked(exports, accountNames, days.sameDaysBefore));
      const grew = now.map(([name, cost]) => [name, cost - (before.get(name) ?? 0)] as const);
      expectRows(
        namedBy('account', groups).map((group) => ({ ...group, cost: group.change ?? 0 })),
        grew.toSorted((a, b) => b[1] - a[1]),
      );
    },
  },
  {
    ask: 'What does each of our AWS member accounts cost?',
    async answer({ call, exports }) {
      const args = { group_by: ['sub_account'], provider: ['aws'], period: 'last_month' };
      const { groups, other } = await call<Breakdown>('get_cost_breakdown', args);
      expect(other).toBeUndefined();
      expectRows(
        namedBy('sub_account', groups),
        await ranked(exports, 'sub_account', `provider = 'aws' AND ${days.lastMonth}`),
      );
    },
  },
  {
    ask: 'What are our five largest services this quarter, and how much is all the rest?',
    async answer({ call, exports }) {
      const args = { group_by: ['service', 'provider'], period: 'this_quarter', limit: 5 };
      const { groups, other, total_cost } = await call<Breakdown>('get_cost_breakdown', args);
      const services = await ranked(exports, `service || ' ' || provider`, days.thisQuarter);
      expectRows(
        groups.map((group) => ({ ...group, name: `${group.keys['service']} ${group.keys['provider']}` })),
        services.slice(0, 5),
      );
      expect(other?.count).toBe(services.length - 5);
      expectMoney(
        other?.cost,
        services.slice(5).reduce((sum, [, cost]) => sum + cost, 0),
      );
      expectMoney(total_cost, await exports.sum(days.thisQuarter));
    },
  },
  {
    ask: 'What does each team cost, and the machine learning team above all?',
    async answer({ call, exports }) {
      const args = { group_by: ['tag:team'], period: 'last_month' };
      const { groups } = await call<Breakdown>('get_cost_breakdown', args);
      expect(groups[0]?.keys).toEqual({ 'tag:team': 'machine-learning' });
      expectRows(namedBy('tag:team', groups), await ranked(exports, `tags['team']`, days.lastMonth));
    },
  },
  {
    ask: 'How much of what Azure cost last month is charged to no cost center?',
    async answer({ call, exports }) {
      const args = { group_by: ['tag:cost_center'], provider: ['azure'], period: 'last_month' };
      const { groups } = await call<Breakdown>('get_cost_breakdown', args);
      const untagged = `provider = 'azure' AND tags['cost_center'] IS NULL`;
      expectMoney(
        namedBy('tag:cost_center', groups).find(({ name }) => name === null)?.cost,
        await exports.sum(`${untagged} AND ${days.lastMonth}`),
      );
    },
  },
  {
    ask: 'How do AWS, Azure and Google Cloud compare this year?',
    async answer({ call, exports }) {
      const args = { group_by: ['provider'], period: 'year_to_date' };
      const { groups } = await call<Breakdown>('get_cost_breakdown', args);
      expectRows(namedBy('provider', groups), await ranked(exports, 'provider', days.thisYear));
    },
  },
  {
    ask: 'Which day of the last 30 was the most expensive, what is a usual day, and which service stood out?',
    async answer({ call, exports }) {
      interface Daily {
        average_daily_cost: number;
        highest_day: { date: string; cost: number };
        groups: Group[];
        days: { date: string; group_costs: number[]; other_cost: number }[];
      }
      const args = { period: 'last_30_days', group_by: 'service' };
      const daily = await call<Daily>('get_daily_costs', args);
      const [[date, cost] = ['', 0]] = await ranked(exports, 'CAST(day AS VARCHAR)', days.last30Complete);
      expect(daily.highest_day.date).toBe(date);
      expectMoney(daily.highest_day.cost, cost);
      const complete = await exports.sum(days.last30Complete);
      expectMoney(daily.average_daily_cost, complete / 30);
      const services = new Map(await ranked(exports, 'service', `day = '${date}'`));
      const highest = daily.days.find((day) => day.date === date);
      for (const [at, { name }] of daily.groups.entries())
        expectMoney(highest?.group_costs[at], services.get(name) ?? 0);
    },
  },
  {
    ask: 'How has spend developed over the last half year, and what drove the latest change?',
    async answer({ call, exports }) {
      interface Trend {
        months: { month: string; cost: number; partial: boolean }[];
        drivers: { month: string; change: number; groups: Group[] };
      }
      const { months, drivers } = await call<Trend>('get_cost_trend', { months: 7 });
      expect(months.map(({ month }) => month).at(0)).toBe('2026-05');
      for (const { month, cost } of months) expectMoney(cost, await exports.sum(`strftime(day, '%Y-%m') = '${month}'`));
      expect(months.filter(({ partial }) => partial).map(({ month }) => month)).toEqual(['2026-11']);
      const change = `CASE WHEN ${days.lastMonth} THEN usd ELSE -usd END`;
      const [moved] = await exports.rows(`
        SELECT service, CAST(sum(${change}) AS DOUBLE) AS change FROM lines WHERE ${days.lastMonth} OR ${days.monthBefore}
        GROUP BY provider, service ORDER BY abs(sum(${change})) DESC LIMIT 1`);
      expect(drivers).toMatchObject({
        month: '2026-10',
        groups: [{ name: moved?.['service'] }, ...drivers.groups.slice(1)],
      });
      expectMoney(drivers.groups[0]?.change, Number(moved?.['change']));
      expectMoney(drivers.change, (await exports.sum(days.lastMonth)) - (await exports.sum(days.monthBefore)));
    },
  },
  {
    ask: 'What did Microsoft invoice us for October?',
    async answer({ call, exports }) {
      const args = { provider: ['azure'], cost_metric: 'billed', start_date: '2026-10-01', end_date: '2026-10-31' };
      const { total_cost } = await call<Summary>('get_cost_summary', args);
      expectMoney(total_cost, await exports.sum(`provider = 'azure' AND ${days.lastMonth}`, 'billed * factor'));
    },
  },
  {
    ask: 'What did the language models in Sweden cost in the second week of November?',
    async answer({ call, exports }) {
      const where = { service: ['Azure OpenAI'], region: ['swedencentral'] };
      const args = { ...where, start_date: '2026-11-08', end_date: '2026-11-14' };
      const { total_cost } = await call<Summary>('get_cost_summary', args);
      const week = `day BETWEEN '2026-11-08' AND '2026-11-14'`;
      expectMoney(total_cost, await exports.sum(`service = 'Azure OpenAI' AND region = 'swedencentral' AND ${week}`));
    },
  },
];
