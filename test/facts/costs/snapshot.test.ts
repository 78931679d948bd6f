import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { costsByTag } from '../../../src/facts/costs/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube, type LineItem } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { accountIds } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };

function aLine(team: string, effective: bigint): LineItem {
  const money = { billed: 0n, effective: effective * 10n ** 12n, list: 0n, contracted: 0n };
  const place = { provider: 'aws', service: 'Compute', serviceCategory: 'Compute', region: 'global', subAccount: '1' };
  return {
    account: accountIds[0],
    billingPeriod: '2024-04',
    date: '2024-04-10',
    currency: 'USD',
    category: 'usage',
    tags: { team },
    ...place,
    ...money,
  };
}

/** A text with its values, or an object with both. */
type Statement = readonly [{ text: string } | string, ...unknown[]];

type Run = (...statement: Statement) => Promise<unknown>;

/** The pool, with another action that runs once, right after a given statement of a connection taken from it. */
function interrupted(pool: Pool, after: string, act: () => Promise<unknown>): Pool {
  let isDue = true;
  const query = async (run: Run, ...statement: Statement) => {
    const result = await run(...statement);
    const [first] = statement;
    if (isDue && (typeof first === 'string' ? first : first.text).includes(after)) {
      isDue = false;
      await act();
    }
    return result;
  };
  const watched = <Target extends object>(target: Target, run: Run): Target =>
    new Proxy(target, {
      get: (_target, key) => {
        if (key === 'query') return (...statement: Statement) => query(run, ...statement);
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const connect = async () => {
    const client = await pool.connect();
    return watched(client, client.query.bind(client) as Run);
  };
  return new Proxy(watched(pool, pool.query.bind(pool) as Run), {
    get: (target, key) => (key === 'connect' ? connect : Reflect.get(target, key)),
  });
}

it('returns a consistent result when a load commits between two reads', async () => {
  const { pool } = await freshDatabase();
  const account = { id: accountIds[0], name: 'One', completeThrough: null };
  const lines = [aLine('red', 2n), aLine('blue', 1n)];
  const identifiers = [{ key: 'team', periods: ['2024-04' as const] }];
  const facts = factWorld();
  await fillCube(
    { pool, ...facts },
    { organizationId, currency: 'USD', accounts: [account], lines, rates: [], identifiers },
  );
  let loads = 0;
  // The first read finds that the rollups lack the key, so facts are read, in the same snapshot.
  const busy = interrupted(pool, 'isLeftOut', async () => {
    loads += 1;
    await pool.query('UPDATE tag_keys SET rolled_up = true');
    await pool.query(`UPDATE billing_periods SET facts = '[]'`);
  });
  const args = { tagKey: 'team', startDate: '2024-04-01', endDate: '2024-04-30' };
  const answer = await costsByTag({ pool: busy, clock, engine: facts.engine }, orgScope(organizationId, null), args);
  expect(loads).toBe(1);
  expect(answer.groups.map((group) => [group.tagValue, group.cost])).toEqual([
    ['red', 2],
    ['blue', 1],
  ]);
});
