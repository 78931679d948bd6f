import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CostDeps } from '../../../src/facts/costs/ledger.ts';
import {
  costsByAccount,
  costsByTag,
  costsDaily,
  costsSummary,
  costsTrend,
  prepareCosts,
} from '../../../src/facts/costs/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { anyArgs, tagArgs } from './requests.ts';
import { aWorld, accountIds } from './world.ts';

const versionOf = async (...asked: Parameters<typeof prepareCosts>) => (await prepareCosts(...asked)).key;

const organizationId = '01890000-0000-7000-8000-000000000001';
const [one, two, three] = accountIds;
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };
const range = { startDate: '2024-01-20', endDate: '2024-05-12' };
const never = '01890000-0000-7000-8000-0000000000ff';

/** Restricted to two accounts of three. */
const restricted = orgScope(organizationId, [one, two]);
const everything = orgScope(organizationId, null);

let deps: CostDeps;
/** The same organization without the third account. */
let smaller: CostDeps;

beforeAll(async () => {
  deps = await filled(accountIds);
  smaller = await filled([one, two]);
});

async function filled(ids: readonly string[]): Promise<CostDeps> {
  const { pool } = await freshDatabase();
  const facts = factWorld();
  await fillCube({ pool, ...facts }, aWorld(organizationId, ids));
  return { pool, clock, ...facts };
}

describe('restricted scope', () => {
  it('returns the same as without the other accounts, including ETags', async () => {
    await fc.assert(
      fc.asyncProperty(anyArgs, tagArgs, async (args, tag) => {
        expect(await costsByAccount(deps, restricted, args)).toEqual(await costsByAccount(smaller, everything, args));
        expect(await costsDaily(deps, restricted, args)).toEqual(await costsDaily(smaller, everything, args));
        expect(await costsTrend(deps, restricted, args)).toEqual(await costsTrend(smaller, everything, args));
        const tagged = { ...args, tagValue: null, untagged: null, ...tag };
        expect(await costsByTag(deps, restricted, tagged)).toEqual(await costsByTag(smaller, everything, tagged));
        const request = { ...args, view: 'by-region' as const };
        expect(await versionOf(deps, restricted, request)).toBe(await versionOf(smaller, everything, request));
      }),
      {
        numRuns: 25,
        // No bill has the value.
        examples: [
          [
            { ...range, tagKey: 'team', tagValue: ['red'] },
            { tagKey: 'team', tagValue: ['a\0b'] },
          ],
        ],
      },
    );
  });

  it('treats an account outside of it like one that never existed', async () => {
    for (const id of [three, never, 'not an id', "'; drop table accounts; --", 'a\0b']) {
      const args = { ...range, accountId: [id] };
      const answer = await costsSummary(deps, restricted, args);
      expect(answer.totalCost).toBe(0);
      expect(answer.unconverted).toEqual([]);
      expect(answer.completeThrough).toBeNull();
      const request = { ...range, view: 'summary' as const };
      const version = await versionOf(deps, restricted, { ...request, accountId: [id] });
      expect(version).toBe(await versionOf(deps, restricted, { ...request, accountId: [never] }));
    }
  });

  it('returns an empty result without accounts', async () => {
    const answer = await costsByAccount(deps, orgScope(organizationId, []), range);
    expect(answer).toMatchObject({ totalCost: 0, groups: [], unconverted: [], completeThrough: null, currency: 'USD' });
  });
});

it('reports a deleted organization as not found', async () => {
  await expect(costsSummary(deps, orgScope(never, null), range)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('is complete through the earliest day of the accounts used', async () => {
  const through = async (accountId: string[] | null) =>
    (await costsSummary(deps, everything, { ...range, accountId })).completeThrough;
  expect(await through(null)).toBe('2024-05-09');
  expect(await through([one])).toBe('2024-05-10');
  expect(await through([three])).toBeNull();
});
