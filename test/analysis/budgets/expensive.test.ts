import { expect, it, vi } from 'vitest';
import { tooSlow } from '../../../src/engine/failures.ts';
import { eachConcurrently } from '../../../src/kit/process/limiter.ts';
import { bill } from '../../support/bills.ts';
import { aTeam } from '../../tenancy/team.ts';

it('lists a budget without figures while its costs are too expensive to read', async () => {
  const team = await aTeam();
  const { one } = team.accounts;
  await team.rest('cleo', 'POST', '/budgets', { name: 'Heavy', amount: 100 });
  const charges = [{ account: one, date: '2026-11-20', cost: '90' }] as const;
  await bill(team.deps, team.organizationId, { charges, completeThrough: { [one]: '2026-11-20' } });
  const { pool } = team.deps;
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<never>;
  vi.spyOn(pool, 'query').mockImplementation(async (...asked: unknown[]) => {
    if (JSON.stringify(asked).includes('cost_rollups')) throw tooSlow(30_000, true);
    return query(...asked);
  });
  const { status, body } = await team.rest('cleo', 'GET', '/budgets?sort_by=-percent_used');
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    {
      name: 'Heavy',
      current_spend: null,
      forecasted_spend: null,
      remaining: null,
      percent_used: null,
      status: null,
      projected_status: null,
      complete_through: null,
      unconverted: [],
    },
  ]);
});

it('works on every item although one fails, and reports that', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 1) throw new Error('one failed');
    done.push(item);
  };
  await expect(eachConcurrently([1, 2, 3], 1, work)).rejects.toThrow('one failed');
  expect(done).toEqual([2, 3]);
});
