import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { aLine, writeFocus, type FocusRow } from '../../support/focus.ts';
import { worldOfFile } from '../../support/world.ts';

const root = mkdtempSync(path.join(tmpdir(), 'costkeep-traps-'));
const world = worldOfFile({ config: { focusRoot: root } });
let token = '';
let accountId = '';

beforeAll(async () => {
  await writeFocus(path.join(root, 'bill/may.csv'), may);
  await writeFocus(path.join(root, 'bill/june.csv'), june);
  await writeFocus(path.join(root, 'bill/march.csv'), march);
  ({ token } = await world().register());
  const body = { name: 'Bill', provider: 'focus', settings: { path: 'bill' } };
  ({ id: accountId } = (await world().rest<{ id: string }>('POST', '/accounts', { token, body })).body);
  await sync();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function sync() {
  const { body } = await world().rest<{ id: string }>('GET', '/org', { token });
  await performSync(world().deps, orgScope(body.id, null), accountId, new AbortController().signal);
}

const nothing = { ResourceId: null, RegionId: null, SubAccountId: null, ServiceCategory: null };
const plan = { CommitmentDiscountId: 'sp-1', CommitmentDiscountCategory: 'Spend', PricingCategory: 'Committed' };
const inMay = { BillingPeriodStart: '2026-05-01T00:00:00Z' };

const may: FocusRow[] = [
  // A plan is bought for 310 per month; on the 5th it covers usage worth 10 for 6, and 4 of it are unused.
  aLine({ day: '2026-05-01', cost: '310', EffectiveCost: '0', ChargeCategory: 'Purchase', ...plan, ...nothing }),
  aLine({
    day: '2026-05-05',
    cost: '10',
    BilledCost: '0',
    EffectiveCost: '6',
    ...plan,
    CommitmentDiscountStatus: 'Used',
  }),
  aLine({ day: '2026-05-05', cost: '0', EffectiveCost: '4', ...plan, ...nothing, CommitmentDiscountStatus: 'Unused' }),
  aLine({ day: '2026-05-31', cost: '20', ChargeCategory: 'Tax', ServiceName: 'Tax', ...nothing }),
  aLine({ day: '2026-05-10', cost: '-5', ChargeCategory: 'Credit', ...nothing }),
  aLine({ day: '2026-05-10', cost: '-0.5', ChargeCategory: 'Adjustment' }),
  // On the bill of May: late usage of April, one charge for three days, and a day that starts earlier in UTC.
  aLine({ day: '2026-04-30', cost: '2', ...inMay }),
  aLine({ day: '2026-05-29', cost: '9', ChargePeriodEnd: '2026-06-01T00:00:00Z' }),
  aLine({ cost: '7', ...inMay, ChargePeriodStart: '2026-05-07T01:00:00+02:00' }),
  // One machine that changed its team, with four spellings of the key.
  aLine({ day: '2026-05-11', cost: '100', Tags: '{"Team":"red"}' }),
  aLine({ day: '2026-05-12', cost: '200', Tags: '{"user:team":"blue"}' }),
  aLine({ day: '2026-05-13', cost: '400', Tags: '{"team":"","a.b/\\"c\\"":"x,y"}' }),
  aLine({ day: '2026-05-14', cost: '800', Tags: '{"team":null}' }),
];

const june: FocusRow[] = [
  aLine({ day: '2026-06-02', cost: '1' }),
  aLine({ day: '2026-05-20', cost: '-3', BillingPeriodStart: '2026-06-01T00:00:00Z', ChargeClass: 'Correction' }),
];

// U+FEFF is a byte order mark only at the start of a file.
const marked = '\uFEFFX';
const march: FocusRow[] = [
  aLine({ day: '2026-03-02', cost: '5', SkuId: marked }),
  aLine({ day: '2026-03-02', cost: '7', SkuId: 'X' }),
];

interface Answer {
  readonly total_cost: number;
  readonly groups: readonly ({ cost: number } & Readonly<Record<string, unknown>>)[];
}

/** Queries May 2026, or other days. */
async function ask(view: string, query = '', days = '2026-05-01/2026-05-31'): Promise<Answer> {
  const [first, last] = days.split('/');
  const at = `/costs/${view}?start_date=${first}&end_date=${last}&${query}`;
  const answer = await world().rest<Answer>('GET', at, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function totalOf(query: string, days?: string): Promise<number> {
  return (await ask('summary', query, days)).total_cost;
}

async function onDay(day: string): Promise<number> {
  return totalOf('', `${day}/${day}`);
}

async function byTag(query: string): Promise<[unknown, number][]> {
  return (await ask('by-tag', query)).groups.map((group) => [group['tag_value'], group.cost]);
}

describe('commitment', () => {
  it('counts its purchase as billed cost, and its used and unused parts as effective cost', async () => {
    expect(await totalOf('charge_category=purchase&cost_metric=billed')).toBe(310);
    expect(await totalOf('charge_category=purchase&cost_metric=effective')).toBe(0);
    expect(await onDay('2026-05-05')).toBe(10);
  });

  it('includes the unused part, which has no resource, region or account', async () => {
    const regions = await ask('by-region', 'charge_category=usage');
    expect(regions.groups.map((group) => [group['region'], group.cost])).toEqual([
      ['us-east-1', 1519],
      ['global', 4],
    ]);
    const { groups } = await ask('by-account', 'charge_category=usage');
    expect(groups[0]?.['sub_accounts']).toEqual([
      { sub_account_id: '111', sub_account_name: '111', cost: 1519 },
      { sub_account_id: 'unassigned', sub_account_name: 'unassigned', cost: 4 },
    ]);
  });
});

describe('taxes, credits, adjustments and corrections', () => {
  it.each([
    ['tax', 20],
    ['credit', -5],
    ['adjustment', -0.5],
    ['tax,credit', 15],
    ['usage,purchase,adjustment', 1522.5],
    ['usage,purchase,adjustment,tax,credit', 1537.5],
  ])('can be selected or excluded by category: %s', async (categories, cost) => {
    expect(await totalOf(`charge_category=${categories}`)).toBe(cost);
  });

  it.each([
    'by-service?',
    'by-account?',
    'by-region?',
    'by-tag?tag_key=team',
    'daily?',
    'daily?group_by=region',
    'trend?',
    'summary?granularity=daily',
  ])('are in the total of every view, although they have no resource: %s', async (at) => {
    const [view = '', query] = at.split('?');
    expect((await ask(view, query)).total_cost).toBe(1537.5);
  });

  it('make a group negative when they exceed its costs', async () => {
    const { groups } = await ask('by-service', 'charge_category=tax,credit');
    expect(groups.map((group) => [group['service'], group.cost, group['percentage']])).toEqual([
      ['Tax', 20, 133.33],
      ['Virtual Machines', -5, -33.33],
    ]);
  });
});

describe('day of a charge', () => {
  it('is the day of use, whichever bill contains the charge', async () => {
    expect(await totalOf('', '2026-04-01/2026-04-30')).toBe(2);
    expect(await onDay('2026-05-20')).toBe(-3);
    expect(await totalOf('', '2026-06-01/2026-06-30')).toBe(1);
  });

  it('is each day of a charge over several, by duration', async () => {
    expect([await onDay('2026-05-29'), await onDay('2026-05-30')]).toEqual([3, 3]);
    expect(await totalOf('charge_category=usage', '2026-05-31/2026-05-31')).toBe(3);
  });

  it('is the UTC day, whatever the offset', async () => {
    expect([await onDay('2026-05-06'), await onDay('2026-05-07')]).toEqual([7, 0]);
  });
});

describe('tag', () => {
  it.each(['team', 'TEAM', 'user:Team'])(
    'is that of the charge, not the latest of its resource, and each charge counts once: %s',
    async (key) => {
      expect(await byTag(`tag_key=${key}`)).toEqual([
        [null, 837.5],
        ['', 400],
        ['blue', 200],
        ['red', 100],
      ]);
    },
  );

  it('with an empty value differs from a missing tag', async () => {
    expect(await totalOf('tag_key=team&tag_value=')).toBe(400);
    expect(await totalOf('tag_key=team&untagged=true')).toBe(837.5);
    expect(await totalOf('tag_key=team')).toBe(700);
  });

  it('can have any characters in key and value', async () => {
    const key = encodeURIComponent('A.b/"C"');
    expect(await byTag(`tag_key=${key}&tag_value=x%5C,y`)).toEqual([['x,y', 400]]);
  });
});

it('removes the corrections of a restated bill from an earlier month, and keeps that month’s own bill', async () => {
  await writeFocus(path.join(root, 'bill/june.csv'), [aLine({ day: '2026-06-02', cost: '5' })]);
  await sync();
  expect(await totalOf('')).toBe(1540.5);
  expect(await totalOf('', '2026-06-01/2026-06-30')).toBe(5);
  expect(await totalOf('', '2026-04-01/2026-04-30')).toBe(2);
});

describe('value that begins with U+FEFF', () => {
  const range = { start_date: '2026-03-01', end_date: '2026-03-31', group_by: 'sku' };

  it.each(['none', 'daily', 'monthly'])('is a separate group (%s)', async (granularity) => {
    const query = new URLSearchParams({ ...range, granularity });
    const { status, body } = await world().rest<{ rows: { keys: { sku: string }; cost: number }[] }>(
      'GET',
      `/costs?${query}`,
      { token },
    );
    expect(status).toBe(200);
    expect(body.rows.map(({ keys: { sku }, cost }) => [sku, cost])).toEqual([
      ['X', 7],
      [marked, 5],
    ]);
  });

  it('can be a filter', async () => {
    const query = new URLSearchParams({ ...range, sku: marked });
    const { body } = await world().rest<{ total_cost: number }>('GET', `/costs?${query}`, { token });
    expect(body.total_cost).toBe(5);
  });
});
