import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Breakdown, BreakdownRow } from '../../../src/facts/costs/breakdown/graphql-types.ts';
import { previousRange, resolveBreakdown, type BreakdownArgs } from '../../../src/facts/costs/breakdown/question.ts';
import { readBreakdown, readValues } from '../../../src/facts/costs/breakdown/run.ts';
import { readLedger, type CostDeps } from '../../../src/facts/costs/ledger.ts';
import { smallestRollup } from '../../../src/facts/costs/reading/planner.ts';
import { openSource, readRanking } from '../../../src/facts/costs/reading/read.ts';
import { rankFacts, readFactCells } from '../../../src/facts/costs/reading/facts.ts';
import { sumsOfAll } from '../../../src/facts/costs/reading/ranking.ts';
import { openLog } from '../../../src/kit/log.ts';
import { elapsedDays } from '../../../src/kit/time/compared-days.ts';
import { addDays } from '../../../src/kit/time/period.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { aDetailedWorld, anyQuestion, argsOf, inputOf, sumsOf, type AnyQuestion } from './breakdown-world.ts';
import { micros, rounded } from './oracle.ts';
import { accountIds } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const world = aDetailedWorld(organizationId);
const everything = orgScope(organizationId, null);
const [one, two] = accountIds;
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };
let deps: CostDeps;

beforeAll(async () => {
  const { pool } = await freshDatabase();
  const facts = factWorld();
  deps = { pool, clock, ...facts };
  await fillCube({ pool, ...facts }, world);
});

async function ask(scope: OrgScope, args: BreakdownArgs): Promise<Breakdown> {
  return readBreakdown(deps, scope, args);
}

const scopes = fc.constantFrom(
  [null, accountIds] as const,
  [[one], [one]] as const,
  [
    [one, two],
    [one, two],
  ] as const,
);

function keyOf(row: BreakdownRow): string {
  return JSON.stringify(row.keys.map(({ value }) => value));
}

/** Whether a displayed cost is within 10^-6 of an exact one. */
function isNear(shown: number, exact: bigint): boolean {
  const off = micros(shown) * 10n ** 18n - exact;
  return off > -(10n ** 18n) && off < 10n ** 18n;
}

function total(sums: ReadonlyMap<string, bigint>): bigint {
  return [...sums.values()].reduce((sum, cost) => sum + cost, 0n);
}

describe('costs by any dimensions', () => {
  it('match the sums of the line items: rows and other add up to the total', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuestion, scopes, async (question, [scope, seen]) => {
        check(question, await ask(orgScope(organizationId, scope), argsOf(question)), seen);
      }),
      { numRuns: 150 },
    );
  });

  it('are the same from rollups and from facts', async () => {
    const ledger = { ...(await readLedger(deps.pool, everything)), accountIds: [...accountIds] };
    const rollable = new Set([
      'account',
      'sub_account',
      'provider',
      'service',
      'service_category',
      'region',
      'charge_category',
      'tag:team',
    ]);
    const questions = anyQuestion.filter(({ groupBy, include, exclude }) =>
      [...groupBy, ...[...include, ...exclude].map(({ name }) => name)].every((name) => rollable.has(name)),
    );
    await fc.assert(
      fc.asyncProperty(questions, async (question) => {
        const byName =
          question.sortBy === 'change' ? 'name' : question.sortBy === '-change' ? '-name' : question.sortBy;
        const sortBy = question.groupBy.includes('account') ? 'cost' : (byName ?? '-name');
        const { query, ranking } = resolveBreakdown({ ...argsOf(question), compare: 'none', sortBy }, '2024-05-11');
        fc.pre(
          smallestRollup(query, ledger.virtualTags) !== null &&
            ![...query.include, ...query.exclude].some(({ dimension }) => dimension === 'account'),
        );
        const planned = await readRanking(deps, ledger, { query, ranking });
        const source = await openSource(deps.pool, ledger, query, [{ from: 'facts', ...query.range }]);
        const namesOf = (keys: readonly (string | null)[]) => keys.map((key) => (key ?? '\uffff').toLowerCase());
        const by = { ...ranking, matches: () => true, namesOf, accountNames: new Map<string, string>() };
        const ranked = await rankFacts(deps.engine, { current: source, compared: source }, { query, ranking: by });
        const facts = {
          ...ranked,
          ...sumsOfAll(await readFactCells(deps.engine, source, { ...query, dimensions: [] })),
        };
        if (query.dimensions.length > 0) expect(planned).toEqual(facts);
        else expect(planned.total).toBe(facts.total);
      }),
      { numRuns: 100 },
    );
  });
});

function check(question: AnyQuestion, answer: Breakdown, seen: readonly string[]): void {
  const range = { start: answer.startDate, end: addDays(answer.endDate, 1) };
  const sums = sumsOf(world, question, range, seen);
  const previous = previousRange(elapsedDays(range, '2024-05-11'), answer.compare);
  const before = previous === null ? new Map<string, bigint>() : sumsOf(world, question, previous, seen).groups;
  const shown = answer.rows.map((row) => ({ row, key: keyOf(row) }));
  const groups = new Set([...sums.groups.keys(), ...before.keys(), ...(question.groupBy.length === 0 ? ['[]'] : [])]);
  expect(micros(answer.totalCost)).toBe(rounded(total(sums.groups)));
  expect(answer.rowCount).toBe(groups.size);
  expect(answer.rows.length).toBe(
    Math.min(groups.size, question.granularity === 'none' ? question.limit : Math.min(question.limit, 20)),
  );
  expect(answer.other.count).toBe(answer.rowCount - answer.rows.length);
  const parts = [...answer.rows, answer.other];
  expect(parts.reduce((sum, { cost }) => sum + micros(cost), 0n)).toBe(micros(answer.totalCost));
  for (const { row, key } of shown) {
    expect(groups.has(key)).toBe(true);
    expect(isNear(row.cost, sums.groups.get(key) ?? 0n), key).toBe(true);
    if (previous) expect(isNear(row.previousCost ?? 0, before.get(key) ?? 0n), key).toBe(true);
    else expect([row.previousCost, row.change, row.changePercent]).toEqual([null, null, null]);
  }
  if (previous) {
    expect(micros(answer.previous?.totalCost ?? 0)).toBe(rounded(total(before)));
    expect(parts.reduce((sum, { previousCost }) => sum + micros(previousCost ?? 0), 0n)).toBe(rounded(total(before)));
  }
  expect(new Map(answer.unconverted.map((each) => [each.currency, micros(each.cost)]))).toEqual(
    new Map(
      [...sums.unconverted].filter(([, cost]) => cost !== 0n).map(([currency, cost]) => [currency, rounded(cost)]),
    ),
  );
  checkOrder(question, answer, { groups: sums.groups, before, all: groups });
  checkPoints(question, answer, sums.dated);
}

/** Checks that every omitted group ranks after the displayed ones. */
function checkOrder(
  question: AnyQuestion,
  answer: Breakdown,
  {
    groups,
    before,
    all,
  }: { groups: ReadonlyMap<string, bigint>; before: ReadonlyMap<string, bigint>; all: ReadonlySet<string> },
): void {
  const sortBy = argsOf(question).sortBy ?? '-cost';
  if (/name/.test(sortBy)) return;
  const sign = sortBy.startsWith('-') ? 1n : -1n;
  const rankOf = (key: string) =>
    sign * ((groups.get(key) ?? 0n) - (sortBy.endsWith('change') ? (before.get(key) ?? 0n) : 0n));
  const shown = answer.rows.map(keyOf);
  const ranks = shown.map(rankOf);
  expect(ranks).toEqual([...ranks].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
  const last = ranks.at(-1);
  for (const key of all) if (!shown.includes(key) && last !== undefined) expect(rankOf(key) <= last).toBe(true);
}

function checkPoints(question: AnyQuestion, answer: Breakdown, dated: ReadonlyMap<string, bigint>): void {
  for (const part of [...answer.rows, answer.other]) {
    expect(part.points === null).toBe(question.granularity === 'none');
    if (part.points === null) continue;
    expect(part.points.reduce((sum, { cost }) => sum + micros(cost), 0n)).toBe(micros(part.cost));
    if (!('keys' in part)) continue;
    for (const { date, cost } of part.points) {
      const at = question.granularity === 'monthly' ? date.slice(0, 7) : date;
      expect(isNear(cost, dated.get(`${keyOf(part)} ${at}`) ?? 0n), `${keyOf(part)} ${at}`).toBe(true);
    }
  }
}

const range = { startDate: '2024-02-01', endDate: '2024-03-31' };

describe('values of a dimension', () => {
  it.each(['service', 'resource', 'tag:team', 'account', 'sub_account'])(
    'are searchable by text, with their cost: %s',
    async (name) => {
      const listed = async (search: string | null) =>
        readValues(deps, everything, { ...range, dimension: inputOf(name), search });
      const all = await listed(null);
      const breakdown = await ask(everything, { ...range, groupBy: [inputOf(name)] });
      expect(all.values.map(({ value }) => value)).toEqual(breakdown.rows.map(({ keys }) => keys[0]?.value));
      expect(all.totalCost).toBe(breakdown.totalCost);
      const first = all.values.find(({ value }) => value);
      const text = (first?.label ?? first?.value ?? '').slice(1).toUpperCase();
      const found = await listed(text);
      expect(found.values.length).toBe(found.valueCount);
      expect(found.values).toContainEqual(first);
      for (const { value, label } of found.values)
        expect(`${value} ${label}`.toLowerCase()).toContain(text.toLowerCase());
      expect((await listed('no such text')).values).toEqual([]);
    },
  );

  it('include tag keys, each with the cost of the charges that have it', async () => {
    const answer = await readValues(deps, everything, { ...range, dimension: { dimension: 'tag' } });
    expect(answer.values.map(({ value }) => value?.toLowerCase()).sort()).toEqual(['request', 'stage', 'team']);
    const carried = await ask(everything, { ...range, filters: { include: [{ tag: 'team' }] } });
    expect(answer.values.find(({ value }) => value?.toLowerCase() === 'team')?.cost).toBe(carried.totalCost);
  });
});

describe('query that is too large', () => {
  it('is rejected with a hint on how to narrow it, and Retry-After', async () => {
    const { pool } = await freshDatabase();
    const facts = factWorld(openLog('silent'), 0);
    const slow = { pool, clock, ...facts };
    await fillCube({ pool, ...facts }, world);
    const answer = readBreakdown(slow, everything, { ...range, groupBy: [{ dimension: 'sku' }] });
    await expect(answer).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      headers: { 'Retry-After': '30' },
      message: expect.stringContaining('request fewer days, accounts or dimensions, or add a filter'),
    });
  });
});
