import fc from 'fast-check';
import type { Pool } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import { resolveQuestion } from '../../../src/facts/costs/question.ts';
import { mayUseTagRollup, planReading, readRange } from '../../../src/facts/costs/rollup.ts';
import type { CostCell } from '../../../src/facts/costs/store.ts';
import { readCells, readTagRollups } from '../../../src/facts/costs/store.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { anyArgs, tagArgs } from './requests.ts';
import { aWorld, accountIds } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const books = { organizationId, currency: 'USD', accountIds: [...accountIds] };

let pool: Pool;

beforeAll(async () => {
  pool = (await freshDatabase()).pool;
  await fillCube(pool, aWorld(organizationId));
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

test('rollups, at whichever grain, hold what the facts hold', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const question = resolveQuestion(request, '2024-05-11');
      const read = mayUseTagRollup(question) ? readTagRollups : readCells;
      const answer = await read(pool, books, question, planReading(question, true));
      const facts = await readCells(pool, books, question, [{ from: 'facts', ...readRange(question) }]);
      if (answer) expect(sorted(answer)).toEqual(sorted(facts));
    }),
    { numRuns: 200 },
  );
});

test('a key that one touched billing period did not roll up is not answered from rollups', async () => {
  const rolledUp = async (tagKey: string, startDate: string, endDate: string) => {
    const question = resolveQuestion({ view: 'by-tag', tagKey, startDate, endDate }, '2024-05-11');
    return (await readTagRollups(pool, books, question, planReading(question, true))) !== null;
  };
  expect(await rolledUp('team', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('TEAM', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('nokey', '2024-01-20', '2024-05-12')).toBe(true);
  expect(await rolledUp('request', '2024-04-20', '2024-04-21')).toBe(false);
  expect(await rolledUp('stage', '2024-03-10', '2024-03-11')).toBe(false);
  expect(await rolledUp('stage', '2024-05-11', '2024-05-12')).toBe(true);
});
