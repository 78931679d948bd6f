import { afterAll, describe, expect, it } from 'vitest';
import { forecastMonthOf, type MonthRequest } from '../../../src/analysis/forecast/run.ts';
import { readLedger } from '../../../src/facts/costs/ledger.ts';
import { parseAmount } from '../../../src/kit/money.ts';
import { daysIn, type Day } from '../../../src/kit/time/period.ts';
import { closeThreads } from '../../../src/kit/process/threads.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube, type CubeAccount, type CubeWorld, type LineItem } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { charge, every, weekly } from './world.ts';

afterAll(closeThreads);

const organizationId = '01890000-0000-7000-8000-000000000001';
const one = '01890000-0000-7000-8000-00000000000a';
const two = '01890000-0000-7000-8000-00000000000b';
const all = orgScope(organizationId, null);
const accountOne: CubeAccount = { id: one, name: 'One', completeThrough: '2026-11-19' };
const start = '2025-09-01';

const asked: MonthRequest = {
  accountIds: null,
  providers: null,
  services: null,
  costMetric: 'effective',
  currency: 'USD',
  today: '2026-11-21',
  lane: 'request',
};

async function forecastMonth(deps: Parameters<typeof forecastMonthOf>[0], scope: OrgScope, request: MonthRequest) {
  return forecastMonthOf(deps, await readLedger(deps.pool, scope), request);
}

async function billed(lines: readonly LineItem[], more: Partial<CubeWorld> = {}) {
  const { pool } = await freshDatabase();
  const { engine, factStore } = factWorld();
  await fillCube(
    { pool, factStore },
    {
      organizationId,
      currency: 'USD',
      accounts: [accountOne],
      lines,
      rates: [],
      identifiers: [],
      ...more,
    },
  );
  return { pool, engine };
}

const sumOf = (from: Day, end: Day, costOf: (day: Day) => number) =>
  daysIn({ start: from, end }).reduce((sum, day) => sum + costOf(day), 0);

const year = every({ start, end: '2026-11-20' }, (day) => [charge(one, day, weekly(day))]);

describe('the forecast of a month', () => {
  it('adds the forecast of the remaining days to the spend to date', async () => {
    const said = await forecastMonth(await billed(year), all, asked);
    expect(said).toEqual({
      month: '2026-11',
      spendToDate: parseAmount(String(sumOf('2026-11-01', '2026-11-20', weekly))),
      forecast: expect.closeTo(sumOf('2026-11-01', '2026-12-01', weekly), 2),
      historyTo: '2026-11-19',
      lowHistory: false,
    });
  });

  it('uses the larger of bill and forecast for an incomplete day', async () => {
    const partly = [charge(one, '2026-11-20', 30), charge(one, '2026-11-21', 900), charge(one, '2026-11-25', 70)];
    const { spendToDate, forecast } = await forecastMonth(await billed([...year, ...partly]), all, asked);
    expect(spendToDate).toBe(parseAmount(String(sumOf('2026-11-01', '2026-11-20', weekly) + 1000)));
    // The 21st is a Saturday.
    expect(forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly) + 850, 2);
  });

  it("uses the previous month's history on the first days", async () => {
    const october = every({ start, end: '2026-10-31' }, (day) => [charge(one, day, weekly(day))]);
    const world = { accounts: [{ ...accountOne, completeThrough: '2026-10-30' as const }] };
    const said = await forecastMonth(await billed(october, world), all, { ...asked, today: '2026-11-01' });
    expect(said).toMatchObject({ month: '2026-11', spendToDate: 0n, historyTo: '2026-10-30' });
    expect(said.forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly), 2);
  });

  it('equals the actual cost of a complete month', async () => {
    const world = { accounts: [{ ...accountOne, completeThrough: '2026-12-01' as const }] };
    const lines = every({ start, end: '2026-12-02' }, (day) => [charge(one, day, weekly(day))]);
    const { forecast } = await forecastMonth(await billed(lines, world), all, { ...asked, today: '2026-11-30' });
    expect(forecast).toBe(sumOf('2026-11-01', '2026-12-01', weekly));
  });

  it('has 29 days in a February of a leap year', async () => {
    const lines = every({ start: '2027-06-01', end: '2028-02-11' }, (day) => [charge(one, day, 10)]);
    const world = { accounts: [{ ...accountOne, completeThrough: '2028-02-10' as const }] };
    const { forecast } = await forecastMonth(await billed(lines, world), all, { ...asked, today: '2028-02-12' });
    expect(forecast).toBeCloseTo(290, 3);
  });

  it('includes past costs of disconnected accounts, and no future ones', async () => {
    const gone = { id: two, name: 'Two', completeThrough: '2026-11-05', status: 'disconnected' } as const;
    const lines = [...year, ...every({ start: '2026-08-01', end: '2026-11-06' }, (day) => [charge(two, day, 40)])];
    const { forecast } = await forecastMonth(await billed(lines, { accounts: [accountOne, gone] }), all, asked);
    expect(forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly) + 200, 2);
  });

  it('is null when bills ended months ago or do not exist', async () => {
    const old = { accounts: [{ ...accountOne, completeThrough: '2026-08-31' as const }] };
    const lines = every({ start, end: '2026-09-01' }, (day) => [charge(one, day, 10)]);
    expect(await forecastMonth(await billed(lines, old), all, asked)).toMatchObject({
      spendToDate: 0n,
      forecast: null,
      historyTo: '2026-08-31',
    });
    const nobody = orgScope(organizationId, []);
    expect(await forecastMonth(await billed(year), nobody, asked)).toMatchObject({ forecast: null, historyTo: null });
  });

  it('flags low history', async () => {
    const lines = every({ start: '2026-11-10', end: '2026-11-20' }, (day) => [charge(one, day, 10)]);
    expect(await forecastMonth(await billed(lines), all, asked)).toMatchObject({ forecast: 210, lowHistory: true });
  });

  it('converts each month with its own exchange rate', async () => {
    const months = ['2026-07', '2026-08', '2026-09', '2026-10', '2026-11'] as const;
    const rates = months.map((month) => ({ month, from: 'USD', to: 'EUR', rate: 500_000_000_000n }));
    const { forecast } = await forecastMonth(await billed(year, { rates }), all, { ...asked, currency: 'EUR' });
    expect(forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly) / 2, 1);
  });

  it('carries the last rate into the current month when it has none yet', async () => {
    const months = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'] as const;
    const rates = months.map((month) => ({ month, from: 'USD', to: 'EUR', rate: 500_000_000_000n }));
    const said = await forecastMonth(await billed(year, { rates }), all, { ...asked, currency: 'EUR' });
    expect(Number(said.spendToDate) / 1e24).toBeCloseTo(sumOf('2026-11-01', '2026-11-20', weekly) / 2, 1);
    expect(said.forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly) / 2, 1);
  });

  it('treats a missing bill as unknown, not as zero', async () => {
    const holed = year.filter(({ billingPeriod }) => billingPeriod !== '2026-10' && billingPeriod !== '2026-08');
    const { forecast } = await forecastMonth(await billed(holed), all, asked);
    expect(forecast).toBeCloseTo(sumOf('2026-11-01', '2026-12-01', weekly), 1);
  });

  it('expects the full cost of an account from the day it was connected', async () => {
    const newer: CubeAccount = { id: two, name: 'Two', completeThrough: '2026-11-19' };
    const lines = [...year, ...every({ start: '2026-11-16', end: '2026-11-20' }, (day) => [charge(two, day, 50)])];
    const { forecast } = await forecastMonth(await billed(lines, { accounts: [accountOne, newer] }), all, asked);
    const expected = sumOf('2026-11-01', '2026-12-01', weekly) + 15 * 50;
    expect(forecast).toBeGreaterThan(0.95 * expected);
    expect(forecast).toBeLessThan(1.05 * expected);
  });

  it('filters by service, tag and account', async () => {
    const lines = every({ start, end: '2026-11-20' }, (day) => [
      charge(one, day, 10, { service: 'Storage' }),
      charge(one, day, 20, { tags: { team: 'red' } }),
      charge(two, day, 40),
    ]);
    const accounts = [accountOne, { id: two, name: 'Two', completeThrough: '2026-11-19' as const }];
    const deps = await billed(lines, { accounts });
    const ledger = await readLedger(deps.pool, all);
    const of = async (more: Partial<MonthRequest>) =>
      (await forecastMonthOf(deps, ledger, { ...asked, ...more })).forecast;
    expect(await of({ services: ['Storage'] })).toBeCloseTo(300, 3);
    expect(await of({ tag: { key: 'team', carried: 'yes', values: ['red'] } })).toBeCloseTo(600, 3);
    expect(await of({ accountIds: [two] })).toBeCloseTo(1200, 3);
    expect((await forecastMonth(deps, orgScope(organizationId, [one]), asked)).forecast).toBeCloseTo(900, 3);
  });
});
