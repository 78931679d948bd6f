import { describe, expect, it } from 'vitest';
import { remakeSums } from '../../src/analysis/recommendations/sums-store.ts';
import { inTransaction } from '../../src/kit/database/transaction.ts';
import { newId } from '../../src/kit/ids.ts';
import { orgScope } from '../../src/tenancy/auth/scope.ts';
import { connectTo, callsOf, mcpWorld, now, type McpWorld } from './world.ts';

const ids: Record<string, string> = {};

const script = (text: string) => ({ kind: 'aws_cli', title: 'Release', script: text, reversible: false });

/** Stores a recommendation as an evaluation would. */
async function keep({ deps, organizationId, accounts }: McpWorld, name: string, given: object = {}): Promise<void> {
  const at = new Date(now.getTime() - 86_400_000 + Object.keys(ids).length);
  const id = newId(at);
  ids[name] = id;
  await deps.db.recommendation.create({
    data: {
      id,
      organizationId,
      accountId: accounts.prod,
      fingerprint: id,
      provider: 'aws',
      type: 'aws_eip_idle',
      title: `Release ${name}`,
      description: 'Nothing uses it',
      nativeId: 'eipalloc-1',
      resourceName: 'vpn',
      currency: 'USD',
      estimatedMonthlySavings: '10',
      confidence: 'high',
      evidence: { window_end: '2026-11-18', charges: [{ meter: 'ElasticIP:IdleAddress', monthly_cost: 10 }] },
      scripts: [script('aws ec2 release-address')],
      createdAt: at,
      updatedAt: at,
      ...given,
    },
  });
}

async function fill(world: McpWorld): Promise<void> {
  await keep(world, 'small', { estimatedMonthlySavings: '1.000001' });
  await keep(world, 'large', { type: 'aws_ebs_unattached', estimatedMonthlySavings: '100.333333' });
  await keep(world, 'taken up', { type: 'aws_nat_idle', status: 'in_progress', estimatedMonthlySavings: '50.000002' });
  await keep(world, 'snoozed', { snoozedUntil: new Date('2026-12-01T00:00:00Z') });
  await keep(world, 'applied', { status: 'applied', realizedMonthlySavings: '7.5' });
  await keep(world, 'archived', { status: 'archived', statusReason: 'No' });
  await keep(world, 'hostile', {
    status: 'archived',
    evidence: { image_ids: Array.from({ length: 3000 }, (_, at) => `ami-${at}-${'x'.repeat(40)}`) },
    scripts: [script('y'.repeat(45_000)), script('aws ec2 deregister-image')],
  });
  const scope = orgScope(world.organizationId, null);
  await inTransaction(world.deps.pool, (client) => remakeSums(client, scope, world.accounts.prod));
}

const world = mcpWorld(fill);

interface Listed {
  readonly data: { readonly id: string; readonly title: string }[];
  readonly hint?: string;
}

const list = (args: object = {}) => world().callTool<Listed>('list_recommendations', args);
const titles = async (args: object) => (await list(args)).data.map(({ title }) => title);
const refused = async (tool: string, args: object) => {
  const { isError, text } = await world().tryTool(tool, args);
  expect(isError).toBe(true);
  return (JSON.parse(text) as { error: unknown }).error;
};

describe('list_recommendations', () => {
  it('lists potential savings, largest first', async () => {
    expect(await list()).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      data: [
        {
          id: ids['large'],
          title: 'Release large',
          description: 'Nothing uses it',
          type: 'aws_ebs_unattached',
          status: 'open',
          status_reason: null,
          snoozed_until: null,
          estimated_monthly_savings: 100.333333,
          realized_monthly_savings: null,
          currency: 'USD',
          confidence: 'high',
          provider: 'aws',
          account_id: world().accounts.prod,
          resource: { id: null, native_id: 'eipalloc-1', name: 'vpn' },
          created_at: expect.stringMatching(/^2026-11-20/),
        },
        expect.objectContaining({ id: ids['taken up'], status: 'in_progress' }),
        expect.objectContaining({ id: ids['small'], estimated_monthly_savings: 1.000001 }),
      ],
      pagination: { page: 1, per_page: 20, total: 3, total_pages: 1 },
    });
  });

  it.each([
    [{ include_snoozed: true }, ['Release large', 'Release taken up', 'Release snoozed', 'Release small']],
    [{ min_savings: 60 }, ['Release large']],
    [{ type: ['aws_nat_idle', 'aws_eip_idle'] }, ['Release taken up', 'Release small']],
    [{ status: ['applied'], sort_by: '-realized_monthly_savings' }, ['Release applied']],
    [{ sort_by: '-created_at', per_page: 1 }, ['Release taken up']],
    [{ provider: ['azure'] }, []],
  ])('filters by %j', async (args, expected) => {
    expect(await titles(args)).toEqual(expected);
  });

  it('gives a hint when there is nothing', async () => {
    expect((await list({ provider: ['azure'] })).hint).toMatch(/include_snoozed/);
  });
});

describe('get_recommendations_summary', () => {
  it('sums the potential savings', async () => {
    expect(await world().callTool('get_recommendations_summary')).toEqual({
      as_of: '2026-11-21T10:00:00.000Z',
      status: ['open', 'in_progress'],
      total_count: 3,
      total_estimated_monthly_savings: 151.333336,
      currency: 'USD',
      by_type: [
        { type: 'aws_ebs_unattached', count: 1, estimated_monthly_savings: 100.333333 },
        { type: 'aws_nat_idle', count: 1, estimated_monthly_savings: 50.000002 },
        { type: 'aws_eip_idle', count: 1, estimated_monthly_savings: 1.000001 },
      ],
      other_types: null,
      by_status: [
        { status: 'open', count: 2, estimated_monthly_savings: 101.333334 },
        { status: 'in_progress', count: 1, estimated_monthly_savings: 50.000002 },
      ],
    });
  });

  it('sums the omitted types, so that all add up', async () => {
    expect(await world().callTool('get_recommendations_summary', { limit: 1 })).toMatchObject({
      by_type: [{ estimated_monthly_savings: 100.333333 }],
      other_types: { types: 2, count: 2, estimated_monthly_savings: 51.000003 },
    });
  });

  it('gives a hint when there is nothing', async () => {
    expect(await world().callTool('get_recommendations_summary', { account_id: ['nobody'] })).toMatchObject({
      total_count: 0,
      hint: expect.stringMatching(/use fewer filters/),
    });
  });
});

describe('get_recommendation', () => {
  const get = (id: string | undefined) =>
    world().callTool<Record<string, unknown>>('get_recommendation', { recommendation_id: id });

  it('adds evidence and scripts', async () => {
    expect(await get(ids['large'])).toMatchObject({
      id: ids['large'],
      evidence: { window_end: '2026-11-18', charges: [{ meter: 'ElasticIP:IdleAddress', monthly_cost: 10 }] },
      remediation_scripts: [script('aws ec2 release-address')],
      scripts_left_out: 0,
    });
  });

  it('omits a script that is too long instead of truncating it, and reports it', async () => {
    expect(await get(ids['hostile'])).toMatchObject({
      truncated: true,
      remediation_scripts: [script('aws ec2 deregister-image')],
      scripts_left_out: 1,
    });
  });

  it('names an unknown id', async () => {
    expect(await refused('get_recommendation', { recommendation_id: 'nobody' })).toMatchObject({
      code: 'NOT_FOUND',
      status: 404,
      message: expect.stringContaining('nobody'),
    });
  });
});

describe('update_recommendation', () => {
  const update = (name: string, change: object) =>
    world().callTool('update_recommendation', { recommendation_id: ids[name], ...change });

  it('snoozes for days and wakes, idempotently', async () => {
    const asleep = { id: ids['small'], status: 'open', snoozed_until: '2026-12-21T00:00:00.000Z' };
    expect(await update('small', { snooze_days: 30 })).toMatchObject(asleep);
    expect(await update('small', { snooze_days: 30, wake: false })).toMatchObject(asleep);
    expect(await titles({})).not.toContain('Release small');
    expect(await update('small', { wake: true })).toMatchObject({ snoozed_until: null });
    expect(await titles({})).toContain('Release small');
  });

  it.each([
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31T08:30:00+02:00', '2026-12-31T06:30:00.000Z'],
  ])('snoozes until %s', async (until, instant) => {
    expect(await update('snoozed', { snoozed_until: until })).toMatchObject({ snoozed_until: instant });
  });

  it('sets a status with a reason', async () => {
    expect(await update('taken up', { status: 'applied', reason: 'Done on Friday' })).toMatchObject({
      status: 'applied',
      status_reason: 'Done on Friday',
      status_changed_at: '2026-11-21T10:00:00.000Z',
      currency: 'USD',
    });
    expect(await update('taken up', { reason: 'Done on Monday' })).toMatchObject({
      status: 'applied',
      status_reason: 'Done on Monday',
    });
    expect(await update('taken up', { reason: '' })).toMatchObject({ status: 'applied', status_reason: null });
    await update('taken up', { status: 'in_progress' });
  });

  it.each([
    [{}, 'Nothing to change: set status, reason, snooze_days, snoozed_until or wake'],
    [{ wake: false }, 'Nothing to change'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ snooze_days: 3, wake: true }, 'snooze_days and wake contradict each other: use one of them'],
    [{ snooze_days: 366 }, 'snooze_days'],
    [{ snoozed_until: 'next week' }, 'snoozed_until "next week" is not a valid timestamp'],
    [{ snoozed_until: '2026-02-31' }, 'is not a valid timestamp'],
    [
      { snoozed_until: '2026-11-01' },
      'snoozed_until "2026-11-01T00:00:00.000Z" must be later than now and at most 365 days ahead',
    ],
    [{ status: 'snoozed' }, 'status'],
  ])('rejects %j', async (change, message) => {
    expect(await refused('update_recommendation', { recommendation_id: ids['large'], ...change })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining(message),
    });
  });

  it('rejects a read-only token', async () => {
    const made = await world().rest<{ token: string }>('POST', '/auth/tokens', {
      token: world().accessToken,
      body: { name: 'reader', read_only: true },
    });
    const { client, close } = await connectTo(world().url, made.body.token);
    const { tryTool } = await callsOf(client);
    const { text } = await tryTool('update_recommendation', { recommendation_id: ids['large'], wake: true });
    await close();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'FORBIDDEN', status: 403 } });
  });
});
