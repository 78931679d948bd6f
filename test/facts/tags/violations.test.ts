import { beforeAll, describe, expect, it } from 'vitest';
import { evaluateTags } from '../../../src/facts/tags/evaluation/evaluate.ts';
import { pageViolations, type ViolationQuery } from '../../../src/facts/tags/run.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { freshDatabase } from '../../support/database.ts';
import { factWorld } from '../../support/facts.ts';
import { fillCharges, fillInventory, resourceId, type Charge, type Owned } from './world.ts';

const organizationId = '01890000-0000-7000-8000-000000000001';
const one = '01890000-0000-7000-8000-00000000000a';
const two = '01890000-0000-7000-8000-00000000000b';
const owners = '01890000-0000-7000-8000-0000000000a1';
const stages = '01890000-0000-7000-8000-0000000000a2';
const silent = '01890000-0000-7000-8000-0000000000a3';
const elsewhere = '01890000-0000-7000-8000-0000000000a4';
const whole = orgScope(organizationId, null);
const all = { skip: 0, take: 100 };

let database: Awaited<ReturnType<typeof freshDatabase>>;
const facts = factWorld();
const evaluate = (accountId: string, scope = whole) =>
  evaluateTags({ pool: database.pool, ...facts }, scope, accountId);

const day = '2024-05-01';
const untaggable: readonly Charge[] = [
  { account: one, date: day, cost: 7, category: 'tax', resource: 'tax' },
  { account: one, date: day, cost: -3, category: 'credit', resource: 'credit' },
  { account: one, date: day, cost: 3, category: 'adjustment', resource: 'adjustment' },
  { account: one, date: day, cost: 9, service: 'AWS Support (Business)', resource: 'support' },
  { account: one, date: day, cost: 11, pricingKind: 7, resource: 'unused' },
  { account: one, date: day, cost: 13, pricingKind: 6, resource: 'unused' },
  { account: one, date: day, cost: 0, category: 'purchase', isCommitment: true, resource: 'commitment' },
  // One taggable charge or a listing makes a resource taggable; a resource without charges is, too.
  { account: one, date: day, cost: 7, category: 'tax', resource: 'vm' },
  { account: one, date: day, cost: 7, resource: 'vm' },
  { account: one, date: day, cost: 7, category: 'tax', resource: 'listed' },
];

const names = ['tax', 'credit', 'adjustment', 'support', 'unused', 'commitment', 'listed'];
const resources: readonly Owned[] = [
  ...names.map((name) => ({ account: one, name, tags: { stage: 'prod' } })),
  // There is no exchange rate for yen.
  { account: one, name: 'quiet', tags: { stage: 'prod' }, cost: '900', currency: 'JPY' },
  { account: one, name: 'vm', tags: { stage: 'Prod' }, cost: '7.123456789012', resourceType: 'Disk' },
  { account: one, name: 'bucket', tags: { Owner: 'ana', stage: 'prd' }, cost: '3', currency: 'EUR' },
  { account: one, name: 'gone', tags: {}, cost: '100', gone: true },
  { account: two, name: 'vm', tags: {}, cost: '5', provider: 'azure' },
];

beforeAll(async () => {
  database = await freshDatabase();
  const { pool, prisma } = database;
  const accounts = [one, two].map((id) => ({ id, name: id, completeThrough: '2024-05-09' as const }));
  await fillCharges({ pool, ...facts }, organizationId, { accounts, charges: untaggable });
  await fillInventory(pool, organizationId, resources);
  await pool.query(
    `INSERT INTO inventory_listings SELECT account_id, resource_id, organization_id, provider, native_id, name,
       resource_type, service, region, tags, metadata, now() FROM inventory_resources WHERE name = 'listed'`,
  );
  const rule = { required: true, allowedValues: [], pattern: null, caseSensitive: false };
  const allowed = { ...rule, key: 'stage', required: false, allowedValues: ['prod'], caseSensitive: true };
  const policy = { organizationId, resourceTypes: [] };
  await prisma.tagPolicy.createMany({
    data: [
      { ...policy, id: owners, name: 'Owners', rules: [{ ...rule, key: 'Owner' }] },
      { ...policy, id: stages, name: 'Stages', rules: [allowed], accountId: one },
      { ...policy, id: silent, name: 'Silent', rules: [{ ...rule, key: 'none' }], enabled: false },
      {
        ...policy,
        id: elsewhere,
        name: 'Elsewhere',
        rules: [{ ...rule, key: 'none' }],
        accountId: two,
        provider: 'gcp',
      },
    ],
  });
  for (const id of [one, two, one]) await evaluate(id);
});

const read = (query: ViolationQuery = {}, scope = whole, page = all) =>
  pageViolations({ pool: database.pool, db: database.prisma }, scope, query, page);

/** Resource, key and problem of each violation, in order. */
async function found(query: ViolationQuery = {}, scope = whole) {
  const { rows, total } = await read(query, scope);
  expect(total).toBe(rows.length);
  return rows.map(({ resource, key, problem }) => `${resource.name} ${key} ${problem}`);
}

describe('violations', () => {
  it('are of existing, taggable resources, the largest cost first', async () => {
    const [dear, ...others] = await found();
    // 3 euros are 9 dollars.
    expect(dear).toBe('bucket stage value_not_allowed');
    expect(others.slice(0, 2).sort()).toEqual(['vm Owner missing', 'vm stage wrong_case']);
    expect(others.slice(2)).toEqual(['vm Owner missing', 'listed Owner missing', 'quiet Owner missing']);
  });

  it('contain the problem, the policy and the cost', async () => {
    const { rows } = await read({ problem: ['wrong_case'] });
    expect(rows).toEqual([
      {
        policyId: stages,
        policyName: 'Stages',
        resource: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          accountId: one,
          resourceId: expect.stringMatching(/^-?\d+$/),
          provider: 'aws',
          nativeId: 'vm',
          name: 'vm',
          resourceType: 'Disk',
          service: 'Compute',
          region: 'us-east-1',
        },
        key: 'stage',
        problem: 'wrong_case',
        value: 'Prod',
        costLast30Days: 7.123457,
        otherCosts: [],
        monthCosts: {},
        currency: 'USD',
      },
    ]);
    expect((await read({ key: ['stage'], problem: ['value_not_allowed'] })).rows[0]).toMatchObject({
      value: 'prd',
      costLast30Days: 3,
      currency: 'EUR',
    });
  });

  it('can be filtered', async () => {
    expect(await found({ policyId: [stages] })).toEqual(['bucket stage value_not_allowed', 'vm stage wrong_case']);
    expect(await found({ policyId: [silent, elsewhere, 'nonsense'] })).toEqual([]);
    expect(await found({ key: ['STAGE', 'none'] })).toHaveLength(2);
    expect(await found({ key: ['user:stage'] })).toHaveLength(2);
    expect(await found({ key: ['nothing'] })).toEqual([]);
    expect(await found({ resourceType: ['Disk'], problem: ['missing'] })).toEqual(['vm Owner missing']);
    expect(await found({ provider: ['azure'] })).toEqual(['vm Owner missing']);
    expect(await found({ accountId: [two] })).toEqual(['vm Owner missing']);
    expect(await found({ accountId: [] })).toEqual([]);
  });

  it('can be paginated by resource, each with all of its violations', async () => {
    const pages = async (query: ViolationQuery = {}) => {
      const pageAt = (skip: number) => read({ ...query, byResource: true }, whole, { skip, take: 2 });
      const answers = await Promise.all([0, 2, 4].map(pageAt));
      expect(new Set(answers.map(({ total }) => total))).toEqual(new Set([query.key ? 2 : 5]));
      return answers.map(({ rows }) => rows.map(({ resource, key }) => `${resource.name} ${key}`));
    };
    expect(await pages()).toEqual([
      ['bucket stage', 'vm Owner', 'vm stage'],
      ['vm Owner', 'listed Owner'],
      ['quiet Owner'],
    ]);
    expect((await pages({ sortBy: 'cost_last_30_days' })).at(-1)).toEqual(['quiet Owner']);
    expect((await pages({ sortBy: '-key' }))[0]).toEqual(['bucket stage', 'vm Owner', 'vm stage']);
    expect(await pages({ key: ['stage'] })).toEqual([['bucket stage', 'vm stage'], [], []]);
  });

  it('can be sorted and paginated', async () => {
    const sorted = await found({ sortBy: 'cost_last_30_days' });
    expect(sorted.at(-1)).toBe('quiet Owner missing');
    expect(sorted.slice(0, -1)).toEqual((await found()).slice(0, -1).toReversed());
    expect((await read({ sortBy: 'key' })).rows.map(({ key }) => key).join()).toBe(
      'Owner,Owner,Owner,Owner,stage,stage',
    );
    const byPolicy = (await read({ sortBy: '-policy_name' })).rows.map(({ policyName }) => policyName);
    expect([...new Set(byPolicy)]).toEqual(['Stages', 'Owners']);
    const orders = ['key', '-key', 'policy_name', '-policy_name', 'cost_last_30_days', '-cost_last_30_days'] as const;
    for (const query of [{}, { key: ['stage'] }, ...orders.map((sortBy) => ({ sortBy }))])
      for (const take of [1, 2, 4]) {
        const pages = [0, 1, 2, 3, 4, 5, 6].map((at) => read(query, whole, { skip: at * take, take }));
        const rows = (await Promise.all(pages)).flatMap((page) => page.rows);
        expect({ query, take, rows }).toEqual({ query, take, rows: (await read(query)).rows });
      }
    expect((await read({}, whole, { skip: 6, take: 2 })).total).toBe(6);
  });

  it('are sorted by key case-insensitively', async () => {
    const rename = async (from: string, to: string) => {
      for (const table of ['tag_violations', 'tag_violation_counts'])
        await database.pool.query(`UPDATE ${table} SET key = $2 WHERE key = $1`, [from, to]);
    };
    const keys = async (sortBy: 'key' | '-key') => (await read({ sortBy })).rows.map(({ key }) => key).join();
    await rename('Owner', 'owner');
    await rename('stage', 'Stage');
    const [ascending, descending] = [await keys('key'), await keys('-key')];
    await rename('owner', 'Owner');
    await rename('Stage', 'stage');
    expect(ascending).toBe('owner,owner,owner,owner,Stage,Stage');
    expect(descending).toBe('Stage,Stage,owner,owner,owner,owner');
  });

  it('are limited to the user’s accounts', async () => {
    expect(await found({}, orgScope(organizationId, [two]))).toEqual(['vm Owner missing']);
    expect(await found({ policyId: [stages] }, orgScope(organizationId, [two]))).toEqual([]);
    expect(await found({}, orgScope(organizationId, []))).toEqual([]);
    expect(await found({}, orgScope(organizationId, [one]))).toHaveLength(5);
  });

  it('are the same after another evaluation, and are deleted with their resource', async () => {
    const before = await read();
    await evaluate(one);
    expect(await read()).toEqual(before);
    await database.pool.query('UPDATE inventory_resources SET gone_at = now() WHERE resource_id = $1', [
      resourceId('bucket'),
    ]);
    await evaluate(one);
    expect(await found({ policyId: [stages] })).toEqual(['vm stage wrong_case']);
  });

  it('are not affected by the evaluation of an unknown account or another organization', async () => {
    await evaluate('01890000-0000-7000-8000-0000000000ff');
    const stranger = orgScope('01890000-0000-7000-8000-000000000002', null);
    await evaluate(one, stranger);
    expect(await found()).toHaveLength(5);
  });
});
