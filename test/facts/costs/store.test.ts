import fc from 'fast-check';
import type { Pool } from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import type { CostCell } from '../../../src/facts/costs/cells.ts';
import { planReading, smallestRollup, tagKeysOf } from '../../../src/facts/costs/reading/planner.ts';
import { withoutFilters } from '../../../src/facts/costs/query.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';
import { openSource } from '../../../src/facts/costs/reading/read.ts';
import { readFactCells } from '../../../src/facts/costs/reading/facts.ts';
import { readRollups, readTagRollups } from '../../../src/facts/costs/reading/rollups.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { anyArgs, tagArgs } from './requests.ts';
import { aWorld, accountIds } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const scope = orgScope(organizationId, null);
const slice = { scope, organizationId, currency: 'USD', accountIds: [...accountIds], virtualTags: new Map() };
const facts = factWorld();

let pool: Pool;

beforeAll(async () => {
  pool = (await freshDatabase()).pool;
  await fillCube({ pool, ...facts }, aWorld(organizationId));
});

const views = fc.constantFrom<Pick<CostRequest, 'view' | 'granularity' | 'groupBy'>[]>(
  { view: 'summary' },
  { view: 'summary', granularity: 'daily' },
  { view: 'by-service' },
  { view: 'by-account' },
  { view: 'by-region' },
  { view: 'daily', groupBy: 'service' },
  { view: 'daily', groupBy: 'account' },
  { view: 'trend' },
);

const requests = fc.oneof(
  fc.tuple(anyArgs, views).map(([args, view]): CostRequest => ({ ...args, ...view })),
  fc
    .tuple(anyArgs, tagArgs)
    .map(([args, tag]): CostRequest => ({ ...args, untagged: null, tagValue: null, ...tag, view: 'by-tag' })),
);

function sorted(cells: readonly CostCell[]): string[] {
  return cells.map((cell) => JSON.stringify({ ...cell, cost: cell.cost.toString() })).sort();
}

it('returns the same from rollups of any grain as from facts', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { query: asked } = resolveQuestion(request, '2024-05-11');
      const query = { ...asked, ...withoutFilters(asked, 'account') };
      const rollup = smallestRollup(query, slice.virtualTags);
      const spans = planReading(query, rollup).filter((span) => span.from === 'rollups');
      if (rollup === null || spans.length === 0) return;
      const read = tagKeysOf(query).length > 0 ? readTagRollups : readRollups;
      const answer = await read(pool, slice, query, spans);
      const same = spans.map(({ start, end }) => ({ from: 'facts', start, end }) as const);
      const source = await openSource(pool, slice, query, same);
      const cells = await readFactCells(facts.engine, source, query);
      if (answer) expect(sorted(answer)).toEqual(sorted(cells));
    }),
    { numRuns: 200 },
  );
});

it('does not use rollups for a key that is missing in the rollups of a touched billing period', async () => {
  const rolledUp = async (tagKey: string, startDate: string, endDate: string) => {
    const query = resolveQuestion({ view: 'by-tag', tagKey, startDate, endDate }, '2024-05-11').query;
    const rollup = smallestRollup(query, slice.virtualTags);
    const spans = planReading(query, rollup).filter((span) => span.from === 'rollups');
    return (await readTagRollups(pool, slice, query, spans)) !== null;
  };
  expect(await rolledUp('team', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('TEAM', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('nokey', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('request', '2024-04-20', '2024-04-21')).toBe(false);
  expect(await rolledUp('stage', '2024-03-10', '2024-03-11')).toBe(false);
  expect(await rolledUp('stage', '2024-05-11', '2024-05-12')).toBe(true);
});
