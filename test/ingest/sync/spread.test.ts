import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aLine, focusColumns, type FocusRow } from '../../support/focus.ts';
import { billsOfFile, factsOf } from '../world.ts';

const bills = billsOfFile();

/** A charge of all four costs over a span. */
const span = (start: string, end: string, cost: string, more: FocusRow = {}): FocusRow =>
  aLine({
    cost,
    PricingQuantity: cost,
    BillingPeriodStart: '2026-05-01T00:00:00Z',
    ChargePeriodStart: start,
    ChargePeriodEnd: end,
    ...more,
  });

async function daysOf(rows: readonly FocusRow[], name = 'a.csv'): Promise<Record<string, string>> {
  const account = await bills();
  await account.put(name, rows);
  await account.sync();
  const facts = await factsOf(account);
  expect(facts.map(({ pricing_quantity }) => pricing_quantity)).toEqual(facts.map(({ billed }) => billed));
  return Object.fromEntries(facts.map(({ day, billed }) => [day ?? '', billed ?? '']));
}

describe('a charge over several days', () => {
  it.each(['a.csv', 'a.parquet'])('is spread over its days by duration (%s)', async (name) => {
    expect(await daysOf([span('2026-05-29T00:00:00Z', '2026-06-01T00:00:00Z', '3')], name)).toEqual({
      '2026-05-29': '1',
      '2026-05-30': '1',
      '2026-05-31': '1',
    });
    expect(await daysOf([span('2026-05-01T12:00:00Z', '2026-05-03T00:00:00Z', '3')], name)).toEqual({
      '2026-05-01': '1',
      '2026-05-02': '2',
    });
  });

  it('stays exact where its cost cannot be divided', async () => {
    expect(await daysOf([span('2026-05-01T00:00:00Z', '2026-05-04T00:00:00Z', '-0.01')])).toEqual({
      '2026-05-01': '-0.003333333333',
      '2026-05-02': '-0.003333333333',
      '2026-05-03': '-0.003333333334',
    });
  });

  it('counts as one line item, and adds to other charges of its days', async () => {
    const account = await bills();
    const whole = span('2026-05-01T00:00:00Z', '2026-05-03T00:00:00Z', '4');
    await account.put('a.csv', [whole, whole, aLine({ day: '2026-05-02', cost: '1', PricingQuantity: '1' })]);
    expect((await account.sync()).lineItems).toBe(3);
    expect((await factsOf(account)).map(({ day, billed, lines }) => [day, billed, lines])).toEqual([
      ['2026-05-01', '4', '2'],
      ['2026-05-02', '5', '1'],
    ]);
  });

  it.each<[string, FocusRow]>([
    ['a purchase', { ChargeCategory: 'Purchase' }],
    ['a fee of a commitment', { ChargeCategory: 'Purchase', ChargeFrequency: 'Recurring', CommitmentDiscountId: 'sp' }],
    ['a tax', { ChargeCategory: 'Tax' }],
    ['a credit', { ChargeCategory: 'Credit' }],
    ['usage of 24 hours', { ChargePeriodStart: '2026-05-01T07:00:00Z', ChargePeriodEnd: '2026-05-02T07:00:00Z' }],
    ['usage without an end', { ChargePeriodEnd: null }],
  ])('keeps %s on its first day', async (_what, more) => {
    const line = span('2026-05-01T00:00:00Z', '2026-06-01T00:00:00Z', '31', more);
    expect(await daysOf([line])).toEqual({ '2026-05-01': '31' });
  });

  it.each([null, '00000000-0000-0000-0000-000000000000'])(
    'spreads a recurring fee of commitment %s, within its billing month',
    async (CommitmentDiscountId) => {
      const fee = { ChargeCategory: 'Purchase', ChargeFrequency: 'Recurring', CommitmentDiscountId };
      const days = await daysOf([span('2026-05-01T00:00:00Z', '2027-05-01T00:00:00Z', '31', fee)]);
      expect(Object.values(days)).toEqual(Array.from({ length: 31 }, () => '1'));
    },
  );

  it('spreads usage of the current month over its period, whatever the day of the sync', async () => {
    const now = new Date();
    const month = (add: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add)).toISOString();
    const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
    const days = await daysOf([span(month(0), month(1), String(end.getUTCDate()), { BillingPeriodStart: month(0) })]);
    expect(Object.keys(days).at(-1)).toBe(end.toISOString().slice(0, 10));
    expect(Object.values(days)).toEqual(Array.from({ length: end.getUTCDate() }, () => '1'));
  });

  it('keeps a charge that starts in the last second of its billing month', async () => {
    const fee = { ChargeCategory: 'Purchase', ChargeFrequency: 'Recurring' };
    expect(await daysOf([span('2026-05-31T23:59:59.7Z', '2026-06-05T00:00:00Z', '10', fee)])).toEqual({
      '2026-05-31': '10',
    });
  });

  it('rejects an end that is not a time', async () => {
    const account = await bills();
    await account.put('a.csv', [span('2026-05-01T00:00:00Z', 'soon', '1')]);
    expect(await account.refusal()).toBe(
      'a.csv, row 2, column ChargePeriodEnd: "soon" is not a date and time in ISO 8601, such as 2026-05-01T00:00:00Z',
    );
  });

  it('adds up to the bill for any spans and amounts', async () => {
    const minute = fc.integer({ min: 0, max: 31 * 24 * 60 });
    const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1) + minutes * 60_000).toISOString();
    const charge = fc.record({
      from: minute,
      length: minute,
      units: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 20 }), async (charges) => {
        const rows = charges.map(({ from, length, units }) => span(at(from), at(from + length), decimal(units)));
        const account = await bills();
        await account.put('a.csv', rows, { columns: focusColumns['1.0'] });
        await account.sync();
        const facts = await factsOf(account);
        const sum = facts.reduce((total, { billed }) => total + unitsOf(billed ?? ''), 0n);
        expect(sum).toBe(charges.reduce((total, { units }) => total + units, 0n));
        expect(new Set(facts.map(({ day }) => day)).size).toBe(facts.length);
      }),
      { numRuns: 6 },
    );
  });
});

/** Text of an amount in units of its twelfth decimal. */
function decimal(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(13, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -12)}.${digits.slice(-12)}`;
}

function unitsOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(12, '0'));
}
