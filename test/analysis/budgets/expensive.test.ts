import type { Pool } from 'pg';
import { expect, it, vi } from 'vitest';
import { tooSlow } from '../../../src/engine/failures.ts';
import { eachConcurrently } from '../../../src/kit/process/limiter.ts';
import { bill } from '../../support/bills.ts';
import { aTeam } from '../../tenancy/team.ts';

/** Lets reads of costs fail. */
function refuseRollups(pool: Pool, isRefused = (_sql: string) => true): void {
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<never>;
  vi.spyOn(pool, 'query').mockImplementation(async (...asked: unknown[]) => {
    const sql = JSON.stringify(asked);
    if (sql.includes('cost_rollups') && isRefused(sql)) throw tooSlow(30_000, true);
    return query(...asked);
  });
}

it('lists a budget without figures while its costs are too expensive to read', async () => {
  const team = await aTeam();
  const { one } = team.accounts;
  await team.rest('cleo', 'POST', '/budgets', { name: 'Heavy', amount: 100 });
  const charges = [{ account: one, date: '2026-11-20', cost: '90' }] as const;
  await bill(team.deps, team.organizationId, { charges, completeThrough: { [one]: '2026-11-20' } });
  refuseRollups(team.deps.pool);
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

it('alerts without forecast and services while they are too expensive to read', async () => {
  const team = await aTeam();
  const { one } = team.accounts;
  const billed = (cost: string) => {
    const charges = [
      { account: one, date: '2026-11-20', cost, service: 'Amazon S3' },
      { account: one, date: '2026-11-20', cost: '5', service: 'AWS Lambda' },
    ] as const;
    return bill(team.deps, team.organizationId, { charges, completeThrough: { [one]: '2026-11-20' } });
  };
  await billed('90');
  await team.rest('cleo', 'POST', '/budgets', { name: 'Heavy', amount: 100, alert_thresholds: [50] });
  // Answers computed for the creation are no longer current.
  await billed('91');
  // Costs by day and by service; only the sum that the alert is about can be read.
  refuseRollups(team.deps.pool, (sql) => / AS (period|k0)/.test(sql));
  const [mail] = await team.mails();
  expect(mail?.subject).toContain('Heavy has reached 50% of its budget for November 2026');
  expect(mail?.text).not.toMatch(/Forecast for|Amazon S3/);
});
