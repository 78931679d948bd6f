import type { Deps } from '../../src/kit/deps.ts';
import type { Day } from '../../src/kit/time/period.ts';
import { monthOf } from '../../src/kit/time/period.ts';
import { fillCube, type CubeWorld, type ExchangeRateRow, type LineItem } from './cube.ts';

/** A short form of a charge: an amount in its currency, on a day, of an account. */
export interface Charge extends Partial<Omit<LineItem, 'billed' | 'effective' | 'list' | 'contracted'>> {
  readonly account: string;
  readonly date: Day;
  /** Decimal. */
  readonly cost: string;
}

/** The line of a bill for a charge, with the same amount for all costs by default. */
function lineOf({ cost, ...more }: Charge): LineItem {
  const amount = units(cost);
  return {
    billingPeriod: monthOf(more.date),
    provider: 'aws',
    currency: 'USD',
    category: 'usage',
    service: 'Amazon Elastic Compute Cloud',
    serviceCategory: 'Compute',
    region: 'eu-west-1',
    subAccount: '111',
    tags: {},
    billed: amount,
    effective: amount,
    list: amount,
    contracted: amount,
    ...more,
  };
}

/** A decimal in units of 10^-12. */
function units(decimal: string): bigint {
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d{1,12}))?$/.exec(decimal) ?? [];
  if (whole === undefined) throw new Error(`Not a decimal: ${decimal}`);
  const magnitude = BigInt(whole + (fraction ?? '').padEnd(12, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

/** Replaces the bills of an organization's accounts, like a sync of all of them. */
export async function bill(
  deps: Pick<Deps, 'pool'> & Partial<Pick<Deps, 'factStore'>>,
  organizationId: string,
  bills: {
    readonly charges: readonly Charge[];
    readonly completeThrough: Readonly<Record<string, Day | null>>;
    readonly rates?: readonly ExchangeRateRow[];
  },
): Promise<void> {
  const accounts = Object.entries(bills.completeThrough);
  const lines = bills.charges.map(lineOf);
  const world: CubeWorld = {
    organizationId,
    currency: 'USD',
    accounts: accounts.map(([id, completeThrough]) => ({ id, name: id, completeThrough })),
    lines,
    rates: bills.rates ?? [],
    identifiers: [],
  };
  const { pool } = deps;
  for (const table of ['cost_rollups', 'billing_periods'])
    await pool.query(`DELETE FROM ${table} WHERE organization_id = $1`, [organizationId]);
  await fillCube(deps, world);
  for (const [id, completeThrough] of accounts) {
    const days = lines
      .filter(({ account }) => account === id)
      .map(({ date }) => date)
      .sort();
    await pool.query(
      `UPDATE accounts SET version = version + 1, complete_through = $2, data_from = $3, data_to = $4 WHERE id = $1`,
      [id, completeThrough, days[0] ?? null, days.at(-1) ?? null],
    );
  }
}
