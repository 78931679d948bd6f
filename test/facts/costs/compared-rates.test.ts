import { beforeEach, describe, expect, it } from 'vitest';
import type { BreakdownArgs } from '../../../src/facts/costs/breakdown/question.ts';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { costsSummary, costsTrend } from '../../../src/facts/costs/run.ts';
import { readUnitCost } from '../../../src/facts/metrics/unit-cost/run.ts';
import { createMetric, setMetricValues } from '../../../src/facts/metrics/change.ts';
import type { Month } from '../../../src/kit/time/period.ts';
import type { OrgScope } from '../../../src/tenancy/auth/scope.ts';
import type { Actor } from '../../../src/tenancy/audit/store.ts';
import { setExchangeRates } from '../../../src/tenancy/org/exchange-rates.ts';
import { fillCube, type CubeWorld, type LineItem } from '../../support/cube.ts';
import { origin, tenancyWorld } from '../../tenancy/support.ts';

// Each month has 10 USD of Storage (May: 5) and 100 EUR of Compute; euros have a rate from July on, which August takes, too.
const months: readonly Month[] = ['2026-05', '2026-06', '2026-07', '2026-08'];
const accountId = '01890000-0000-7000-8000-00000000000a';

let world: Awaited<ReturnType<typeof tenancyWorld>>;
let viewer: Awaited<ReturnType<(typeof world)['register']>>['viewer'];
let actor: Actor;
let scope: OrgScope;

beforeEach(async () => {
  world = await tenancyWorld();
  ({ viewer } = await world.register('ana'));
  scope = viewer.scope;
  await fillCube(world.deps, aCube(scope.organizationId));
  actor = { organizationId: scope.organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  await setExchangeRates(world.deps, scope, actor, [{ month: '2026-07', from: 'EUR', to: 'USD', rate: 2 }]);
});

function aCube(organizationId: string): CubeWorld {
  const lineOf = (month: Month, service: string, currency: string, units: bigint): LineItem => {
    const cost = units * 10n ** 12n;
    return {
      account: accountId,
      billingPeriod: month,
      date: `${month}-10`,
      provider: 'aws',
      currency,
      category: 'usage',
      service,
      serviceCategory: service,
      region: 'eu-west-1',
      subAccount: '111',
      tags: {},
      resource: service,
      billed: cost,
      effective: cost,
      list: cost,
      contracted: cost,
    };
  };
  const lines = months.flatMap((month) => [
    lineOf(month, 'Storage', 'USD', month === '2026-05' ? 5n : 10n),
    lineOf(month, 'Compute', 'EUR', 100n),
  ]);
  const account = { id: accountId, name: 'one', completeThrough: '2026-08-31' as const };
  return { organizationId, currency: 'USD', accounts: [account], lines, rates: [], identifiers: [] };
}

const rangeOf = (month: Month) => ({ startDate: `${month}-01`, endDate: `${month}-${month === '2026-06' ? 30 : 31}` });
const lacking = [{ currency: 'EUR', cost: 100 }];

const compared = (month: Month, args: BreakdownArgs) =>
  readBreakdown(world.deps, scope, { ...rangeOf(month), compare: 'previous_month', ...args }, {});

describe.each<[string, BreakdownArgs]>([
  ['without groups', {}],
  ['by service', { groupBy: [{ dimension: 'service' }] }],
  ['by resource, from fact files', { groupBy: [{ dimension: 'resource' }] }],
  ['by resource and day', { groupBy: [{ dimension: 'resource' }], granularity: 'daily' }],
])('a comparison %s', (_, args) => {
  it('has no percentage if costs of the earlier range have no exchange rate, and states these costs', async () => {
    const { previous, rows, other, unconverted } = await compared('2026-07', args);
    expect([unconverted, previous]).toEqual([
      [],
      expect.objectContaining({ totalCost: 10, change: 200, changePercent: null, unconverted: lacking }),
    ]);
    expect([...rows, other].map(({ changePercent }) => changePercent)).toEqual([...rows, other].map(() => null));
  });

  it('has no percentage if costs of the range itself have no exchange rate', async () => {
    const { previous, rows, unconverted } = await compared('2026-06', args);
    expect(unconverted).toEqual(lacking);
    expect(previous).toMatchObject({ totalCost: 5, change: 5, changePercent: null, unconverted: lacking });
    expect(rows.map(({ changePercent }) => changePercent)).toEqual(rows.map(() => null));
  });

  it('has percentages if all costs are converted, and lists the provisional rates of both ranges', async () => {
    const august = await compared('2026-08', args);
    expect(august.previous).toMatchObject({ changePercent: 0, unconverted: [] });
    expect(august.provisionalRates).toEqual([{ currency: 'EUR', month: '2026-08', rateMonth: '2026-07' }]);
    const september = await compared('2026-09', { ...args, endDate: '2026-09-30' });
    expect(september.provisionalRates).toEqual(august.provisionalRates);
  });
});

describe('months', () => {
  it('have no percentage in the trend if they or the month before have costs without an exchange rate', async () => {
    const range = { startDate: '2026-07-01', endDate: '2026-08-31' };
    const { months: shown, unconverted } = await costsTrend(world.deps, scope, range);
    expect(unconverted).toEqual([]);
    expect(shown).toMatchObject([
      { previousCost: 10, changePercent: null, unconverted: [], previousUnconverted: lacking },
      { previousCost: 210, changePercent: 0, unconverted: [], previousUnconverted: [] },
    ]);
    const june = await costsTrend(world.deps, scope, rangeOf('2026-06'));
    expect(june.months).toMatchObject([
      { previousCost: 5, changePercent: null, unconverted: lacking, previousUnconverted: lacking },
    ]);
  });

  it('have their provisional rates in the trend, also that before the first month', async () => {
    const { provisionalRates } = await costsTrend(world.deps, scope, {
      startDate: '2026-09-01',
      endDate: '2026-09-30',
    });
    expect(provisionalRates).toEqual([{ currency: 'EUR', month: '2026-08', rateMonth: '2026-07' }]);
  });

  it.each(['monthly', 'daily'] as const)(
    'list their costs without an exchange rate in %s summaries',
    async (granularity) => {
      const range = { startDate: '2026-06-10', endDate: '2026-07-31' };
      const { periods } = await costsSummary(world.deps, scope, { ...range, granularity });
      const listed = periods.filter(({ unconverted }) => unconverted.length > 0);
      expect(listed).toMatchObject([{ periodStart: '2026-06-10', cost: 10, unconverted: lacking }]);
    },
  );

  it('have no cost per unit if costs have no exchange rate', async () => {
    const { id } = await createMetric(world.deps, viewer, actor, { key: 'orders', name: 'Orders', unit: 'order' });
    const values = ['2026-06-01', '2026-07-01'].map((date) => ({ date, value: 2 }));
    await setMetricValues(world.deps, viewer, actor, { id, values });
    const unit = await readUnitCost(world.deps, scope, {
      metric: 'orders',
      startDate: '2026-06-01',
      endDate: '2026-07-31',
      granularity: 'monthly',
    });
    expect(unit.points.map(({ costPerUnit }) => costPerUnit)).toEqual([null, 105]);
    expect(unit.costPerUnit).toBeNull();
  });
});
