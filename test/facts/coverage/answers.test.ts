import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../support/cube.ts';
import type { gapSortFields } from '../../../src/analysis/commitments/gaps.ts';
import { pageGaps, readPlanner } from '../../../src/analysis/commitments/run.ts';
import { prepareCoverage, prepareHistory, readDaily, readSplit } from '../../../src/facts/coverage/run.ts';
import { addDays, type Day, type DayRange } from '../../../src/kit/time/period.ts';
import type { SortBy } from '../../../src/kit/sort.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube, type CubeAccount } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { aCharge, accountId, aWorldOf, covered, daily, organizationId } from './world.ts';

const ec2 = 'Amazon Elastic Compute Cloud';
const rdsName = 'Amazon Relational Database Service';
const scope = orgScope(organizationId, null);
const clock = { now: () => new Date('2026-11-21T12:00:00Z') };
const range = { start: '2026-09-20', end: '2026-11-19' } satisfies DayRange;

async function billed(lines: readonly LineItem[], more: Partial<CubeAccount> = {}) {
  const deps = { pool: (await freshDatabase()).pool, clock, ...factWorld() };
  await fillCube(deps, aWorldOf(lines, range, more));
  return deps;
}

describe('coverage', () => {
  it('counts on-demand usage whose meter is not one of the provider, and reports unrecognized usage', async () => {
    const rds = 'Amazon Relational Database Service';
    const deps = await billed([
      aCharge('2026-11-02', 0, { ...covered(60, 100, 4, 'sp'), meter: 'Compute Usage' }),
      aCharge('2026-11-02', 50, { meter: 'Compute Usage' }),
      aCharge('2026-11-02', 30, { meter: 'Database hours', service: rds, serviceCategory: 'Databases' }),
      aCharge('2026-11-02', 20, { meter: 'Metered usage', service: 'AWS Lambda' }),
      aCharge('2026-11-02', 9, { meter: 'Block Volume Usage' }),
    ]);
    const prepared = await prepareCoverage(deps, scope, {});
    const { split, ...coverage } = await readSplit(deps, prepared);
    expect(coverage).toMatchObject({ coveragePercent: 50, eligibleCost: 200, coveredCost: 100, unrecognizedCost: 20 });
    expect(split.find(({ kind }) => kind === 'on_demand')).toMatchObject({ cost: 100 });
    const { rows } = await pageGaps(deps, prepared, { sortBy: null, skip: 0, take: 9 });
    expect(rows.map(({ service, onDemandCost }) => `${service} ${onDemandCost}`).toSorted()).toEqual([
      'AWS Lambda 20',
      'Amazon Elastic Compute Cloud 50',
      `${rds} 30`,
    ]);
  });

  it('is weighted by on-demand cost, and counts unused commitments as commitment cost', async () => {
    const deps = await billed([
      aCharge('2026-11-02', 30),
      aCharge('2026-11-02', 0, covered(50.4, 70, 4, 'sp')),
      aCharge('2026-11-02', 0, covered(12, 20, 3, 'ri')),
      aCharge('2026-11-02', 3.6, { pricingKind: 7, commitment: 'sp', meter: '' }),
      aCharge('2026-11-02', 4, { pricingKind: 6, commitment: 'ri', meter: '' }),
      aCharge('2026-11-02', 5, { pricingKind: 2, meter: 'EU-SpotUsage:m5.large' }),
      aCharge('2026-11-02', 7, { meter: 'EU-DataTransfer-Out-Bytes' }),
      aCharge('2026-11-02', 0, { category: 'purchase', pricingKind: 5, billed: 10n ** 14n }),
      aCharge('2026-11-02', 8, { category: 'tax', pricingKind: 5 }),
    ]);
    expect(await readSplit(deps, await prepareCoverage(deps, scope, {}))).toEqual({
      startDate: '2026-10-20',
      endDate: '2026-11-18',
      currency: 'USD',
      completeThrough: '2026-11-18',
      unconverted: [],
      provisionalRates: [],
      missingBills: [],
      totalCost: 120,
      eligibleCost: 120,
      coveredCost: 90,
      unrecognizedCost: 0,
      split: [
        { kind: 'reserved', cost: 16, percentage: 13.33 },
        { kind: 'savings_plan', cost: 54, percentage: 45 },
        { kind: 'spot', cost: 5, percentage: 4.17 },
        { kind: 'on_demand', cost: 30, percentage: 25 },
        { kind: 'other', cost: 15, percentage: 12.5 },
      ],
      coveragePercent: 75,
      // 50.4 + 12 of 70.
      utilizationPercent: 89.14,
      unusedCommitmentCost: 7.6,
    });
  });

  it.each([
    [20, -10, 100],
    [-10, 20, 0],
  ])('stays between 0 and 100% despite corrections', async (onPlan, onDemand, percent) => {
    const deps = await billed([
      aCharge('2026-11-02', 0, covered(onPlan, onPlan, 4, 'sp')),
      aCharge('2026-11-02', onDemand),
    ]);
    const coverage = await readSplit(deps, await prepareCoverage(deps, scope, {}));
    expect(coverage.coveragePercent).toBe(percent);
    const { days } = await readDaily(deps, await prepareHistory(deps, scope, {}));
    expect(days.find(({ date }) => date === '2026-11-02')?.coveragePercent).toBe(percent);
    const { rows } = await pageGaps(deps, await prepareCoverage(deps, scope, {}), { sortBy: null, skip: 0, take: 1 });
    expect(rows[0]?.coveragePercent).toBe(percent);
  });

  it('is null if nothing is eligible', async () => {
    const deps = await billed([aCharge('2026-11-02', 7, { meter: 'EU-EBS:VolumeUsage.gp3' })]);
    expect(await readSplit(deps, await prepareCoverage(deps, scope, {}))).toMatchObject({
      totalCost: 7,
      eligibleCost: 0,
      coveragePercent: null,
      utilizationPercent: null,
      unusedCommitmentCost: 0,
    });
  });

  it.each([
    [ec2, '$0.107 per On Demand Linux m5.large Instance Hour', 30],
    [ec2, '$0.048 per NAT Gateway Hour', 0],
    [ec2, '$0.05 per vCPU-Hour of T3 CPU credits', 0],
    [rdsName, 'USD 0.023 per db.t3.micro Single-AZ instance hour (or partial hour) running MySQL', 30],
    [rdsName, 'USD 0.10 per hour per vCPU running RDS Extended Support for MySQL 5.7 in Year 1', 0],
    [rdsName, '$0.06 per Aurora Capacity Unit hour running Amazon Aurora PostgreSQL Serverless v2', 0],
    [rdsName, '$0.015 per vCPU-hour of RDS Proxy', 0],
    ['Amazon Elastic Container Service', 'AWS Fargate - vCPU - US West 2 (Oregon)', 30],
    ['Amazon Elastic Container Service', 'AWS Fargate - Ephemeral Storage', 0],
  ])('without meters includes hourly instance usage of %s: %s', async (service, text, expected) => {
    const deps = await billed([aCharge('2026-11-02', 30, { service, meter: '', description: text })]);
    const { eligibleCost } = await readSplit(deps, await prepareCoverage(deps, scope, {}));
    expect(eligibleCost).toBe(expected);
  });

  it('is returned per day', async () => {
    const deps = await billed([aCharge('2026-11-02', 30), aCharge('2026-11-02', 0, covered(7, 10, 4, 'sp'))]);
    const { startDate, endDate, days } = await readDaily(deps, await prepareHistory(deps, scope, {}));
    expect([startDate, endDate, days.length]).toEqual(['2026-08-21', '2026-11-18', 90]);
    const parts = { reserved: 0, savingsPlan: 7, spot: 0, onDemand: 30, other: 0 };
    expect(days.filter(({ onDemand }) => onDemand > 0)).toEqual([
      { date: '2026-11-02', ...parts, coveragePercent: 25 },
    ]);
  });
});

describe('coverage gaps', () => {
  const lines = daily({ start: '2026-10-20', end: '2026-11-19' }, (day) => [
    aCharge(day, 48),
    aCharge(day, 0, { ...covered(17.52, 24, 4, 'sp'), region: 'eu-central-1' }),
    aCharge(day, 240, { region: 'us-east-1' }),
  ]);

  it('are sorted by estimated savings, the largest first', async () => {
    const deps = await billed(lines);
    const { rows, total } = await pageGaps(deps, await prepareCoverage(deps, scope, {}), {
      sortBy: null,
      skip: 0,
      take: 2,
    });
    const common = { provider: 'aws', service: 'Amazon Elastic Compute Cloud', currency: 'USD' };
    expect(total).toBe(3);
    // All usage runs all day, with a 27% discount: 10 per hour × 730.5 hours × 0.27, and 2 per hour.
    expect(rows).toEqual([
      {
        ...common,
        region: 'us-east-1',
        onDemandCost: 7200,
        coveredCost: 0,
        coveragePercent: 0,
        estimatedMonthlySavings: 1972.35,
      },
      {
        ...common,
        region: 'eu-west-1',
        onDemandCost: 1440,
        coveredCost: 0,
        coveragePercent: 0,
        estimatedMonthlySavings: 394.47,
      },
    ]);
  });

  it('are sorted by on-demand cost if there are no savings, so that covered usage comes last', async () => {
    const deps = await billed([
      aCharge('2026-11-02', 0, { ...covered(17.52, 24, 4, 'sp'), region: 'eu-central-1' }),
      aCharge('2026-11-02', 1, { region: 'eu-west-1' }),
      aCharge('2026-11-02', 2, { region: 'us-east-1' }),
    ]);
    const prepared = await prepareCoverage(deps, scope, {});
    const { rows } = await pageGaps(deps, prepared, { sortBy: null, skip: 0, take: 9 });
    expect(rows.map((row) => [row.region, row.onDemandCost, row.estimatedMonthlySavings])).toEqual([
      ['us-east-1', 2, 0],
      ['eu-west-1', 1, 0],
      ['eu-central-1', 0, 0],
    ]);
  });

  it('can be sorted', async () => {
    const deps = await billed(lines);
    const prepared = await prepareCoverage(deps, scope, {});
    const regions = async (sortBy: SortBy<typeof gapSortFields>) =>
      (await pageGaps(deps, prepared, { sortBy, skip: 0, take: 9 })).rows.map(({ region }) => region);
    expect(await regions('region')).toEqual(['eu-central-1', 'eu-west-1', 'us-east-1']);
    expect(await regions('-coverage_percent')).toEqual(['eu-central-1', 'us-east-1', 'eu-west-1']);
    expect(await regions('on_demand_cost')).toEqual(['eu-central-1', 'eu-west-1', 'us-east-1']);
  });

  it('are sorted by text case-insensitively', async () => {
    const regions = ['US-EAST-1', 'eu-west-1', 'ap-south-1'];
    const deps = await billed(regions.map((region) => aCharge('2026-11-02', 10, { region })));
    const prepared = await prepareCoverage(deps, scope, {});
    const { rows } = await pageGaps(deps, prepared, { sortBy: 'region', skip: 0, take: 9 });
    expect(rows.map(({ region }) => region)).toEqual(['ap-south-1', 'eu-west-1', 'US-EAST-1']);
  });
});

describe('planner', () => {
  const offers = async (deps: Awaited<ReturnType<typeof billed>>) =>
    (await readPlanner(deps, scope, {})).recommendations;

  it('covers constant usage, and returns costs and savings', async () => {
    const deps = await billed(daily(range, (day) => [aCharge(day, 240), aCharge(day, 5, { meter: 'EU-Other' })]));
    const found = await offers(deps);
    expect(found.map(({ termMonths, payment }) => `${termMonths} ${payment}`)).toEqual([
      '12 no_upfront',
      '12 partial_upfront',
      '12 all_upfront',
      '36 no_upfront',
      '36 partial_upfront',
      '36 all_upfront',
    ]);
    // 10 per hour with a 27% discount: 7.3 committed, 2.7 saved; with a fifth less usage, 0.7 remain.
    expect(found[0]).toEqual({
      accountId,
      accountName: 'One',
      provider: 'aws',
      kind: 'savings_plan',
      product: 'Compute Savings Plans',
      services: ['Amazon Elastic Compute Cloud'],
      region: null,
      family: null,
      termMonths: 12,
      payment: 'no_upfront',
      hourlyCommitment: 7.3,
      upfrontPayment: 0,
      monthlyPayment: 5332.65,
      currency: 'USD',
      estimatedMonthlySavings: 1972.35,
      savingsPercent: 27,
      expectedUtilizationPercent: 100,
      coverageAfterPercent: 100,
      breakEvenMonths: 8.8,
      sensitivity: { low: 511.35, high: 1972.35 },
      discountPercent: 27,
      discountMethod: 'documented',
      onDemandCostPerHour: 10,
      expiringCostPerHour: 0,
      flaggedCostPerHour: 0,
      historyDays: 60,
      hourlyPercent: 0,
    });
  });

  it('excludes covered usage, and derives the discount from it', async () => {
    const deps = await billed(daily(range, (day) => [aCharge(day, 240), aCharge(day, 0, covered(69.12, 96, 4, 'sp'))]));
    const [first] = await offers(deps);
    expect(first).toMatchObject({ hourlyCommitment: 7.2, discountPercent: 28, discountMethod: 'observed' });
    expect(first).toMatchObject({ onDemandCostPerHour: 10, expiringCostPerHour: 0, coverageAfterPercent: 100 });
  });

  it('includes usage of a commitment that ends within 90 days, but not a day later', async () => {
    const deps = await billed(daily(range, (day) => [aCharge(day, 0, covered(69.12, 96, 4, 'ARN:sp'))]));
    const listed = async (endsAt: string) => {
      await deps.pool.query(
        `INSERT INTO inventory_listings (account_id, resource_id, organization_id, provider, native_id, name, resource_type,
           service, region, tags, metadata, listed_at)
         VALUES ($1, 1, $2, 'aws', 'arn:SP', '', '', '', '', '{}', $3, now())
         ON CONFLICT (account_id, resource_id) DO UPDATE SET metadata = excluded.metadata`,
        [accountId, organizationId, { endsAt }],
      );
      return (await offers(deps))[0] ?? null;
    };
    expect(await offers(deps)).toEqual([]);
    // 90 days after November 21, 2026.
    expect(await listed('2027-02-20')).toBeNull();
    expect(await listed('2027-02-19T23:00:00Z')).toMatchObject({ hourlyCommitment: 2.88, expiringCostPerHour: 4 });
  });

  it('recommends reservations per region and family', async () => {
    const rds = (day: Day, size: string, dollars: number, region = 'eu-west-1') =>
      aCharge(day, dollars, {
        service: 'Amazon Relational Database Service',
        meter: `EU-InstanceUsage:${size}`,
        region,
      });
    const deps = await billed(
      daily(range, (day) => [
        rds(day, 'db.r6g.large', 24),
        rds(day, 'db.r6g.2xlarge', 96),
        rds(day, 'db.m5.large', 48),
        rds(day, 'db.m5.large', 72, 'us-east-1'),
      ]),
    );
    const oneYear = (await offers(deps)).filter(
      ({ payment, termMonths }) => payment === 'no_upfront' && termMonths === 12,
    );
    expect(oneYear.map(({ region, family, onDemandCostPerHour }) => [region, family, onDemandCostPerHour])).toEqual([
      ['eu-west-1', 'db.r6g', 5],
      ['us-east-1', 'db.m5', 3],
      ['eu-west-1', 'db.m5', 2],
    ]);
  });

  it('recommends database reservations per engine', async () => {
    const db = (day: Day, engine: string) =>
      aCharge(day, 24, {
        service: rdsName,
        meter: `InstanceUsage:db.m5.${engine === 'MySQL' ? 'large' : 'xlarge'}`,
        description: `$1 per RDS db.m5 Single-AZ instance hour running ${engine}`,
      });
    // One engine half of the time, another one the other half: neither is worth a one-year commitment.
    const deps = await billed(
      daily(range, (day) => [db(day, Number(day.slice(8)) % 2 === 0 ? 'MySQL' : 'PostgreSQL')]),
    );
    const found = await offers(deps);
    expect(found.filter(({ termMonths }) => termMonths === 12)).toEqual([]);
    expect(new Set(found.map(({ family }) => family))).toEqual(new Set(['db.m5 mysql', 'db.m5 postgresql']));
  });

  it('returns finite values when corrections exceed usage', async () => {
    const deps = await billed([
      ...daily(range, (day) => [aCharge(day, 240)]),
      aCharge('2026-11-02', -14_400, { meter: 'BoxUsage:m5.large' }),
    ]);
    const [first] = await offers(deps);
    // One day of sixty without demand, 59 with 10 per hour.
    expect(first).toMatchObject({
      hourlyCommitment: 7.3,
      expectedUtilizationPercent: 98.33,
      coverageAfterPercent: 100,
    });
    expect(first).toMatchObject({ onDemandCostPerHour: 0, savingsPercent: 25.76 });
  });

  it('requires two weeks of history', async () => {
    const since = (days: number) =>
      daily({ start: addDays(range.end, -days), end: range.end }, (day) => [aCharge(day, 240)]);
    expect(await offers(await billed(since(13)))).toEqual([]);
    expect((await offers(await billed(since(14))))[0]).toMatchObject({ historyDays: 14, hourlyCommitment: 7.3 });
  });

  it('recommends nothing for a disconnected account', async () => {
    const lines = daily(range, (day) => [aCharge(day, 240)]);
    expect(await offers(await billed(lines, { status: 'disconnected' }))).toEqual([]);
  });

  it('returns its parameters', async () => {
    const { parameters, startDate, endDate } = await readPlanner(await billed([]), scope, {});
    expect([startDate, endDate]).toEqual(['2026-09-20', '2026-11-18']);
    expect(parameters).toEqual({
      historyDays: 60,
      minimumHistoryDays: 14,
      assumedDailySwingPercent: 50,
      expiringWithinDays: 90,
      usageChangePercent: 20,
    });
  });
});
