import { beforeAll, expect, it } from 'vitest';
import {
  exactDaysOf,
  exactSpendOf,
  type ExactDeps,
  type ExactRequest,
} from '../../../../src/facts/costs/history/exact.ts';
import { readLedger } from '../../../../src/facts/costs/ledger.ts';
import type { CostMetric, TagFilter } from '../../../../src/facts/costs/query.ts';
import { orgScope, type OrgScope } from '../../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../../support/cube.ts';
import { freshDatabase } from '../../../support/database.ts';
import { factWorld } from '../../../support/facts.ts';
import { expected } from '../oracle.ts';
import { accountIds, aWorld, worldRange } from '../world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const world = aWorld(organizationId);
const [one, two] = accountIds;
let deps: ExactDeps;

beforeAll(async () => {
  const { pool } = await freshDatabase();
  const facts = factWorld();
  deps = { pool, ...facts };
  await fillCube({ pool, ...facts }, world);
});

async function exactSpend(from: ExactDeps, scope: OrgScope, request: ExactRequest) {
  return exactSpendOf(from, await readLedger(from.pool, scope), request);
}

const nothingMore = { accountIds: null, providers: null, services: null, tag: null };

/** Sums of the lines of the accounts in scope. */
function sums(args: Parameters<typeof expected>[1], currency: string, seen: readonly string[] = accountIds) {
  const lines = world.lines.filter(({ account }) => seen.includes(account));
  return expected({ ...world, currency, lines }, args, (line) => line.date);
}

const args = (start: string, end: string, costMetric: CostMetric) => ({ startDate: start, endDate: end, costMetric });

it.each(['USD', 'EUR'])('returns an exact amount in %s, with unconverted amounts separate', async (currency) => {
  for (const costMetric of ['effective', 'billed', 'list', 'contracted'] as const) {
    const range = { start: '2024-02-10', end: '2024-04-21' } as const;
    const request = { ...nothingMore, range, currency, costMetric };
    const answer = await exactSpend(deps, orgScope(organizationId, null), request);
    const right = sums(args('2024-02-10', '2024-04-20', costMetric), currency);
    expect([answer.amount, new Map(answer.unconverted)]).toEqual([right.total, right.unconverted]);
    expect(answer.completeThrough).toBe('2024-05-09');
  }
});

it('filters by account, provider, service and tag, within the scope', async () => {
  const tag: TagFilter = { key: 'TEAM', carried: 'yes', values: ['red', 'blue'] };
  const filters = { accountIds: [one, 'nobody'], providers: ['aws'], services: ['Compute', 'Storage'], tag };
  const request = { range: worldRange, currency: 'USD', costMetric: 'effective', ...filters } as const;
  const right = sums(
    {
      ...args(worldRange.start, '2024-05-11', 'effective'),
      accountId: [one],
      provider: ['aws'],
      service: ['Compute', 'Storage'],
      tagKey: 'team',
      tagValue: ['red', 'blue'],
    },
    'USD',
  );
  expect((await exactSpend(deps, orgScope(organizationId, null), request)).amount).toBe(right.total);
  expect((await exactSpend(deps, orgScope(organizationId, [two]), request)).amount).toBe(0n);
});

it('returns exact daily amounts, only of accounts in scope', async () => {
  const scope = orgScope(organizationId, [one, two]);
  const request = { ...nothingMore, range: worldRange, currency: 'USD', costMetric: 'effective' } as const;
  const { days } = await exactDaysOf(deps, await readLedger(deps.pool, scope), request);
  const right = sums(args(worldRange.start, '2024-05-11', 'effective'), 'USD', [one, two]);
  expect(new Map([...days].filter(([, amount]) => amount !== 0n))).toEqual(
    new Map([...right.groups].filter(([, amount]) => amount !== 0n)),
  );
});
