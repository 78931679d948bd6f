import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceRequest, resourceSortFields } from '../../../src/facts/inventory/input.ts';
import { readResource, summarizeInventory } from '../../../src/facts/inventory/run.ts';
import { newId } from '../../../src/kit/ids.ts';
import type { SortBy } from '../../../src/kit/sort.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { billsOfFile, type Bills } from '../../ingest/world.ts';
import { charge, lastDay, list, listed, load, pageOf, refresh, resources } from './world.ts';

const aBill = billsOfFile();

const tags = (team: string) => ({ Tags: JSON.stringify({ Team: team }) });
const machine = { ServiceName: 'Amazon EC2', ResourceType: 'Instance' };

let bills: Bills;
beforeAll(async () => {
  bills = await aBill.ofFile();
  await load(bills, [
    charge(lastDay, { cost: '3', ResourceId: 'vol-a', ResourceName: 'Orders', ...tags('red') }),
    charge(lastDay, { cost: '1', ResourceId: 'vol-b', ResourceName: 'carts', RegionId: 'us-east-1', ...tags('blue') }),
    charge('2026-08-07', { cost: '2', ResourceId: 'i-c', ResourceName: 'web', ...machine, ...tags('x,y') }),
    charge(lastDay, { cost: '5', ResourceId: 'i-d', ResourceName: 'ORDERS-api', ...machine }),
    charge('2026-08-01', { cost: '9', ResourceId: 'i-gone', ResourceName: 'gone', ...machine, ProviderName: 'Oracle' }),
    ...(['2026-07-28', '2026-07-29', '2026-07-30', '2026-07-31'] as const).map((day) =>
      charge(day, { ResourceId: 'i-gone', ...machine, ProviderName: 'Oracle' }),
    ),
  ]);
  await list(bills, [listed({ nativeId: 'vol-e', name: 'extra', tags: { env: 'blue' } })], '2026-08-10T06:00:00Z');
  await refresh(bills);
});

const names = async (request: ResourceRequest) => (await resources(bills, request)).map(({ name }) => name);

describe('resource list', () => {
  it.each<[ResourceRequest, string[]]>([
    [{}, ['ORDERS-api', 'Orders', 'carts', 'extra', 'web']],
    [{ includeGone: true }, ['ORDERS-api', 'Orders', 'carts', 'extra', 'gone', 'web']],
    [{ provider: ['oracle'], includeGone: true }, ['gone']],
    [{ provider: ['oracle', 'nobody'] }, []],
    [{ resourceType: ['Instance'] }, ['ORDERS-api', 'web']],
    [{ resourceType: ['Instance', 'AWS::EC2::Volume'] }, ['ORDERS-api', 'extra', 'web']],
    [{ service: ['Amazon EBS'] }, ['Orders', 'carts', 'extra']],
    [{ region: ['us-east-1'], service: ['Amazon EBS'] }, ['carts']],
    [{ tagKey: 'TEAM' }, ['Orders', 'carts', 'web']],
    [{ tagKey: 'user:team', tagValue: ['blue'] }, ['carts']],
    [{ tagKey: 'team', tagValue: ['red', 'x,y'] }, ['Orders', 'web']],
    [{ tagKey: 'team', tagValue: ['Red'] }, []],
    [{ tagKey: 'team', tagValue: [] }, []],
    [{ tagKey: 'te' }, []],
    [{ tagKey: 'TEAM', untagged: true }, ['ORDERS-api', 'extra']],
    [{ tagKey: 'te', untagged: true, search: 'orders' }, ['ORDERS-api', 'Orders']],
    [{ tagKey: 'team', untagged: false }, ['Orders', 'carts', 'web']],
    [{ tagKey: 'team\0' }, []],
    [{ search: 'orders' }, ['ORDERS-api', 'Orders']],
    [{ search: 'VOL-' }, ['Orders', 'carts', 'extra']],
    [{ search: '%' }, []],
    [{ search: '\0' }, []],
    [{ search: 'o', resourceType: ['Instance'], includeGone: true }, ['ORDERS-api', 'gone']],
    [{ accountId: [newId(new Date()), 'nonsense'] }, []],
  ])('is filtered by %j', async (request, expected) => {
    expect((await names(request)).toSorted()).toEqual(expected);
    const { rows, total } = await pageOf(bills, request);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(expected);
    expect(total).toBe(expected.length);
    expect((await summarizeInventory(bills.deps, bills.scope, request)).total).toBe(expected.length);
  });

  it.each<[SortBy<typeof resourceSortFields>, string[]]>([
    ['name', ['carts', 'extra', 'Orders', 'ORDERS-api', 'web']],
    ['-name', ['web', 'ORDERS-api', 'Orders', 'extra', 'carts']],
    ['-cost_last_30_days', ['ORDERS-api', 'Orders', 'web', 'carts', 'extra']],
    ['last_seen_at', ['web', 'extra']],
    ['-first_seen_at', ['extra', 'web']],
  ])('is sorted by %s', async (sortBy, expected) => {
    const found = (await pageOf(bills, { sortBy })).rows.map(({ name }) => name);
    expect(await names({ sortBy })).toEqual(found);
    expect(expected.length === 2 ? [found[0], found.at(-1)] : found).toEqual(expected);
  });

  it('is stable and complete across pages, newest first', async () => {
    const whole = (await resources(bills)).map(({ id }) => id);
    expect(whole).toEqual(whole.toSorted().toReversed());
    const pages = await Promise.all([0, 2, 4, 6].map((skip) => pageOf(bills, {}, { skip, take: 2 })));
    expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(whole);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  it.each<[ResourceRequest, string]>([
    [{ tagValue: ['red'] }, 'tag_value "red" requires tag_key; give both or neither'],
    [{ untagged: true }, 'untagged "true" requires tag_key; give both or neither'],
    [{ tagKey: 'team', tagValue: ['red'], untagged: true }, 'untagged and tag_value cannot be combined; leave one out'],
    [{ tagKey: ' ' }, 'tag_key " " is blank; give the key of a tag, such as team'],
    [{ search: 'x'.repeat(501) }, 'search has 501 characters; at most 500 are allowed'],
  ])('rejects the filter %j', async (request, message) => {
    await expect(resources(bills, request)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message });
  });
});

it('summarizes resources by type, region and account, the largest count first', async () => {
  expect(await summarizeInventory(bills.deps, bills.scope, {})).toEqual({
    total: 5,
    byType: [
      { resourceType: 'Instance', count: 2 },
      { resourceType: 'Volume', count: 2 },
      { resourceType: 'AWS::EC2::Volume', count: 1 },
    ],
    byRegion: [
      { region: 'eu-west-1', count: 4 },
      { region: 'us-east-1', count: 1 },
    ],
    byAccount: [{ accountId: bills.accountId, accountName: 'Bills', count: 5 }],
  });
});

it('shows a resource, even a deleted one, only to users with access to its account', async () => {
  const found = (await pageOf(bills, { includeGone: true })).rows.find(({ name }) => name === 'gone');
  const id = found?.id ?? '';
  const { deps, scope, accountId } = bills;
  expect(await readResource(deps, orgScope(scope.organizationId, [accountId]), id, {})).toEqual(found);
  const others = [orgScope(scope.organizationId, []), orgScope(newId(new Date()), null)];
  for (const other of others) {
    await expect(readResource(deps, other, id, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await pageOf({ deps, scope: other })).toEqual({ rows: [], total: 0 });
    expect(await pageOf({ deps, scope: other }, { tagKey: 'team' })).toEqual({ rows: [], total: 0 });
  }
  await expect(readResource(deps, scope, 'nonsense', {})).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('nonsense'),
  });
});

it('returns current text and tags after an evaluation with changes', async () => {
  const own = await aBill();
  await load(own, [charge(lastDay, { ...tags('red') })]);
  await refresh(own);
  const found = async () => (await resources(own, { search: 'orders', tagKey: 'team' })).map((each) => each.tags);
  expect(await found()).toEqual([{ Team: 'red' }]);
  await load(own, [charge(lastDay, { ...tags('green') })]);
  await refresh(own);
  expect(await found()).toEqual([{ Team: 'green' }]);
});

it('sorts costs in the organization’s currency', async () => {
  const own = await aBill();
  const { organizationId } = own.scope;
  const rate = { organizationId, month: new Date('2026-08-01'), from: 'EUR', to: 'USD', rate: '2' };
  await own.deps.db.exchangeRate.create({ data: rate });
  const of = (name: string, cost: string, BillingCurrency = 'USD') =>
    charge(lastDay, { cost, BillingCurrency, ResourceId: name, ResourceName: `r ${name}` });
  await load(own, [of('a', '5'), of('b', '3', 'EUR'), of('c', '7'), of('d', '100', 'JPY'), of('e', '1', 'EUR')]);
  await refresh(own);
  const order = async (request: ResourceRequest) =>
    (await pageOf(own, request)).rows.map(({ name }) => name.at(-1)).join('');
  for (const search of [null, 'r']) {
    expect(await order({ search, sortBy: '-cost_last_30_days' })).toBe('cbaed');
    expect(await order({ search, sortBy: 'cost_last_30_days' })).toBe('eabcd');
  }
});

it('lists many matches in the same order as few', async () => {
  const own = await aBill();
  const { deps, scope } = own;
  await load(own, [charge(lastDay, { ResourceName: 'copy of', ...tags('red') })]);
  await refresh(own);
  // More than the limit for sorting; above it an index provides the order.
  const columns = `account_id, organization_id, provider, native_id, resource_type, service, region, sub_account, tags, tag_terms,
    metadata, currency, first_seen_at, last_seen_at`;
  await deps.pool.query(
    `INSERT INTO inventory_resources (${columns}, resource_id, id, name, search_text, cost_last_30_days)
     SELECT ${columns}, n, gen_random_uuid(), 'copy of ' || n, 'copy of ' || n, n % 977 FROM inventory_resources, generate_series(1, 20000) n
     WHERE organization_id = $1`,
    [scope.organizationId],
  );
  await deps.pool.query('UPDATE inventory_counts SET resources = 20001 WHERE organization_id = $1', [
    scope.organizationId,
  ]);
  const page = (request: ResourceRequest, skip: number) => pageOf(own, request, { skip, take: 7 });
  for (const [sortBy, skip] of [
    ['-cost_last_30_days', 0],
    ['name', 19_990],
    ['name', 3],
    [null, 500],
  ] as const) {
    const many = await page({ search: 'copy', sortBy }, skip);
    const all = await page({ sortBy }, skip);
    expect(many).toEqual(all);
    expect(many.total).toBe(20_001);
    const few = await page({ search: 'COPY of 1', sortBy }, skip);
    expect(few.total).toBe(11_111);
    expect(few.rows.every(({ name }) => name.startsWith('copy of 1'))).toBe(true);
    const keyOf = { '-cost_last_30_days': 'costLast30Days', name: 'name' } as const;
    if (sortBy === null) continue;
    const values = few.rows.map((row) => row[keyOf[sortBy]]);
    expect(values).toEqual(sortBy === 'name' ? values.toSorted() : values.toSorted((a, b) => Number(b) - Number(a)));
  }
});

it('distinguishes a key with a control character from a key and its value', async () => {
  const own = await aBill();
  await load(own, [
    charge(lastDay, { ResourceId: 'vol-odd', Tags: JSON.stringify({ 'team\u001fred': 'x' }) }),
    charge(lastDay, { ResourceId: 'vol-red', Tags: JSON.stringify({ team: 'red' }) }),
  ]);
  await refresh(own);
  const found = async (request: ResourceRequest) => (await resources(own, request)).map(({ nativeId }) => nativeId);
  expect(await found({ tagKey: 'team', tagValue: ['red'] })).toEqual(['vol-red']);
  expect(await found({ tagKey: 'team\u001fred' })).toEqual(['vol-odd']);
  expect(await found({ tagKey: 'team\u001fred', tagValue: ['x'] })).toEqual(['vol-odd']);
  expect(await found({ tagKey: 'team\u001fred', tagValue: ['y'] })).toEqual([]);
});

it('stores texts and finds tags of any length', async () => {
  const own = await aBill();
  const long = 'ü'.repeat(5000);
  await load(own, [charge(lastDay, { ResourceName: long, Tags: JSON.stringify({ note: long, [long]: 'x' }) })]);
  await refresh(own);
  const [one] = await resources(own, { tagKey: 'note', tagValue: [long] });
  expect(one?.name).toBe(long.slice(0, 500));
  expect(await resources(own, { tagKey: long })).toHaveLength(1);
  expect(await resources(own, { tagKey: 'note', tagValue: [long.slice(1)] })).toEqual([]);
});
