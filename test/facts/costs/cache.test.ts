import type { Pool } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AnswerCache } from '../../../src/kit/answer-cache.ts';
import type { CostDeps } from '../../../src/facts/costs/ledger.ts';
import type { CostRequest } from '../../../src/facts/costs/question.ts';
import { costsByService, prepareCosts } from '../../../src/facts/costs/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { fillCube } from '../../support/cube.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { aWorld, accountIds } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const scope = orgScope(organizationId, null);
const request: CostRequest = { view: 'by-service', startDate: '2024-02-01', endDate: '2024-03-31' };
const clock = { now: () => new Date('2024-05-11T12:00:00Z') };

let pool: Pool;
let deps: CostDeps;
let queries: string[] = [];

beforeAll(async () => {
  pool = (await freshDatabase()).pool;
  await fillCube({ pool }, aWorld(organizationId));
  const watched = new Proxy(pool, {
    get: (target, key) => {
      if (key !== 'query') return Reflect.get(target, key);
      return (query: { text: string }) => {
        queries.push(/\/\* (.*?) \*\//.exec(query.text)?.[1] ?? '');
        return target.query(query);
      };
    },
  });
  deps = { pool: watched, clock, ...factWorld() };
});

beforeEach(() => {
  queries = [];
});

describe('cost cache', () => {
  it('runs four queries for an uncached result, one for a cached result', async () => {
    const uncached = ['costs: ledger', 'costs: provisional rates', 'costs: missing bills', 'costs: rollups'];
    const first = await costsByService(deps, scope, request);
    expect(queries).toEqual(uncached);
    expect(await costsByService(deps, scope, request)).toBe(first);
    expect(queries).toEqual([...uncached, 'costs: ledger']);
  });

  it('reads no provisional rates if the organization has no rates', async () => {
    const own = (await freshDatabase()).pool;
    await fillCube({ pool: own }, { ...aWorld(organizationId), rates: [] });
    const text: string[] = [];
    const watching = new Proxy(own, {
      get: (target, key) =>
        key === 'query'
          ? (query: { text: string }) => (text.push(query.text), target.query(query))
          : Reflect.get(target, key),
    });
    await costsByService({ ...deps, pool: watching }, scope, { ...request, startDate: '2024-02-02' });
    expect(text.filter((query) => query.includes('costs: provisional rates'))).toEqual([]);
    expect(text).toHaveLength(3);
  });

  it('computes once for concurrent identical requests', async () => {
    const args = { ...request, chargeCategory: ['usage' as const] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => costsByService(deps, scope, args)));
    expect(queries.filter((name) => name === 'costs: rollups')).toHaveLength(1);
    expect(new Set(answers).size).toBe(1);
  });

  it('does not cache a failure', async () => {
    const broken = new Proxy(pool, {
      get: (target, key) =>
        key === 'query'
          ? (query: { text: string }) =>
              query.text.includes('costs: rollups') ? Promise.reject(new Error('down')) : target.query(query)
          : Reflect.get(target, key),
    });
    const failing = { ...deps, pool: broken };
    await expect(costsByService(failing, scope, request)).rejects.toThrow('down');
    await expect(costsByService(failing, scope, request)).rejects.toThrow('down');
  });
});

describe('client that disconnects', () => {
  /** A cache with a pending result. */
  function anAnswer() {
    const cache = new AnswerCache<{ given: number }>();
    const { promise, resolve } = Promise.withResolvers<{ given: number }>();
    const signals: AbortSignal[] = [];
    const compute = (signal: AbortSignal) => {
      signals.push(signal);
      return Promise.race([
        promise,
        new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ]);
    };
    return { ask: (signal?: AbortSignal) => cache.get(pool, 'key', compute, signal), give: resolve, signals };
  }

  it('aborts the computation if no other client waits, and the next request starts another', async () => {
    const { ask, give, signals } = anAnswer();
    const leaving = new AbortController();
    const left = ask(leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    expect(signals[0]?.aborted).toBe(true);
    const next = ask(new AbortController().signal);
    give({ given: 1 });
    expect(await next).toEqual({ given: 1 });
    expect(signals).toHaveLength(2);
  });

  it('does not affect the other clients', async () => {
    const { ask, give, signals } = anAnswer();
    const leaving = new AbortController();
    const [left, one, other] = [ask(leaving.signal), ask(new AbortController().signal), ask()];
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    give({ given: 1 });
    expect(await Promise.all([one, other])).toEqual([{ given: 1 }, { given: 1 }]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('version of a result', () => {
  const version = async (changes: Partial<CostRequest> = {}, now = '2024-05-11T12:00:00Z') =>
    (await prepareCosts({ pool, clock: { now: () => new Date(now) } }, scope, { ...request, ...changes })).key;

  it('is the same for the same query', async () => {
    expect(await version({ service: ['a', 'b'] })).toBe(await version({ service: ['b', 'a', 'b'] }));
    expect(await version({ costMetric: 'effective' })).toBe(await version());
    expect(await version({}, '2024-05-12T00:00:00Z')).toBe(await version());
  });

  it('differs with the query and its resolved dates', async () => {
    const versions = await Promise.all([
      version(),
      version({ view: 'by-region' }),
      version({ costMetric: 'billed' }),
      version({ endDate: '2024-03-30' }),
      version({ tagKey: 'team' }),
      version({ accountId: [accountIds[0]] }),
      version({ startDate: null, endDate: null }),
      version({ startDate: null, endDate: null }, '2024-05-12T00:00:00Z'),
    ]);
    expect(new Set(versions).size).toBe(versions.length);
  });

  it.each([
    `UPDATE accounts SET version = version + 1 WHERE id = '${accountIds[0]}'`,
    `UPDATE accounts SET name = 'Another' WHERE id = '${accountIds[1]}'`,
    `UPDATE organizations SET rates_version = rates_version + 1`,
    `UPDATE organizations SET currency = 'EUR'`,
  ])('changes after %s', async (sql) => {
    const before = await version();
    await pool.query(sql);
    expect(await version()).not.toBe(before);
  });

  it('does not change with an account outside of the query', async () => {
    const before = await version({ accountId: [accountIds[1]] });
    await pool.query(`UPDATE accounts SET version = version + 1 WHERE id = '${accountIds[0]}'`);
    expect(await version({ accountId: [accountIds[1]] })).toBe(before);
  });
});
