import { describe, expect, it } from 'vitest';
import { billsOfFile } from '../../ingest/world.ts';
import { background, charge, daily, disk, lastDay, list, listed, load, refresh, resources } from './world.ts';

const aBill = billsOfFile();

describe('inventory from bills', () => {
  it('contains the latest billed values, and the cost of the last 30 complete days', async () => {
    const bills = await aBill();
    const tags = (team: string) => ({ Tags: JSON.stringify({ Team: team, 'user:App': 'shop' }) });
    await load(bills, [
      ...background(),
      charge('2026-07-09', { cost: '100' }),
      charge('2026-07-10', { cost: '2.5', ...tags('old') }),
      charge(lastDay, { cost: '0.25', ...tags('new') }),
      charge(lastDay, { cost: '0.05', ServiceName: 'AWS Data Transfer', RegionId: 'us-east-1', ...tags('net') }),
      charge('2026-08-09', { cost: '7' }),
    ]);
    expect(await refresh(bills)).toBe(2);
    expect(await disk(bills)).toMatchObject({
      accountId: bills.accountId,
      provider: 'aws',
      name: 'orders',
      resourceType: 'Volume',
      service: 'Amazon EBS',
      region: 'eu-west-1',
      tags: { Team: 'new', App: 'shop' },
      metadata: {},
      costLast30Days: '2.800000000000',
      currency: 'USD',
      firstSeenAt: '2026-07-09',
      lastSeenAt: '2026-08-09',
      goneAt: null,
    });
  });

  it('uses the Name tag or the end of the id as name if the bill has none', async () => {
    const bills = await aBill();
    const arn = 'arn:aws:ec2:eu-west-1:1:volume/vol-9';
    await load(bills, [
      charge(lastDay, { ResourceName: null, Tags: '{"Name":"tagged"}' }),
      charge(lastDay, { ResourceName: null, ResourceId: arn }),
    ]);
    await refresh(bills);
    expect((await resources(bills, { sortBy: 'name' })).map(({ name }) => name)).toEqual(['tagged', 'vol-9']);
  });

  it('keeps resource ids, and writes nothing the second time', async () => {
    const bills = await aBill();
    await load(bills, background());
    await refresh(bills);
    const read = async () =>
      (await bills.pool.query(`SELECT id, xmin FROM inventory_resources WHERE account_id = $1`, [bills.accountId]))
        .rows;
    const before = await read();
    await refresh(bills, '2026-08-11T12:00:00Z');
    expect(await read()).toEqual(before);
    expect(before[0].id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('deleted resource', () => {
  it.each([
    ['2026-08-05', false],
    ['2026-08-04', true],
  ] as const)('is detected for daily charges up to %s: %s', async (end, isGone) => {
    const bills = await aBill();
    await load(bills, [...background(), ...daily('2026-07-15', end)]);
    await refresh(bills);
    expect((await disk(bills))?.goneAt).toEqual(isGone ? new Date(`2026-08-05T00:00:00Z`) : null);
    expect(await resources(bills)).toHaveLength(isGone ? 1 : 2);
  });

  it('is detected only after a missed first of the month for monthly charges', async () => {
    const bills = await aBill();
    await load(bills, [...background(), charge('2026-06-01'), charge('2026-07-01')]);
    await refresh(bills);
    expect(await disk(bills)).toBeUndefined();
    await load(bills, [...background(), charge('2026-07-01'), charge('2026-08-01')]);
    await refresh(bills);
    expect((await disk(bills))?.goneAt).toBeNull();
  });

  it.each([
    ['the first of a month', '2026-08-01', {}, false],
    ['another day', '2026-07-31', {}, true],
    ['another day, for a purchase', '2026-07-31', { ChargeCategory: 'Purchase' }, false],
  ])('is not assumed for a single charge on %s if it may be monthly', async (_title, day, more, isGone) => {
    const bills = await aBill();
    await load(bills, [...background(), charge(day as '2026-08-01', more)]);
    await refresh(bills);
    expect((await disk(bills))?.goneAt === null).toBe(!isGone);
  });

  it('is not assumed for a machine that is off at weekends', async () => {
    const bills = await aBill();
    const weekdays = ['2026-07-24', '2026-07-27', '2026-07-28', '2026-08-03'] as const;
    await load(bills, [...background(), ...weekdays.map((day) => charge(day))]);
    await refresh(bills);
    expect((await disk(bills))?.goneAt).toBeNull();
  });

  it('is not restored by a refund, and is removed after 30 days', async () => {
    const bills = await aBill();
    const refund = charge('2026-08-07', { cost: '-1', ChargeCategory: 'Credit' });
    await load(bills, [...background(), ...daily('2026-07-15', '2026-08-01'), refund]);
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({ goneAt: new Date('2026-08-02T00:00:00Z'), lastSeenAt: '2026-08-01' });
    await refresh(bills, '2026-08-31T23:00:00Z');
    expect(await disk(bills)).toBeDefined();
    await refresh(bills, '2026-09-01T00:00:00Z');
    expect(await disk(bills)).toBeUndefined();
    await refresh(bills, '2026-09-01T01:00:00Z');
    expect(await disk(bills)).toBeUndefined();
  });

  it('has the last billed day as last seen, even if a later delivery removes days', async () => {
    const bills = await aBill();
    await load(bills, [...background(), ...daily('2026-07-15', lastDay)]);
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({ goneAt: null, lastSeenAt: lastDay });
    await load(bills, [...background(), ...daily('2026-07-15', '2026-07-31')]);
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({ goneAt: new Date('2026-08-10T12:00:00Z'), lastSeenAt: '2026-07-31' });
  });

  it('is marked when detected, and restored with the same id when billed again', async () => {
    const bills = await aBill();
    await load(bills, [
      ...daily('2026-07-10', '2026-07-20'),
      ...daily('2026-07-10', '2026-07-20', { ResourceId: 'i-0' }),
    ]);
    await refresh(bills, '2026-07-22T12:00:00Z');
    const { id, goneAt } = (await disk(bills)) ?? {};
    expect(goneAt).toBeNull();
    await load(bills, [...background(), ...daily('2026-07-10', '2026-07-20')]);
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({ id, goneAt: new Date('2026-08-10T12:00:00Z') });
    await load(bills, [...background(), ...daily('2026-07-10', '2026-07-20'), charge('2026-08-07')]);
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({ id, goneAt: null });
  });
});

describe('inventory with listings', () => {
  it('takes name, type, tags and metadata from the listing; service, region and cost from the bill', async () => {
    const bills = await aBill();
    await load(bills, [...background(), ...daily('2026-08-01', lastDay, { Tags: '{"team":"bill"}' })]);
    const item = listed({ tags: { Team: 'list' }, metadata: { state: 'available' }, service: 'EBS', region: 'eu' });
    await list(bills, [item], '2026-08-10T11:00:00Z');
    await refresh(bills);
    expect(await disk(bills)).toMatchObject({
      name: 'listed orders',
      resourceType: 'AWS::EC2::Volume',
      service: 'Amazon EBS',
      region: 'eu-west-1',
      tags: { Team: 'list' },
      metadata: { state: 'available' },
      costLast30Days: '8.000000000000',
      lastSeenAt: '2026-08-10',
      goneAt: null,
    });
  });

  it('includes unbilled listed resources in the account’s currency until a listing omits them', async () => {
    const bills = await aBill();
    await load(bills, background());
    await list(bills, [listed()], '2026-08-10T06:00:00Z');
    await refresh(bills);
    const there = {
      service: 'Amazon EBS',
      costLast30Days: '0',
      currency: 'USD',
      firstSeenAt: '2026-08-10',
      goneAt: null,
    };
    expect(await disk(bills)).toMatchObject(there);
    await list(bills, [listed({ nativeId: 'vol-2' })], '2026-08-10T12:00:00Z');
    await refresh(bills, '2026-08-10T12:30:00Z');
    expect(await disk(bills)).toMatchObject({ name: 'listed orders', goneAt: new Date('2026-08-10T12:30:00Z') });
  });

  it('marks a listed resource as deleted when a later listing omits it, but not one never listed', async () => {
    const bills = await aBill();
    await load(bills, [...background(), ...daily('2026-08-01', '2026-08-09')]);
    await list(bills, [listed()], '2026-08-09T06:00:00Z');
    await refresh(bills);
    expect((await disk(bills))?.goneAt).toBeNull();
    await list(bills, [listed({ nativeId: 'vol-2' })], '2026-08-10T06:00:00Z');
    await refresh(bills);
    expect((await disk(bills))?.goneAt).toEqual(new Date('2026-08-10T12:00:00Z'));
    expect((await resources(bills)).map(({ nativeId }) => nativeId).toSorted()).toEqual(['i-0', 'vol-2']);
  });

  it('keeps resources of a list that can no longer be read, billed or not, until it is read again', async () => {
    const bills = await aBill();
    await load(bills, [...background(), ...daily('2026-08-01', '2026-08-09')]);
    const volumes = { namedBy: 'eu-west-1/ec2:volume', metadata: { state: 'available' } };
    const machine = listed({ nativeId: 'i-9', namedBy: 'eu-west-1/ec2:instance' });
    const disks = ['vol-1', 'vol-2', 'vol-3'].map((nativeId) => listed({ nativeId, ...volumes }));
    await list(bills, [...disks, machine], '2026-08-09T06:00:00Z');
    await refresh(bills, '2026-08-09T12:00:00Z');
    const names = async () => (await resources(bills)).map(({ nativeId }) => nativeId).toSorted();
    // Another list contains one of them.
    const explored = listed({ nativeId: 'vol-3', name: 'explored', namedBy: 'eu-west-1/explored' });
    const unread = ['^eu-west-1/ec2:volume$'];
    await list(bills, [explored], '2026-08-10T06:00:00Z', unread);
    await refresh(bills);
    expect(await names()).toEqual(['i-0', 'vol-1', 'vol-2', 'vol-3']);
    const all = new Map((await resources(bills)).map((each) => [each.nativeId, each]));
    expect(all.get('vol-2')).toMatchObject({ metadata: { state: 'available' }, lastSeenAt: '2026-08-09' });
    expect(all.get('vol-3')).toMatchObject({ name: 'explored', lastSeenAt: '2026-08-10' });
    // That list can be read.
    await list(bills, [machine], '2026-08-11T06:00:00Z', unread);
    await refresh(bills, '2026-08-11T12:00:00Z');
    expect(await names()).toEqual(['i-0', 'i-9', 'vol-1', 'vol-2']);
    await list(bills, [machine, listed(volumes)], '2026-08-12T06:00:00Z');
    await refresh(bills, '2026-08-12T12:00:00Z');
    expect(await names()).toEqual(['i-0', 'i-9', 'vol-1']);
  });

  it('recognizes charges on the first of the month in bills that end with a 31-day month', async () => {
    const bills = await aBill();
    await load(bills, [
      ...daily('2026-07-01', '2026-07-31', { ResourceId: 'i-0' }),
      charge('2026-07-01', { cost: '9' }),
    ]);
    await bills.pool.query(`UPDATE accounts SET complete_through = '2026-07-31' WHERE id = $1`, [bills.accountId]);
    await refresh(bills, '2026-08-01T12:00:00Z');
    const known = { goneAt: null, service: 'Amazon EBS', region: 'eu-west-1', lastSeenAt: '2026-07-01' };
    // The first of the month is not in the last 30 days.
    expect(await disk(bills)).toMatchObject({ ...known, costLast30Days: '0' });
  });

  it('keeps unlisted resources deleted while they are billed, and removes them afterwards', async () => {
    const bills = await aBill();
    const monthly = { ResourceId: 'vol-2', ResourceName: 'monthly' };
    await load(bills, [...background(), ...daily('2026-07-10', lastDay), charge('2026-08-01', monthly)]);
    const disks = ['vol-1', 'vol-2', 'vol-3'].map((nativeId) => listed({ nativeId }));
    await list(bills, [...disks, listed({ nativeId: 'i-0' })], '2026-08-09T06:00:00Z');
    await refresh(bills, '2026-08-09T12:00:00Z');
    await list(bills, [listed({ nativeId: 'i-0' })], '2026-08-10T06:00:00Z');
    await refresh(bills);
    const before = await resources(bills, { includeGone: true });
    for (const day of ['2026-09-09', '2026-09-10', '2026-09-11']) {
      await list(bills, [listed({ nativeId: 'i-0' })], `${day}T06:00:00Z`);
      await refresh(bills, `${day}T12:00:00Z`);
    }
    expect(before.filter(({ goneAt }) => goneAt !== null)).toHaveLength(3);
    const after = await resources(bills, { includeGone: true });
    expect(after.map(({ id }) => id)).toEqual(
      before.filter(({ nativeId }) => nativeId !== 'vol-3').map(({ id }) => id),
    );
    expect(await resources(bills)).toHaveLength(1);
  });

  it('lists resources and commitments under the id of the bills if an alias matches it', async () => {
    const bills = await aBill();
    const plan = { CommitmentDiscountId: 'plan-1', CommitmentDiscountType: 'Reserved', ResourceId: 'i-0' };
    await load(bills, [...background(), charge('2026-03-01'), charge(lastDay, plan)]);
    const items = [
      listed({ nativeId: 'arn:vol-1', aliases: ['vol-1'] }),
      listed({ nativeId: 'arn:plan-1', aliases: ['other', 'plan-1'] }),
      // A resource that the bills contain under its own id keeps it, like one that they do not contain.
      listed({ nativeId: 'i-0', aliases: ['vol-1'] }),
      listed({ nativeId: 'new', aliases: ['new-1'] }),
    ];
    await list(bills, items, '2026-08-10T06:00:00Z');
    await refresh(bills);
    const found = await resources(bills, { includeGone: true });
    expect(Object.fromEntries(found.map(({ nativeId, firstSeenAt }) => [nativeId, firstSeenAt]))).toEqual({
      'vol-1': '2026-03-01',
      'i-0': '2026-07-01',
      'plan-1': '2026-08-10',
      new: '2026-08-10',
    });
  });

  it('rejects a listing older than the current one', async () => {
    const bills = await aBill();
    await list(bills, [listed()], '2026-08-10T06:00:00Z');
    await expect(list(bills, [], '2026-08-10T05:59:59Z')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The listing of 2026-08-10T05:59:59.000Z is older than the stored one',
    });
  });

  it('merges Azure ids that differ in case, and accepts any text', async () => {
    const bills = await aBill();
    const id = '/subscriptions/1/Disks/D';
    await load(bills, [charge(lastDay, { ProviderName: 'Microsoft', ResourceId: id })]);
    const hostile = { 'user:Team': 'a\0b', team: 'second', ' ': 'blank', half: '\uD800' };
    const item = listed({ provider: 'azure', nativeId: id.toUpperCase(), tags: hostile, metadata: { note: ['\0'] } });
    await list(bills, [item, listed({ ...item, name: 'last' })], '2026-08-10T06:00:00Z');
    expect(await refresh(bills)).toBe(1);
    expect(await resources(bills)).toMatchObject([
      {
        nativeId: id.toLowerCase(),
        name: 'last',
        tags: { Team: 'a\uFFFDb', half: '\uFFFD' },
        metadata: { note: ['\uFFFD'] },
      },
    ]);
  });
});
