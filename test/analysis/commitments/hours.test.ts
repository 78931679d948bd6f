import { describe, expect, it } from 'vitest';
import { evaluateAccount } from '../../../src/analysis/evaluation/run.ts';
import { idOf } from '../../../src/engine/codebook.ts';
import type { CoveragePlanner } from '../../../src/analysis/commitments/graphql-types.ts';
import { costOf } from '../../../src/analysis/commitments/quantile.ts';
import { excludeUsage, pageGaps, readPlanner } from '../../../src/analysis/commitments/run.ts';
import { prepareHistory, refreshCoverage } from '../../../src/facts/coverage/run.ts';
import { addDays, daysIn, monthOf, type Day, type DayRange } from '../../../src/kit/time/period.ts';
import { billsOfFile, testNow, type Bills } from '../../ingest/world.ts';
import { aLine, type FocusRow } from '../../support/focus.ts';
import { writeFacts, type FactRow } from '../../support/facts.ts';
import { noQueue } from '../../support/jobs.ts';
import { readFacts } from '../../support/read-facts.ts';

// Runs hourly and daily bills from files to plans. The expected values are computed from the rows.

const bills = billsOfFile();
const clock = { now: () => testNow };
/** The planner's 60 days, ending before the two incomplete ones. */
const history: DayRange = { start: '2026-06-10', end: '2026-08-09' };
const price = 0.5;

type Hours = (day: Day) => readonly number[];

const allDay: Hours = () => Array.from({ length: 24 }, (_, hour) => hour);
const isWeekday = (day: Day) => ![0, 6].includes(new Date(day).getUTCDay());
const hoursOf = (first: number, end: number) => allDay('2026-01-01').slice(first, end);
const office: Hours = (day) => (isWeekday(day) ? hoursOf(8, 18) : []);

/** A machine's line for a number of hours from a given one. */
function usage(day: Day, resource: string, { hour = 0, hours = 1 }, more: FocusRow = {}): FocusRow {
  return aLine({
    day,
    cost: String(price * hours),
    ChargePeriodStart: `${day}T${String(hour).padStart(2, '0')}:00:00Z`,
    ServiceName: 'Amazon Elastic Compute Cloud',
    SkuId: 'm5.large',
    SkuMeter: 'EU-BoxUsage:m5.large',
    ConsumedUnit: 'Hours',
    PricingUnit: 'Hours',
    ConsumedQuantity: String(hours),
    PricingQuantity: String(hours),
    ResourceId: resource,
    ...more,
  });
}

/** Machines that run the same hours every day, with one line per hour. */
function machines(name: string, count: number, hours: Hours, more: FocusRow = {}): FocusRow[] {
  return daysIn(history).flatMap((day) =>
    Array.from({ length: count }, (_, index) => index).flatMap((index) =>
      hours(day).map((hour) => usage(day, `${name}-${index}`, { hour }, more)),
    ),
  );
}

const savingsPlan: FocusRow = {
  EffectiveCost: String(price * 0.7),
  PricingCategory: 'Committed',
  CommitmentDiscountId: 'sp-1',
  CommitmentDiscountStatus: 'Used',
  CommitmentDiscountCategory: 'Spend',
  CommitmentDiscountType: 'Savings Plan',
};

async function billed(rows: readonly FocusRow[]): Promise<Bills> {
  const account = await bills();
  await account.put('bill.csv', [...rows, usage(addDays(history.end, 1), 'last', {})], { columns });
  await account.sync();
  await refreshCoverage(account.deps, account.scope, account.accountId);
  return account;
}

const columns = [
  'Tags',
  'ResourceName',
  ...Object.keys(usage('2026-06-10', '', {})),
  ...Object.keys(savingsPlan).filter((name) => name !== 'EffectiveCost' && name !== 'PricingCategory'),
];

async function planOf({ deps, scope }: Bills): Promise<CoveragePlanner['recommendations']> {
  return (await readPlanner({ ...deps, clock }, scope, {})).recommendations;
}

/** The potential savings of each gap. */
async function gapsOf(account: Bills): Promise<number[]> {
  const deps = { ...account.deps, clock };
  const prepared = await prepareHistory(deps, account.scope, {});
  const { rows } = await pageGaps(deps, prepared, { sortBy: null, skip: 0, take: 10 });
  return rows.map((gap) => gap.estimatedMonthlySavings);
}

/** Replaces an account's facts with the same facts without hours. */
async function forgetHours({ deps, scope: { organizationId }, accountId }: Bills): Promise<void> {
  const rows = await readFacts<FactRow & { BillingPeriodStart: Day }>(deps, accountId, 'SELECT * FROM facts');
  for (const [month, facts] of Map.groupBy(rows, (row) => monthOf(row.BillingPeriodStart))) {
    const hourless = facts.map((row) => ({ ...row, x_StartHours: 0 }));
    await writeFacts(deps, { organizationId, accountId, month, rows: hourless });
  }
}

/** On-demand cost of each hour of the history, computed from the rows. */
function onDemand(rows: readonly FocusRow[]): number[] {
  const hours = new Map(daysIn(history).flatMap((day) => hoursOf(0, 24).map((hour) => [`${day} ${hour}`, 0])));
  for (const row of rows.filter(({ PricingCategory }) => PricingCategory === 'Standard')) {
    const start = row['ChargePeriodStart'] ?? '';
    const key = `${start.slice(0, 10)} ${Number(start.slice(11, 13))}`;
    hours.set(key, (hours.get(key) ?? 0) + Number(row['EffectiveCost']));
  }
  return [...hours.values()];
}

/** Monthly savings of a commitment level over the actual hours. */
function savedBy(hours: readonly number[], level: number, discount: number): number {
  return ((costOf(hours, 0, 0) - costOf(hours, level, discount)) / hours.length) * 730.5;
}

describe('an hourly bill', () => {
  it.each<[string, () => FocusRow[]]>([
    ['a nightly batch', () => machines('batch', 10, () => hoursOf(1, 5))],
    [
      'a batch of one hour at midnight',
      () => [...machines('batch', 10, () => [0]), ...machines('lunch', 1, () => hoursOf(9, 14))],
    ],
    [
      'the peak of the office above a savings plan that is used in full',
      () => [...machines('base', 4, allDay, savingsPlan), ...machines('office', 6, office)],
    ],
  ])('gets no recommendation for %s, unlike a daily bill', async (_what, rows) => {
    const account = await billed(rows());
    expect(await planOf(account)).toEqual([]);
    expect(await gapsOf(account)).toEqual([0]);
    await forgetHours(account);
    await account.pool.query('DELETE FROM coverage_periods WHERE account_id = $1', [account.accountId]);
    expect(await planOf(account)).not.toEqual([]);
  });

  it('gets the best commitment for its hours with mixed office and constant usage', async () => {
    const rows = [
      ...machines('base', 3, allDay),
      ...machines('office', 8, office),
      ...machines('late', 2, () => hoursOf(6, 22)),
    ];
    const hours = onDemand(rows);
    const account = await billed(rows);
    const plans = await planOf(account);
    expect(plans.map(({ termMonths }) => termMonths)).toEqual([12, 12, 12, 36, 36, 36]);
    for (const plan of plans) {
      const discount = plan.discountPercent / 100;
      const best = Math.max(...hours.map((level) => savedBy(hours, level, discount)));
      expect(savedBy(hours, plan.hourlyCommitment / (1 - discount), discount)).toBeGreaterThan(best * 0.98);
      expect(plan.estimatedMonthlySavings / best).toBeCloseTo(1, 2);
      expect(plan.hourlyPercent).toBe(100);
    }
    const [savings] = await gapsOf(account);
    expect(savings).toBeGreaterThan(0);
  });

  it('spreads lines of a whole day over the day, and gives the same result without precomputed sums', async () => {
    const days = daysIn(history).map((day) => usage(day, 'daily', { hours: 24 }));
    const account = await billed([...days, ...machines('batch', 4, () => hoursOf(1, 5))]);
    const plans = await planOf(account);
    expect(plans[0]).toMatchObject({ hourlyCommitment: price * 0.73, expectedUtilizationPercent: 100 });
    await account.pool.query('DELETE FROM coverage_periods WHERE account_id = $1', [account.accountId]);
    expect(await planOf(account)).toEqual(plans);
  });

  it('assumes varying usage where one resource id stands for several machines', async () => {
    const shared = (count: number): FocusRow => {
      return { ResourceId: null, ConsumedQuantity: String(count), EffectiveCost: String(count * price) };
    };
    const even = await planOf(await billed(machines('group', 1, allDay, shared(3))));
    expect(even[0]).toMatchObject({ hourlyCommitment: price * 3 * 0.73, hourlyPercent: 100 });
    const some = await planOf(await billed(machines('group', 1, allDay, shared(2.7))));
    expect(some[0]?.hourlyPercent).toBe(0);
    expect(some[0]?.hourlyCommitment).toBeLessThan(price * 2.7 * 0.73 * 0.8);
  });
});

describe('usage with an open recommendation to end it', () => {
  const dev = 'arn:aws:ec2:us-east-1:111:instance/i-0dev';
  const rows = () => [
    ...machines('base', 3, allDay),
    ...daysIn(history).flatMap((day) =>
      allDay(day).map((hour) => usage(day, dev, { hour }, { Tags: '{"env":"dev"}', ResourceName: 'dev' })),
    ),
  ];
  const evaluate = async ({ deps, scope, accountId }: Bills) =>
    evaluateAccount({ ...deps, clock, queue: noQueue }, scope, accountId);

  it('is excluded from plans while the recommendation is open or in progress', async () => {
    const account = await billed(rows());
    expect((await planOf(account))[0]).toMatchObject({ hourlyCommitment: price * 4 * 0.73, flaggedCostPerHour: 0 });
    await evaluate(account);
    const without = { hourlyCommitment: price * 3 * 0.73, flaggedCostPerHour: price, onDemandCostPerHour: price * 4 };
    expect((await planOf(account))[0]).toMatchObject(without);
    const become = async (status: string) => {
      await account.pool.query(
        `UPDATE recommendations SET status = $2::recommendation_status, status_changed_by_id = gen_random_uuid() WHERE account_id = $1 AND type = 'aws_nonprod_schedule'`,
        [account.accountId, status],
      );
      await evaluate(account);
    };
    await become('in_progress');
    expect((await planOf(account))[0]).toMatchObject(without);
    await become('archived');
    expect((await planOf(account))[0]).toMatchObject({ hourlyCommitment: price * 4 * 0.73, flaggedCostPerHour: 0 });
  });

  it('is excluded from daily bills, too, and only for accounts in scope', async () => {
    const days = (name: string) => daysIn(history).map((day) => usage(day, name, { hours: 24 }));
    const account = await billed([...days('one'), ...days('two')]);
    const ids = [idOf('aws', 'two')];
    const other = await billed(days('two'));
    await excludeUsage(account.deps, other.scope, account.accountId, ids);
    expect((await planOf(account))[0]).toMatchObject({ flaggedCostPerHour: 0 });
    await excludeUsage(account.deps, account.scope, account.accountId, ids);
    expect((await planOf(account))[0]).toMatchObject({ hourlyCommitment: price * 0.73, flaggedCostPerHour: price });
    expect((await planOf(other))[0]).toMatchObject({ hourlyCommitment: price * 0.73, flaggedCostPerHour: 0 });
    await excludeUsage(account.deps, account.scope, account.accountId, []);
    expect((await planOf(account))[0]).toMatchObject({ hourlyCommitment: price * 2 * 0.73, flaggedCostPerHour: 0 });
  });
});

describe('a daily bill', () => {
  const days = (start: string, hours: number) =>
    daysIn(history).map((day) => usage(day, 'machine', { hours }, { ChargePeriodStart: `${day}T${start}` }));

  it.each([
    ['in UTC', '00:00:00Z'],
    ['in its own time zone', '00:00:00-07:00'],
  ])('contains no hours %s', async (_zone, start) => {
    const [steady] = await planOf(await billed(days(start, 24)));
    expect(steady).toMatchObject({ hourlyCommitment: price * 0.73, hourlyPercent: 0 });
    const [unsteady] = await planOf(await billed(days(start, 12)));
    expect(unsteady?.hourlyCommitment).toBeLessThan((price / 2) * 0.73);
    expect(unsteady).toMatchObject({ hourlyPercent: 0 });
  });

  it('can be followed by an hourly bill', async () => {
    const isDaily = ({ ChargePeriodStart: start }: FocusRow) => (start ?? '') < '2026-07-01';
    const hourly = machines('machine', 1, allDay).filter((row) => !isDaily(row));
    const [plan] = await planOf(await billed([...days('00:00:00Z', 24).filter(isDaily), ...hourly]));
    // 21 of 60 days have no hours.
    expect(plan).toMatchObject({ hourlyCommitment: price * 0.73, hourlyPercent: 65, historyDays: 60 });
  });
});
