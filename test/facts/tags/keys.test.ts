import { beforeAll, describe, expect, it } from 'vitest';
import { costsByTag } from '../../../src/facts/costs/run.ts';
import { evaluateTags } from '../../../src/facts/tags/evaluation/evaluate.ts';
import type { TagKey } from '../../../src/facts/tags/graphql-types.ts';
import { pageTags, type KeyQuery } from '../../../src/facts/tags/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { fillCharges, fillInventory, type Charge, type Owned } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const [one, two, other] = [
  '01890000-0000-7000-8000-00000000000a',
  '01890000-0000-7000-8000-00000000000b',
  '01890000-0000-7000-8000-00000000000c',
] as const;
const whole = orgScope(organizationId, null);
const all = { skip: 0, take: 100 };

let pool: Awaited<ReturnType<typeof freshDatabase>>['pool'];
const facts = factWorld();

/** Both accounts are complete through May 9, so the last 30 days begin on April 10. */
const charges: readonly Charge[] = [
  { account: one, date: '2024-04-10', cost: 10, tags: { Team: 'red', env: 'prod' } },
  { account: one, date: '2024-05-09', cost: 30, tags: { team: 'blue' } },
  { account: one, date: '2024-05-09', cost: 40, resource: 'other' },
  // Outside of the 30 days, on either side.
  { account: one, date: '2024-04-09', cost: 500, tags: { team: 'old', past: 'x' } },
  { account: one, date: '2024-05-10', cost: 500, tags: { team: 'new' } },
  // Untaggable charges count neither as covered nor as uncovered.
  { account: one, date: '2024-05-01', cost: 7, category: 'tax', tags: { team: 'red' } },
  { account: one, date: '2024-05-01', cost: -3, category: 'credit' },
  { account: one, date: '2024-05-01', cost: 9, service: 'AWS Support (Business)' },
  { account: one, date: '2024-05-01', cost: 11, pricingKind: 7 },
  { account: one, date: '2024-05-01', cost: 13, pricingKind: 6 },
  { account: one, date: '2024-05-01', cost: 15, category: 'purchase', isCommitment: true },
  { account: one, date: '2024-05-01', cost: 17, resource: null },
  // A purchase without a commitment.
  { account: one, date: '2024-05-02', cost: 20, category: 'purchase' },
  // Two months of euros, with rates 2 and 3, and yen without a rate.
  { account: two, date: '2024-04-30', cost: 5, currency: 'EUR', provider: 'azure', tags: { TEAM: 'red' } },
  { account: two, date: '2024-05-01', cost: 10, currency: 'EUR', provider: 'azure' },
  { account: two, date: '2024-05-01', cost: 1000, currency: 'JPY', tags: { yen: 'x' } },
];

const resources: readonly Owned[] = [
  { account: one, name: 'a', tags: { Team: 'red', 'a/b "c"': '' } },
  { account: one, name: 'b', tags: { Team: 'green' } },
  { account: one, name: 'c', tags: { team: 'green', Team: 'red' } },
  { account: one, name: 'd', tags: { team: 'lost', only: 'gone' }, gone: true },
  { account: two, name: 'e', tags: { 'user:team': 'white' }, provider: 'azure' },
];

beforeAll(async () => {
  pool = (await freshDatabase()).pool;
  const accounts = [one, two].map((id) => ({ id, name: id, completeThrough: '2024-05-09' as const }));
  await fillCharges({ pool, ...facts }, organizationId, { accounts, charges });
  await fillInventory(pool, organizationId, resources);
  for (const id of [one, two]) await evaluateTags({ pool, ...facts }, whole, id);
  // A repeated evaluation must not change the result.
  await evaluateTags({ pool, ...facts }, whole, one);
});

const read = (query: KeyQuery = {}, scope = whole) => pageTags({ pool }, scope, query, all);
const keysOf = ({ rows }: { rows: readonly TagKey[] }) => rows.map(({ key }) => key);

describe('tag keys', () => {
  it('are merged case-insensitively, with values, resources and the cost of their charges', async () => {
    const { rows, total } = await read();
    expect(total).toBe(4);
    expect(rows).toEqual([
      // 10 + 30 + 7 tax + 5 euros × 2; taggable: 50 of 10 + 30 + 40 + 20 + 5 euros × 2 + 10 × 3 = 140.
      { key: 'Team', valueCount: 4, resourceCount: 4, costLast30Days: 57, currency: 'USD', coveragePercent: 35.71 },
      { key: 'env', valueCount: 1, resourceCount: 0, costLast30Days: 10, currency: 'USD', coveragePercent: 7.14 },
      { key: 'a/b "c"', valueCount: 1, resourceCount: 1, costLast30Days: 0, currency: 'USD', coveragePercent: 0 },
      // Yen have no exchange rate.
      { key: 'yen', valueCount: 1, resourceCount: 0, costLast30Days: 0, currency: 'USD', coveragePercent: 0 },
    ]);
  });

  it('have the same cost as the groups of the cost endpoint for the same days', async () => {
    const deps = { pool, ...facts, clock: { now: () => new Date('2024-05-11T12:00:00Z') } };
    for (const { key, costLast30Days } of (await read()).rows) {
      const args = { tagKey: key, startDate: '2024-04-10', endDate: '2024-05-09' };
      const { groups } = await costsByTag(deps, whole, args);
      const tagged = groups.filter(({ tagValue }) => tagValue !== null);
      expect(tagged.reduce((sum, { cost }) => sum + cost, 0)).toBe(costLast30Days);
    }
  });

  it('convert a month without a rate at the last rate before it', async () => {
    const mayRate = `organization_id = '${organizationId}' AND month = '2024-05-01'`;
    const { rows: may } = await pool.query(`DELETE FROM exchange_rates WHERE ${mayRate} RETURNING rate`);
    // Taggable: 10 + 30 + 40 + 20 + (5 + 10) euros × 2 = 130.
    expect((await read()).rows[0]).toMatchObject({ key: 'Team', costLast30Days: 57, coveragePercent: 38.46 });
    await pool.query(
      `INSERT INTO exchange_rates (organization_id, month, from_currency, to_currency, rate)
       VALUES ('${organizationId}', '2024-05-01', 'EUR', 'USD', $1)`,
      [may[0].rate],
    );
  });

  it('are limited to the user’s accounts', async () => {
    expect((await read({}, orgScope(organizationId, [two]))).rows[0]).toEqual({
      key: 'team',
      valueCount: 2,
      resourceCount: 1,
      costLast30Days: 10,
      currency: 'USD',
      coveragePercent: 25,
    });
    expect(await read({}, orgScope(organizationId, []))).toEqual({ rows: [], total: 0 });
  });

  it('can be searched, filtered and sorted', async () => {
    expect(keysOf(await read({ search: 'EA' }))).toEqual(['Team']);
    expect(keysOf(await read({ search: '%' }))).toEqual([]);
    expect(keysOf(await read({ accountId: [two, other] }))).toEqual(['team', 'yen']);
    expect(keysOf(await read({ accountId: [other] }))).toEqual([]);
    expect(keysOf(await read({ provider: ['azure'] }))).toEqual(['team']);
    expect((await read({ provider: ['azure'] })).rows[0]?.coveragePercent).toBe(25);
    expect(keysOf(await read({ sortBy: 'key' }))).toEqual(['a/b "c"', 'env', 'Team', 'yen']);
    expect(keysOf(await read({ sortBy: 'cost_last_30_days' }))).toEqual(['a/b "c"', 'yen', 'env', 'Team']);
  });

  it('are paginated', async () => {
    const second = await pageTags({ pool }, whole, {}, { skip: 1, take: 1 });
    expect({ keys: keysOf(second), total: second.total }).toEqual({ keys: ['env'], total: 4 });
    expect(await pageTags({ pool }, whole, {}, { skip: 10, take: 10 })).toEqual({ rows: [], total: 4 });
  });
});
