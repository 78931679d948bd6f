import { beforeEach, describe, expect, it } from 'vitest';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { costsSummary, prepareCosts } from '../../../src/facts/costs/run.ts';
import { prepareCoverage, readSplit } from '../../../src/facts/coverage/run.ts';
import type { Month } from '../../../src/kit/time/period.ts';
import type { OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { setExchangeRates } from '../../../src/tenancy/org/exchange-rates.ts';
import { fillCube, type CubeWorld, type LineItem } from '../../support/cube.ts';
import { origin, tenancyWorld } from '../../tenancy/support.ts';

// Euros from June to November, a different amount each month, so that every sum shows which months it has.
const euros: Readonly<Record<Month, number>> = {
  '2026-06': 1,
  '2026-07': 20,
  '2026-08': 300,
  '2026-09': 4_000,
  '2026-10': 50_000,
  '2026-11': 600_000,
};
const months = Object.keys(euros) as Month[];
const whole = { startDate: '2026-06-01', endDate: '2026-11-20' };
const accountId = '01890000-0000-7000-8000-00000000000a';

let world: Awaited<ReturnType<typeof tenancyWorld>>;
let scope: OrgScope;
let set: (rates: Readonly<Record<Month, number | null>>) => Promise<unknown>;

beforeEach(async () => {
  world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  scope = viewer.scope;
  await fillCube(world.deps, aCube(scope.organizationId));
  const actor = { organizationId: scope.organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  set = (rates) =>
    setExchangeRates(
      world.deps,
      scope,
      actor,
      Object.entries(rates).map(([month, rate]) => ({ month: month as Month, from: 'EUR', to: 'USD', rate })),
    );
  await set({ '2026-07': 2, '2026-09': 3 });
});

function aCube(organizationId: string): CubeWorld {
  const lines = months.map((month): LineItem => {
    const cost = BigInt(euros[month] ?? 0) * 10n ** 12n;
    return {
      account: accountId,
      billingPeriod: month,
      date: `${month}-10`,
      provider: 'aws',
      currency: 'EUR',
      category: 'usage',
      service: 'Compute',
      serviceCategory: 'Compute',
      region: 'eu-west-1',
      subAccount: '111',
      tags: {},
      resource: 'vm',
      billed: cost,
      effective: cost,
      list: cost,
      contracted: cost,
    };
  });
  const account = { id: accountId, name: 'one', completeThrough: '2026-11-18' as const };
  return { organizationId, currency: 'USD', accounts: [account], lines, rates: [], identifiers: [] };
}

/** The same sums from rollups, fact files and coverage. */
async function answers(range: { startDate: string; endDate: string }) {
  const summary = await costsSummary(world.deps, scope, range);
  const byResource = await readBreakdown(world.deps, scope, { ...range, groupBy: [{ dimension: 'resource' }] }, {});
  const coverage = await readSplit(world.deps, await prepareCoverage(world.deps, scope, range));
  return [summary, byResource, coverage];
}

const carried = ['2026-08 at 2026-07', '2026-10 at 2026-09', '2026-11 at 2026-09'];

async function expectAll(total: number, rates: readonly string[], range = whole) {
  for (const { totalCost, provisionalRates, unconverted } of await answers(range)) {
    expect(totalCost).toBe(total);
    expect(provisionalRates.map(({ month, rateMonth }) => `${month} at ${rateMonth}`)).toEqual(rates);
    expect(unconverted).toEqual([{ currency: 'EUR', cost: 1 }]);
  }
}

describe('a month without an exchange rate', () => {
  it('is converted at the last rate before it, and listed; before the first rate it is not converted', async () => {
    await expectAll((20 + 300) * 2 + (4_000 + 50_000 + 600_000) * 3, carried);
  });

  it('is converted at its own rate once it has one', async () => {
    await set({ '2026-10': 5 });
    await expectAll((20 + 300) * 2 + 4_000 * 3 + (50_000 + 600_000) * 5, ['2026-08 at 2026-07', '2026-11 at 2026-10']);
    await set({ '2026-11': 7, '2026-08': 11 });
    await expectAll(20 * 2 + 300 * 11 + 4_000 * 3 + 50_000 * 5 + 600_000 * 7, []);
    await set({ '2026-08': null, '2026-10': null, '2026-11': null });
    await expectAll((20 + 300) * 2 + (4_000 + 50_000 + 600_000) * 3, carried);
  });

  it('is listed only in answers about it', async () => {
    await expectAll(20 * 2, [], { startDate: '2026-06-01', endDate: '2026-07-31' });
  });

  it('changes the version of answers when its rate changes', async () => {
    const version = async () =>
      (await prepareCosts(world.deps, scope, { view: 'summary', startDate: '2026-11-01', endDate: '2026-11-18' })).key;
    const before = await version();
    expect(await version()).toBe(before);
    await set({ '2026-09': 4 });
    const after = await version();
    expect(after).not.toBe(before);
    await set({ '2026-11': 4 });
    expect(await version()).not.toBe(after);
  });
});
