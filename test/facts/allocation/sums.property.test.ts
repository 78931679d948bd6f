import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { costMetrics, type CostMetric } from '../../../src/engine/codebook.ts';
import { evaluateChangedTags } from '../../../src/facts/allocation/evaluate.ts';
import { noQueue } from '../../support/jobs.ts';
import { parseRules, type AllocationRuleInput, type ConditionInput } from '../../../src/facts/allocation/rules.ts';
import { monthSplits } from '../../../src/facts/allocation/split-costs.ts';
import { parseSplits, type SplitInput } from '../../../src/facts/allocation/splits.ts';
import { readBreakdown } from '../../../src/facts/costs/breakdown/run.ts';
import type { BreakdownArgs } from '../../../src/facts/costs/breakdown/question.ts';
import { costsByTag } from '../../../src/facts/costs/run.ts';
import type { CostDeps } from '../../../src/facts/costs/ledger.ts';
import type { Day, DayRange, Month } from '../../../src/kit/time/period.ts';
import { addDays, firstDay, monthOf, monthsIn } from '../../../src/kit/time/period.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube, type LineItem } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { accountIds, aWorld, convert, tagOf, values, worldRange } from '../costs/world.ts';
import { micros } from '../costs/oracle.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const tagId = '01890000-0000-7000-8000-0000000000aa';
const world = aWorld(organizationId);
const everything = orgScope(organizationId, null);
const [one, two] = accountIds;
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };
let deps: CostDeps;
/** The same organization without the third account. */
let smaller: CostDeps;

beforeAll(async () => {
  [deps, smaller] = await Promise.all([filled(accountIds), filled([one, two])]);
});

async function filled(ids: readonly string[]): Promise<CostDeps> {
  const { pool } = await freshDatabase();
  const facts = factWorld();
  await fillCube({ pool, ...facts }, aWorld(organizationId, ids));
  return { pool, clock, ...facts };
}

const valueOf: Record<string, (line: LineItem) => string | null> = {
  service: ({ service }) => service,
  region: ({ region }) => region,
  provider: ({ provider }) => provider,
  sub_account: ({ subAccount }) => subAccount,
  charge_category: ({ category }) => category,
  'tag:team': (line) => tagOf(line, 'team'),
  'tag:stage': (line) => tagOf(line, 'stage'),
};

/** The virtual tag's value of a charge, computed from the rules as they are written. */
function expectedValue(rules: readonly AllocationRuleInput[], line: LineItem): string {
  for (const { value, valueFrom, conditions } of rules) {
    if (!(conditions ?? []).every((condition) => matches(condition, line))) continue;
    if (value) return value;
    const found = valueOf[valueFrom?.dimension ?? '']?.(line)?.trim();
    if (found) return valueFrom?.transform === 'lower' ? found.toLowerCase() : found;
  }
  return 'Unallocated';
}

function matches({ dimension, operator, values: given }: ConditionInput, line: LineItem): boolean {
  const value = valueOf[dimension]?.(line) ?? null;
  const some = (test: (text: string, candidate: string) => boolean) =>
    value !== null && (given ?? []).some((candidate) => test(value, candidate));
  const tests = {
    in: () => some((text, candidate) => text === candidate),
    not_in: () => !some((text, candidate) => text === candidate),
    starts_with: () => some((text, candidate) => text.startsWith(candidate)),
    contains: () => some((text, candidate) => text.includes(candidate)),
    exists: () => value !== null,
    missing: () => value === null,
  };
  return tests[operator]();
}

const dimensionValues: Record<string, readonly string[]> = {
  service: values.service,
  region: values.region,
  provider: values.provider,
  sub_account: values.subAccount,
  charge_category: ['usage', 'tax', 'credit'],
  'tag:team': ['red', 'blue', 'r', 'ünï'],
  'tag:stage': ['prod', 'test'],
};

const conditions = fc.constantFrom(...Object.keys(dimensionValues)).chain((dimension) =>
  fc.oneof(
    fc.constantFrom('exists' as const, 'missing' as const).map((operator): ConditionInput => ({ dimension, operator })),
    fc.record({
      dimension: fc.constant(dimension),
      operator: fc.constantFrom('in', 'not_in', 'starts_with', 'contains'),
      values: fc.uniqueArray(fc.constantFrom(...(dimensionValues[dimension] ?? [])), { minLength: 1, maxLength: 2 }),
    }),
  ),
);

const teams = ['web', 'data', 'platform'];
const rule = fc.oneof(
  fc.record({ value: fc.constantFrom(...teams), conditions: fc.array(conditions, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    valueFrom: fc.record({
      dimension: fc.constantFrom('tag:team', 'tag:stage', 'region'),
      transform: fc.constantFrom('none' as const, 'lower' as const),
    }),
    conditions: fc.array(conditions, { maxLength: 2 }),
  }),
);
const ruleLists: fc.Arbitrary<AllocationRuleInput[]> = fc.array(rule, { minLength: 1, maxLength: 5 });

const splitLists: fc.Arbitrary<SplitInput[]> = fc.constantFrom(
  [],
  [{ name: 'Platform', sourceValues: ['platform'], method: 'proportional' }],
  [{ name: 'Platform', sourceValues: ['platform', 'Unallocated'], method: 'even' }],
  [
    { name: 'Rest', sourceValues: ['Unallocated'], method: 'proportional', targets: ['platform', 'web'] },
    {
      name: 'Platform',
      sourceValues: ['platform'],
      method: 'fixed',
      shares: [
        { value: 'web', percent: 33.3333 },
        { value: 'data', percent: 66.6667 },
      ],
    },
  ],
);

async function store({ pool }: CostDeps, rules: readonly AllocationRuleInput[], splits: readonly SplitInput[] = []) {
  const [parsed, split] = [JSON.stringify(parseRules(rules)), JSON.stringify(parseSplits(splits))];
  await pool.query(
    `INSERT INTO virtual_tags (id, organization_id, key, name, description, default_value, rules, splits, slot, revision,
       live_revision, live, updated_at)
     VALUES ($1, $2, 'team', 'Team', '', 'Unallocated', $3, $4, 0, 1, 1,
       jsonb_build_object('defaultValue', 'Unallocated', 'rules', $3::jsonb, 'splits', $4::jsonb), now())
     ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, splits = excluded.splits, live = excluded.live,
       revision = virtual_tags.revision + 1, live_revision = virtual_tags.revision + 1`,
    [tagId, organizationId, parsed, split],
  );
}

/** Shows that an answer does not read the facts. */
const noEngine: CostDeps['engine'] = {
  rows: refuse,
  batches: refuse,
  write: refuse,
  countAnswer: () => {},
  metrics: [],
  close: refuse,
};

function refuse(): never {
  throw new Error('The facts were read');
}

async function evaluate(which: CostDeps): Promise<void> {
  await evaluateChangedTags({ ...which, queue: noQueue }, everything, new AbortController().signal);
}

const ranges: fc.Arbitrary<DayRange> = fc
  .tuple(fc.nat(100), fc.nat(100))
  .map(([from, days]) => ({ start: addDays(worldRange.start, from), end: addDays(worldRange.start, from + days + 1) }));

function argsOf({ start, end }: DayRange, costMetric: CostMetric): BreakdownArgs {
  return { startDate: start, endDate: addDays(end, -1), costMetric, groupBy: [{ virtualTag: 'team' }], limit: 1000 };
}

/** Exact sums by value of the lines in the range. */
function sumsOf(rules: readonly AllocationRuleInput[], { start, end }: DayRange, metric: CostMetric) {
  const sums = new Map<string, bigint>();
  for (const line of world.lines) {
    const cost = convert(world, line, metric);
    if (cost === null || line.date < start || line.date >= end) continue;
    const value = expectedValue(rules, line);
    sums.set(value, (sums.get(value) ?? 0n) + cost);
  }
  return sums;
}

async function rowsOf(scope: OrgScope, which: CostDeps, args: BreakdownArgs) {
  const { rows, totalCost, other } = await readBreakdown(which, scope, args);
  expect(other.count).toBe(0);
  expect(rows.reduce((sum, { cost }) => sum + micros(cost), 0n)).toBe(micros(totalCost));
  return rows.map(({ keys, ...row }) => ({ ...row, value: keys[0]?.value ?? '' }));
}

const near = (shown: number, exact: bigint) => {
  const off = micros(shown) * 10n ** 18n - exact;
  return off > -(10n ** 18n) && off < 10n ** 18n;
};

const metricId = '01890000-0000-7000-8000-0000000000bb';
const targets = ['web', 'data', 'Unallocated'] as const;
const serviceRules: readonly AllocationRuleInput[] = ['platform', 'web', 'data'].map((value, index) => ({
  value,
  conditions: [{ dimension: 'service', operator: 'in', values: values.service.slice(index, index + 1) }],
}));

interface GivenValue {
  readonly date: Day;
  readonly team: string | null;
  readonly value: number;
}

const metricValues: fc.Arbitrary<GivenValue[]> = fc.uniqueArray(
  fc.record({
    date: fc.nat(120).map((days) => addDays(worldRange.start, days)),
    team: fc.constantFrom(...targets, 'unknown', null),
    value: fc.nat(1_000_000).map((thousandths) => thousandths / 1000),
  }),
  { maxLength: 40, selector: ({ date, team }) => `${date} ${team}` },
);

async function storeMetric({ pool }: CostDeps, given: readonly GivenValue[]): Promise<void> {
  await pool.query(
    `INSERT INTO unit_metrics (id, organization_id, key, name, unit, created_at, updated_at)
     VALUES ($1, $2, 'orders', 'Orders', 'order', now(), now())
     ON CONFLICT (id) DO UPDATE SET values_version = unit_metrics.values_version + 1`,
    [metricId, organizationId],
  );
  await pool.query('DELETE FROM unit_metric_values');
  const rows = given.map(({ team, ...value }, at) => ({ ...value, at, labels: team === null ? {} : { team } }));
  await pool.query(
    `INSERT INTO unit_metric_values (organization_id, metric_id, date, labels_digest, labels, value)
     SELECT $1, $2, date, int4send(at) || int4send(at) || int4send(at) || int4send(at), labels, value
     FROM json_to_recordset($3) AS r (date date, at int, labels jsonb, value numeric)`,
    [organizationId, metricId, JSON.stringify(rows)],
  );
}

/** Thousandths of a target in a month. */
function weightIn(given: readonly GivenValue[], month: Month, target: string): bigint {
  const own = given.filter(({ date, team }) => team === target && monthOf(date) === month);
  return own.reduce((sum, { value }) => sum + BigInt(Math.round(value * 1000)), 0n);
}

/** Exact sums by value of the lines in a month of the range. */
function sumsIn({ start, end }: DayRange, month: Month): Map<string, bigint> {
  const first = firstDay(month);
  const next = firstDay(monthOf(addDays(first, 31)));
  const range = { start: start > first ? start : first, end: end < next ? end : next };
  return sumsOf(serviceRules, range, 'effective');
}

/** Rounds each part down, then gives the last digits to the largest remainders, the first of equal ones. */
function largestRemainders(whole: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  const floors = weights.map((weight) => {
    const down = (whole * weight) / sum;
    return whole < 0n && (whole * weight) % sum !== 0n ? down - 1n : down;
  });
  const order = weights
    .map((weight, at) => ({ at, rest: whole * weight - (floors[at] ?? 0n) * sum }))
    .toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
  const missing = Number(whole - floors.reduce((total, part) => total + part, 0n));
  for (const { at } of order.slice(0, missing)) floors[at] = (floors[at] ?? 0n) + 1n;
  return floors;
}

describe('a virtual tag', () => {
  it('gives each charge the value of the first matching rule, from facts and from rollups alike', async () => {
    await fc.assert(
      fc.asyncProperty(ruleLists, ranges, fc.constantFrom(...costMetrics), async (rules, range, metric) => {
        await store(deps, rules);
        const fromFacts = await rowsOf(everything, deps, argsOf(range, metric));
        const sums = sumsOf(rules, range, metric);
        expect(fromFacts.map(({ value }) => value).sort()).toEqual([...sums.keys()].sort());
        for (const { value, cost } of fromFacts) expect(near(cost, sums.get(value) ?? 0n)).toBe(true);
        await store(deps, rules);
        await evaluate(deps);
        expect(await rowsOf(everything, { ...deps, engine: noEngine }, argsOf(range, metric))).toEqual(fromFacts);
        const days = { startDate: range.start, endDate: addDays(range.end, -1), costMetric: metric };
        const byTag = await costsByTag(deps, everything, { ...days, tagKey: 'virtual:team' });
        expect(byTag.groups.map(({ tagValue, cost }) => [tagValue, cost]).sort()).toEqual(
          fromFacts.map(({ value, cost }) => [value, cost]).sort(),
        );
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it('has the same values with and without other dimensions and filters', async () => {
    await fc.assert(
      fc.asyncProperty(ruleLists, ranges, fc.boolean(), async (rules, range, evaluated) => {
        await store(deps, rules);
        if (evaluated) await evaluate(deps);
        const args = argsOf(range, 'effective');
        const alone = await rowsOf(everything, deps, args);
        const byService = await readBreakdown(deps, everything, {
          ...args,
          groupBy: [{ virtualTag: 'team' }, { dimension: 'service' }],
        });
        for (const { value, cost } of alone) {
          const parts = byService.rows.filter(({ keys }) => keys[0]?.value === value);
          const sum = parts.reduce((total, row) => total + micros(row.cost), 0n);
          expect(Number(sum - micros(cost)) / parts.length).toBeLessThanOrEqual(1);
          const filters = { include: [{ virtualTag: 'team', values: [value] }] };
          const filtered = await readBreakdown(deps, everything, { ...args, filters, groupBy: [] });
          expect(Math.abs(Number(micros(filtered.totalCost) - micros(cost)))).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 6 },
    );
  }, 120_000);
});

describe('shared costs', () => {
  it('move between values, and add up to the same total on every basis', async () => {
    await fc.assert(
      fc.asyncProperty(
        ruleLists,
        splitLists,
        ranges,
        fc.constantFrom(...costMetrics),
        async (rules, splits, range, metric) => {
          await store(deps, rules, splits);
          const args = argsOf(range, metric);
          const direct = sumsOf(rules, range, metric);
          for (const granularity of ['none', 'daily'] as const) {
            const answer = await readBreakdown(deps, everything, { ...args, granularity, includeShared: true });
            const plain = await readBreakdown(deps, everything, args);
            expect(answer.totalCost).toBe(plain.totalCost);
            const rows = [...answer.rows, answer.other];
            const sum = (field: 'cost' | 'directCost' | 'sharedCost') =>
              rows.reduce((total, row) => total + micros(row[field] ?? 0), 0n);
            expect([sum('cost'), sum('directCost'), sum('sharedCost')]).toEqual([
              micros(plain.totalCost),
              micros(plain.totalCost),
              0n,
            ]);
            if (granularity === 'daily') continue;
            for (const { keys, directCost } of answer.rows) {
              expect(near(directCost ?? 0, direct.get(keys[0]?.value ?? '') ?? 0n)).toBe(true);
            }
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 120_000);

  it('are split by quantities exactly, with the largest remainder method', () => {
    const quantity = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        quantity,
        quantity,
        quantity,
        (cost, ...given) => {
          fc.pre(cost !== 0n && given.some((each) => each > 0n));
          const splits = parseSplits([
            { name: 'Platform', sourceValues: ['platform'], method: 'metric', targets: [...targets], metricId },
          ]);
          const quantities = new Map([[metricId, new Map(targets.map((target, at) => [target, given[at] ?? 0n]))]]);
          const { split } = monthSplits('2024-03-01', splits, { direct: new Map(), quantities });
          const shared = new Map(split('platform', cost).map((part) => [part.value, part.shared]));
          const weighed = targets.filter((_, at) => given[at] !== 0n);
          const parts = largestRemainders(
            cost,
            given.filter((each) => each !== 0n),
          );
          expect(weighed.map((target) => shared.get(target) ?? 0n)).toEqual(parts);
          expect(shared.get('platform')).toBe(-cost);
        },
      ),
    );
  });

  it('are split by the values of a metric in each calendar month, with the largest remainder method', async () => {
    await fc.assert(
      fc.asyncProperty(metricValues, ranges, async (given, range) => {
        await storeMetric(deps, given);
        await store(deps, serviceRules, [
          { name: 'Platform', sourceValues: ['platform'], method: 'metric', targets: [...targets], metricId },
        ]);
        const answer = await readBreakdown(deps, everything, { ...argsOf(range, 'effective'), includeShared: true });
        const expected = new Map<string, bigint>();
        for (const month of monthsIn(range)) {
          const shared = sumsIn(range, month).get('platform') ?? 0n;
          const weights = targets.map((target) => weightIn(given, month, target));
          if (weights.every((weight) => weight === 0n)) continue;
          largestRemainders(shared, weights).forEach((part, at) =>
            expected.set(targets[at] ?? '', (expected.get(targets[at] ?? '') ?? 0n) + part),
          );
        }
        const rows = [...answer.rows, answer.other];
        expect(rows.reduce((sum, row) => sum + micros(row.sharedCost ?? 0), 0n)).toBe(0n);
        const direct = sumsOf(serviceRules, range, 'effective');
        for (const { keys, cost } of answer.rows) {
          const value = keys[0]?.value ?? '';
          const exact = (direct.get(value) ?? 0n) + (expected.get(value) ?? 0n);
          if (value !== 'platform') expect(near(cost, exact)).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  }, 120_000);

  it('are those of a world without the other accounts, for a restricted member', async () => {
    await fc.assert(
      fc.asyncProperty(ruleLists, splitLists, ranges, fc.boolean(), async (rules, splits, range, evaluated) => {
        for (const which of [deps, smaller]) {
          await store(which, rules, splits);
          if (evaluated) await evaluate(which);
        }
        const args = { ...argsOf(range, 'effective'), includeShared: true };
        const restricted = await readBreakdown(deps, orgScope(organizationId, [one, two]), args);
        expect(restricted).toEqual(await readBreakdown(smaller, everything, args));
      }),
      { numRuns: 8 },
    );
  }, 120_000);
});

it('are read from the facts again once a month is reloaded', async () => {
  const rules = [
    { value: 'web', conditions: [{ dimension: 'service', operator: 'in' as const, values: ['Storage'] }] },
  ];
  await store(deps, rules);
  await evaluate(deps);
  const args = argsOf(worldRange, 'effective');
  const before = await rowsOf(everything, deps, args);
  // Simulates a load: a new load id, and rollups that replace the evaluated ones.
  await deps.pool.query('UPDATE billing_periods SET load_id = gen_random_uuid() WHERE period = $1', [
    `${monthOf('2024-03-01')}-01`,
  ]);
  await deps.pool.query(`DELETE FROM cost_rollups WHERE rollup >= 100 AND billing_period = '2024-03-01'`);
  expect(await rowsOf(everything, deps, { ...args, endDate: addDays(worldRange.end, -1) })).toEqual(before);
  await evaluate(deps);
  const { rows } = await deps.pool.query('SELECT 1 FROM cost_rollups WHERE rollup >= 100 AND billing_period = $1', [
    '2024-03-01',
  ]);
  expect(rows.length).toBeGreaterThan(0);
});
