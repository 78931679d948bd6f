import { expect, it } from 'vitest';
import { lastDays } from '../../../src/facts/allocation/coverage.ts';
import type { CostAccount, Ledger } from '../../../src/facts/costs/ledger.ts';
import type { Day } from '../../../src/kit/time/period.ts';

const ledgerOf = (...completeThrough: readonly (Day | null)[]) =>
  ({
    accounts: completeThrough.map((day) => ({ isConnected: true, completeThrough: day }) as CostAccount),
  }) as Partial<Ledger> as Ledger;

it.each([
  ['of all accounts', ledgerOf('2026-11-19', '2026-11-15', null), '2026-10-17', '2026-11-16'],
  ['without stopped accounts', ledgerOf('2026-11-19', '2026-11-01', '2025-01-31'), '2026-10-21', '2026-11-20'],
  ['of bills that all ended long ago', ledgerOf('2026-08-31', '2026-02-28'), '2026-08-02', '2026-09-01'],
  ['up to today without bills', ledgerOf(null), '2026-10-23', '2026-11-22'],
])('measures the coverage of virtual tags over the last 30 complete days %s', (_, ledger, start, end) => {
  expect(lastDays(ledger, '2026-11-21').range).toEqual({ start, end });
});
