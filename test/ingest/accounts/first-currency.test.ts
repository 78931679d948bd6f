import { describe, expect, it } from 'vitest';
import { aLine, type FocusRow } from '../../support/focus.ts';
import { anAccounting, type Accounting } from './world.ts';

// The currency of an organization comes from its first bill, unless a member has set it.

const euro = (cost: string, more: FocusRow = {}) => aLine({ day: '2026-06-03', cost, BillingCurrency: 'EUR', ...more });
const dollar = (cost: string) => aLine({ day: '2026-06-04', cost });

interface Summary {
  currency: string;
  total_cost: number;
  unconverted: { currency: string; cost: number }[];
}

async function load(world: Accounting, folder: string, rows: readonly FocusRow[]) {
  await world.put(`${folder}/bill.csv`, rows);
  const { id } = await world.connect(folder, folder);
  return world.until(id, 'succeeded', 'failed');
}

async function summaryOf(world: Accounting): Promise<Summary> {
  const { body } = await world.call<Summary>('GET', '/costs/summary?start_date=2026-06-01&end_date=2026-06-30');
  return { currency: body.currency, total_cost: body.total_cost, unconverted: body.unconverted };
}

describe('the currency of an organization', () => {
  it('is that of its first bill, and stays with later bills', async () => {
    const world = await anAccounting();
    await world.work();
    await load(world, 'first', [euro('7')]);
    expect(await summaryOf(world)).toEqual({ currency: 'EUR', total_cost: 7, unconverted: [] });
    await load(world, 'second', [dollar('5')]);
    expect(await summaryOf(world)).toEqual({
      currency: 'EUR',
      total_cost: 7,
      unconverted: [{ currency: 'USD', cost: 5 }],
    });
  });

  it('is that of most line items in a bill with several currencies', async () => {
    const world = await anAccounting();
    await world.work();
    await load(world, 'mixed', [euro('1'), euro('2', { ResourceId: 'other' }), dollar('900')]);
    expect(await summaryOf(world)).toMatchObject({ currency: 'EUR', total_cost: 3 });
  });

  it.each([{ currency: 'USD' }, { currency: 'CHF' }])('stays as a member set it: %j', async ({ currency }) => {
    const world = await anAccounting();
    await world.work();
    expect((await world.call('PATCH', '/org', { currency })).status).toBe(200);
    await load(world, 'first', [euro('7')]);
    expect(await summaryOf(world)).toEqual({ currency, total_cost: 0, unconverted: [{ currency: 'EUR', cost: 7 }] });
  });

  it('does not come from a rejected bill', async () => {
    const world = await anAccounting();
    await world.work();
    const rejected = await load(world, 'broken', [euro('7', { BilledCost: 'seven' })]);
    expect(rejected.sync_status).toBe('failed');
    await load(world, 'first', [dollar('5')]);
    expect(await summaryOf(world)).toEqual({ currency: 'USD', total_cost: 5, unconverted: [] });
  });
});
