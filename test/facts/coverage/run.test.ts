import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FactEngine } from '../../../src/engine/engine.ts';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import { addDays } from '../../../src/kit/time/period.ts';
import { costsDaily, costsSummary } from '../../../src/facts/costs/run.ts';
import { pageGaps, readPlanner } from '../../../src/analysis/commitments/run.ts';
import {
  prepareCoverage,
  prepareHistory,
  readDaily,
  readSplit,
  refreshCoverage,
  type CoverageArgs,
  type CoverageDeps,
} from '../../../src/facts/coverage/run.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { plainArgs } from '../costs/requests.ts';
import { aMixedWorld, organizationId } from './world.ts';

const world = aMixedWorld();
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };
const everything = orgScope(organizationId, null);

let charges: CoverageDeps;
let days: CoverageDeps;

beforeAll(async () => {
  const filled = async () => {
    const deps = { pool: (await freshDatabase()).pool, clock, ...factWorld() };
    await fillCube(deps, world);
    return deps;
  };
  [charges, days] = [await filled(), await filled()];
  for (const { id } of world.accounts) await refreshCoverage(days, everything, id);
});

const anyFilters = plainArgs.map(({ accountId, provider, service, region }): CoverageArgs => ({
  accountId,
  provider,
  service,
  region,
}));
const anyArgs = fc
  .tuple(plainArgs, anyFilters)
  .map(([{ startDate, endDate }, filters]): CoverageArgs => ({ ...filters, startDate, endDate }));
const anyScope = fc
  .constantFrom(null, ...world.accounts.map(({ id }) => [id]), [])
  .map((ids) => orgScope(organizationId, ids));
const runs = { numRuns: 60 };
const micros = (cost: number) => BigInt(Math.round(cost * 1e6));
const sum = (costs: readonly number[]) => costs.reduce((so, cost) => so + micros(cost), 0n);

const allGaps = { sortBy: null, skip: 0, take: 10_000 };

describe('coverage', () => {
  it('splits the total of the costs, with the same unconverted amounts', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, anyScope, async (args, scope) => {
        const coverage = await readSplit(days, await prepareCoverage(days, scope, args));
        const costs = await costsSummary(days, scope, args);
        expect(coverage.totalCost).toBe(costs.totalCost);
        expect(coverage.unconverted).toEqual(costs.unconverted);
        expect(coverage.provisionalRates).toEqual(costs.provisionalRates);
        expect(coverage.completeThrough).toBe(costs.completeThrough);
        expect(sum(coverage.split.map(({ cost }) => cost))).toBe(micros(coverage.totalCost));
      }),
      runs,
    );
  });

  it('adds up to the daily cost in each day of the history', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilters, anyScope, async (filters, scope) => {
        const coverage = await readDaily(days, await prepareHistory(days, scope, filters));
        const { startDate, endDate } = coverage;
        const costs = await costsDaily(days, scope, { ...filters, startDate, endDate });
        expect(coverage.days).toHaveLength(90);
        expect(
          coverage.days.map((day) => sum([day.reserved, day.savingsPlan, day.spot, day.onDemand, day.other])),
        ).toEqual(costs.days.map(({ cost }) => micros(cost)));
        expect(coverage.totalCost).toBe(costs.totalCost);
      }),
      runs,
    );
  });

  it('adds up in the gaps to the eligible, covered and on-demand cost', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, anyScope, async (args, scope) => {
        const prepared = await prepareCoverage(days, scope, args);
        const coverage = await readSplit(days, prepared);
        const { rows } = await pageGaps(days, prepared, allGaps);
        const onDemand = coverage.split.find(({ kind }) => kind === 'on_demand')?.cost ?? 0;
        expect(sum(rows.map((gap) => gap.coveredCost))).toBe(micros(coverage.coveredCost));
        // Rounded as a part of the total there, but individually here.
        expect(Math.abs(Number(sum(rows.map((gap) => gap.onDemandCost)) - micros(onDemand)))).toBeLessThanOrEqual(1);
        expect(Math.abs(coverage.coveredCost + onDemand - coverage.eligibleCost)).toBeLessThan(3e-6);
      }),
      runs,
    );
  });
});

describe('precomputed coverage', () => {
  it('returns the same as the charges', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, anyScope, async (args, scope) => {
        const all = (deps: CoverageDeps) =>
          Promise.all([
            prepareCoverage(deps, scope, args).then((prepared) => readSplit(deps, prepared)),
            prepareHistory(deps, scope, args).then((prepared) => readDaily(deps, prepared)),
            prepareCoverage(deps, scope, args).then((prepared) => pageGaps(deps, prepared, allGaps)),
            readPlanner(deps, scope, args),
          ]);
        expect(await all(days)).toEqual(await all(charges));
      }),
      runs,
    );
  }, 180_000);

  it('is kept until the next load, and recomputed after it', async () => {
    const [account] = world.accounts;
    if (!account) throw new Error('The world has accounts');
    expect(await refreshCoverage(days, everything, account.id)).toBe(0);
    await days.pool.query(
      `UPDATE billing_periods SET load_id = gen_random_uuid() WHERE account_id = $1 AND period = '2024-03-01'`,
      [account.id],
    );
    await days.pool.query(`UPDATE accounts SET version = version + 1 WHERE id = $1`, [account.id]);
    const args = { startDate: '2024-02-01', endDate: '2024-04-30' };
    const before = await readSplit(days, await prepareCoverage(days, everything, args));
    expect(before).toEqual(await readSplit(charges, await prepareCoverage(charges, everything, args)));
    expect(await refreshCoverage(days, everything, account.id)).toBe(1);
    expect(await refreshCoverage(days, everything, account.id)).toBe(0);
  });

  it('is not stored for a month that is reloaded meanwhile, which is neither counted twice nor omitted', async () => {
    const [account] = world.accounts;
    if (!account) throw new Error('The world has accounts');
    const load = async () => {
      await days.pool.query('UPDATE billing_periods SET load_id = gen_random_uuid() WHERE account_id = $1', [
        account.id,
      ]);
    };
    const loading: CoverageDeps = { ...days, engine: duringQueries(days.engine, load) };
    await load();
    expect(await refreshCoverage(loading, everything, account.id)).toBe(0);
    const args = { startDate: '2024-03-01', endDate: '2024-04-11' };
    const expected = await readSplit(charges, await prepareCoverage(charges, everything, args));
    let loads = 0;
    const twice = async () => {
      if (++loads <= 2) await load();
    };
    const reading: CoverageDeps = { ...days, engine: duringQueries(days.engine, twice) };
    expect(await readSplit(reading, await prepareCoverage(reading, everything, args))).toEqual(expected);
    expect(loads).toBeGreaterThan(2);
  });
});

/** An engine that runs another action during each query. */
function duringQueries(engine: FactEngine, happen: () => Promise<void>): FactEngine {
  return {
    rows: async (facts, query) => {
      await happen();
      return engine.rows(facts, query);
    },
    batches: (facts, query) => engine.batches(facts, query),
    write: async (facts, query, format) => {
      await happen();
      return engine.write(facts, query, format);
    },
    close: () => engine.close(),
    countAnswer: (plan) => engine.countAnswer(plan),
    metrics: engine.metrics,
  };
}

it.each([
  ['plans', (deps: CoverageDeps, scope: OrgScope) => readPlanner(deps, scope, {})],
  [
    'breakdowns',
    (deps: CoverageDeps, scope: OrgScope, at: number) =>
      readBreakdown(deps, scope, {
        groupBy: [{ dimension: 'service' }],
        startDate: addDays(scope.userId === 'one' ? '2024-02-01' : '2024-03-01', at),
        limit: 1,
      }),
  ],
])('runs at most two reads of one member at a time, and more of several: %s', async (_what, read) => {
  const { pool } = days;
  let running = 0;
  let most = 0;
  const connect = async (...given: Parameters<typeof pool.connect>) => {
    if (given.length > 0) return pool.connect(...given);
    const client = await pool.connect();
    running += 1;
    most = Math.max(most, running);
    const query = async (text: string, values?: unknown[]) => {
      if (text === 'COMMIT') running -= 1;
      return client.query(text, values);
    };
    return Object.create(client, { query: { value: query } }) as typeof client;
  };
  const watched = Object.create(pool, { connect: { value: connect } }) as typeof pool;
  const mostFor = async (members: readonly string[]) => {
    most = 0;
    await Promise.all(
      members.map((member, index) => read({ ...days, pool: watched }, orgScope(organizationId, null, member), index)),
    );
    return most;
  };
  expect(await mostFor(Array.from({ length: 12 }, () => 'one'))).toBeLessThanOrEqual(2);
  expect(await mostFor(Array.from({ length: 12 }, (_, at) => `member ${at}`))).toBeGreaterThan(2);
});
