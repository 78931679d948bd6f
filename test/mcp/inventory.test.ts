import { describe, expect, it } from 'vitest';
import { recordListing } from '../../src/facts/inventory/listing.ts';
import { refreshInventory } from '../../src/facts/inventory/refresh.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { mcpWorld, now, type McpWorld } from './world.ts';

const place = { service: 'Amazon EBS', region: 'eu-west-1', resourceType: 'AWS::EC2::Volume', metadata: {}, tags: {} };

const volume = (nativeId: string, more: object = {}) => ({
  ...place,
  provider: 'aws',
  nativeId,
  name: nativeId,
  ...more,
});

const hostile = '"\u0001'.repeat(240);

/** 60 volumes and an instance in `prod`, five machines in `lab`. */
async function fill({ deps, organizationId, accounts }: McpWorld): Promise<void> {
  const scope = orgScope(organizationId, null);
  const machine = { service: 'Amazon EC2', resourceType: 'AWS::EC2::Instance' };
  const prod = [
    ...Array.from({ length: 60 }, (_, at) => volume(`vol-${at}`, { tags: { note: hostile, more: hostile } })),
    volume('i-1', { ...machine, name: 'web, main', metadata: { state: 'running' }, tags: { Team: 'web' } }),
  ];
  const azure = { provider: 'azure', service: 'Virtual Machines', region: 'westeurope', resourceType: 'vm' };
  const lab = Array.from({ length: 5 }, (_, at) => volume(`vm-${at}`, azure));
  for (const [account, items] of [
    [accounts.prod, prod],
    [accounts.lab, lab],
  ] as const) {
    await recordListing(deps, scope, account, { items, listedAt: now, unread: [] });
    await refreshInventory(deps, scope, account);
  }
  await deps.pool.query(`UPDATE inventory_resources SET cost_last_30_days = 12.345678 WHERE native_id = 'i-1'`);
}

const world = mcpWorld(fill);

interface Listed {
  readonly data: { readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

const list = (args: object = {}) => world().callTool<Listed>('list_resources', args);

describe('list_resources', () => {
  it('lists resources with cost and tags, most expensive first', async () => {
    const { data, pagination, as_of: asOf } = await list({ per_page: 1 });
    expect({ data, pagination, asOf }).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[\w-]{36}$/),
          name: 'web, main',
          native_id: 'i-1',
          resource_type: 'AWS::EC2::Instance',
          service: 'Amazon EC2',
          region: 'eu-west-1',
          provider: 'aws',
          account_id: world().accounts.prod,
          cost_last_30_days: 12.345678,
          currency: 'USD',
          other_costs: [],
          tags: { Team: 'web' },
          first_seen_at: '2026-11-21',
          last_seen_at: '2026-11-21',
          gone_at: null,
        },
      ],
      pagination: { page: 1, per_page: 1, total: 66, total_pages: 66 },
      asOf: '2026-11-21T10:00:00.000Z',
    });
  });

  it.each([
    [{ service: ['Virtual Machines'] }, 5],
    [{ provider: ['azure', 'aws'] }, 66],
    [{ resource_type: ['vm', 'AWS::EC2::Instance'] }, 6],
    [{ tag_key: 'team', tag_value: ['web'] }, 1],
    [{ search: 'web, m' }, 1],
    [{ region: ['eu-west-1'], search: 'VOL-5' }, 11],
    [{ account_id: ['nonsense'] }, 0],
    [{ service: ['a, b', 'Virtual Machines'] }, 5],
  ])('filters by %j', async (args, total) => {
    expect((await list(args))['pagination']).toMatchObject({ total });
  });

  it('truncates long answers, and reports it', async () => {
    const { data, truncated } = await list({ per_page: 50 });
    expect([data.length, truncated]).toEqual([50, true]);
  });

  it('shows a single resource with metadata', async () => {
    const id = (await list({ search: 'i-1' })).data[0]?.['id'];
    expect(await list({ resource_id: id })).toMatchObject({
      data: [{ id, metadata: { state: 'running' } }],
      pagination: { total: 1 },
    });
  });

  it('gives a hint when there is nothing', async () => {
    expect((await list({ search: 'nobody' }))['hint']).toMatch(/use fewer filters/);
    expect((await list({ page: 99 }))['hint']).toBe('Page 99 is after the last one, 4');
  });

  it.each([
    [{ resource_id: 'x', search: 'y', page: 1 }, 'VALIDATION_ERROR', 'omit search, page, or omit resource_id'],
    [{ resource_id: '019a8c2e-0000-7000-8000-000000000000' }, 'NOT_FOUND', '019a8c2e-0000-7000-8000-000000000000'],
    [{ resource_id: '..' }, 'VALIDATION_ERROR', 'resource_id: This is not a valid id'],
    [{ resource_id: 'summary' }, 'VALIDATION_ERROR', 'not a valid id'],
    [{ resource_id: 'x'.repeat(65) }, 'VALIDATION_ERROR', 'not a valid id'],
    [{ tag_value: ['web'] }, 'VALIDATION_ERROR', 'tag_key'],
    [{ per_page: 51 }, 'VALIDATION_ERROR', 'per_page'],
    [{ owner: 'me' }, 'VALIDATION_ERROR', 'owner'],
  ])('rejects %j', async (args, code, message) => {
    const { isError, text } = await world().tryTool('list_resources', args);
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ error: { code, message: expect.stringContaining(message) } });
  });
});

describe('get_inventory_summary', () => {
  it('counts by type, region and account', async () => {
    const { accounts, callTool } = world();
    expect(await callTool('get_inventory_summary')).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      total: 66,
      by_type: [
        { resource_type: 'AWS::EC2::Volume', count: 60 },
        { resource_type: 'vm', count: 5 },
        { resource_type: 'AWS::EC2::Instance', count: 1 },
      ],
      by_region: [
        { region: 'eu-west-1', count: 61 },
        { region: 'westeurope', count: 5 },
      ],
      by_account: [
        { account_id: accounts.prod, account_name: 'prod', count: 61 },
        { account_id: accounts.lab, account_name: 'lab', count: 5 },
      ],
      other: { by_type: 0, by_region: 0, by_account: 0 },
    });
  });

  it('counts the omitted groups, so that each split adds up', async () => {
    expect(await world().callTool('get_inventory_summary', { limit: 1 })).toMatchObject({
      total: 66,
      by_type: [{ count: 60 }],
      other: { by_type: 6, by_region: 5, by_account: 5 },
    });
  });

  it('gives a hint when there is nothing', async () => {
    expect(await world().callTool('get_inventory_summary', { region: ['mars'] })).toMatchObject({
      total: 0,
      hint: expect.stringContaining('list_accounts'),
    });
  });
});
