import { afterAll, describe, expect, it } from 'vitest';
import { forecastPeriodOf } from '../../../src/analysis/forecast/run.ts';
import { readLedger } from '../../../src/facts/costs/ledger.ts';
import { closeThreads } from '../../../src/kit/process/threads.ts';
import { daysIn, type Day, type DayRange } from '../../../src/kit/time/period.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { charge, every, weekly } from './world.ts';

afterAll(closeThreads);

const organizationId = '01890000-0000-7000-8000-000000000001';
const one = '01890000-0000-7000-8000-00000000000a';

/** Forecasts a range from bills that are complete through a day. */
async function forecastOf(range: DayRange, { from, through, today }: { from: Day; through: Day; today: Day }) {
  const { pool } = await freshDatabase();
  const { engine, factStore } = factWorld();
  const lines = every({ start: from, end: today }, (day) => (day <= through ? [charge(one, day, weekly(day))] : []));
  const accounts = [{ id: one, name: 'One', completeThrough: through }];
  await fillCube({ pool, factStore }, { organizationId, currency: 'USD', accounts, lines, rates: [], identifiers: [] });
  const ledger = await readLedger(pool, orgScope(organizationId, null));
  const asked = {
    accountIds: null,
    providers: null,
    services: null,
    costMetric: 'effective',
    currency: 'USD',
  } as const;
  return forecastPeriodOf({ pool, engine }, ledger, { ...asked, range, today, lane: 'request' });
}

const sumOf = (range: DayRange) => daysIn(range).reduce((sum, day) => sum + weekly(day), 0);

describe('the forecast of a quarter or year', () => {
  it('adds the remaining days to the spend to date', async () => {
    const quarter = { start: '2026-10-01', end: '2027-01-01' } as const;
    const known = { from: '2025-09-01', through: '2026-11-19', today: '2026-11-21' } as const;
    const { forecast, historyTo } = await forecastOf(quarter, known);
    expect(historyTo).toBe('2026-11-19');
    expect(forecast).toBeCloseTo(sumOf(quarter), 0);
  });

  it('reaches further than the 60 days of the forecast page', async () => {
    const year = { start: '2026-01-01', end: '2027-01-01' } as const;
    const { forecast } = await forecastOf(year, { from: '2025-03-01', through: '2026-02-08', today: '2026-02-10' });
    const error = Math.abs((forecast ?? 0) - sumOf(year)) / sumOf(year);
    expect(error).toBeLessThan(0.02);
  });

  it('is null if the bills ended months ago', async () => {
    const year = { start: '2026-01-01', end: '2027-01-01' } as const;
    const { forecast } = await forecastOf(year, { from: '2025-03-01', through: '2026-04-30', today: '2026-08-10' });
    expect(forecast).toBeNull();
  });
});
