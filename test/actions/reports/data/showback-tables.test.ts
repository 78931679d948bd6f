import { expect, it } from 'vitest';
import {
  monthTable,
  valueTable,
  type Months,
  type ReadCosts,
} from '../../../../src/actions/reports/data/showback-tables.ts';

it('shows no change from or to a month with a missing bill or costs without an exchange rate in a showback', async () => {
  const costs = { '2026-03': 10, '2026-04': 20, '2026-05': 30, '2026-06': 60 };
  const months = {
    rows: [
      {
        keys: [{ value: 'web' }],
        points: Object.entries(costs).map(([month, cost]) => ({ date: `${month}-01`, cost })),
      },
    ],
    other: { count: 0 },
    currency: 'USD',
    startDate: '2026-03-01',
    endDate: '2026-06-30',
    dataFrom: '2026-01-01',
  };
  const changesOf = async (unconvertedMonths: readonly string[], missing: readonly string[] = []) => {
    const missingBills = missing.map((month) => ({ month }));
    const table = monthTable('team', { ...months, unconvertedMonths, missingBills } as unknown as Months, '2026-06-30');
    return (await Array.fromAsync(table.rows)).map((row) => row.at(-1));
  };
  expect(await changesOf([])).toEqual([null, 100, 50, 100]);
  expect(await changesOf(['2026-04'])).toEqual([null, null, null, 100]);
  expect(await changesOf([], ['2026-05'])).toEqual([null, 100, null, null]);
});

it('names the compared days in the columns of a showback', () => {
  const answer = {
    rows: [],
    other: { count: 0 },
    currency: 'USD',
    startDate: '2026-05-01',
    endDate: '2026-05-31',
    totalCost: 0,
  };
  const previous = { startDate: '2026-04-01', endDate: '2026-04-04', totalCost: 0, changePercent: null };
  const part = { total: 0, of: new Map<string, number>() };
  const labelsOf = (compared: object | null) =>
    valueTable('team', { answer, compared } as unknown as ReadCosts, { credits: part, tax: part, unused: part })
      .columns.slice(-2)
      .map(({ label }) => label);
  expect(labelsOf({ ...answer, previous })).toEqual(['Apr 1–4, 2026', 'Change']);
  expect(labelsOf({ ...answer, endDate: '2026-05-04', previous })).toEqual(['Apr 1–4, 2026', 'Change, May 1–4, 2026']);
  expect(labelsOf(null)).toEqual(['Previous period', 'Change']);
});
