import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/ingest/sync/loader/refusal.ts';
import { warnOfRepairs } from '../../../../src/ingest/sync/repair-warnings.ts';
import { aLine, csvOf, focusColumns, type FocusRow } from '../../../support/focus.ts';
import { readBills, billOf, type BillFile, type Reading } from './reading.ts';

const may = '2026-05';

/** Charges of ten machines on each day of a range, with amounts of their own. */
function machines(from: number, to: number, given: FocusRow = {}): FocusRow[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return days.flatMap((day) =>
    Array.from({ length: 10 }, (_, machine) =>
      aLine({
        day: `${may}-${String(day).padStart(2, '0')}`,
        cost: `${machine + 1}.${day}`,
        ResourceId: `vm-${machine}`,
        ...given,
      }),
    ),
  );
}

const csv = (name: string, rows: readonly FocusRow[], more: Partial<BillFile> = {}): BillFile => ({
  name,
  content: csvOf(rows),
  ...more,
});

async function billed(reading: Reading): Promise<string | undefined> {
  return (await reading.export(may)).totals[0]?.billed;
}

async function refusal(...files: readonly BillFile[]): Promise<string> {
  const reading = await readBills(...files);
  const error: unknown = await reading.export(may).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Refusal);
  return String((error as Refusal).message);
}

const twice = 'or its costs would count twice';

describe('delivery that repeats another', () => {
  it('is rejected as Parquet with tags as maps, read together with CSV of the month', async () => {
    const rows = machines(1, 1).map((row) => ({ ...row, Tags: '{"env":"prod","user:team":"x"}' }));
    const copy = await billOf('copy.parquet', rows);
    const others = csv('other.csv', machines(2, 2));
    for (const original of [{ ...copy, name: 'original.parquet' }, csv('original.csv', rows)])
      expect(await refusal(copy, others, original)).toBe(
        `"copy.parquet" and "${original.name}" contain the same charges of 2026-05; remove one of them, ${twice}`,
      );
  });

  it('is rejected in another version of FOCUS', async () => {
    const rows = machines(1, 2).map((row, index) => ({ ...row, SkuMeter: `meter ${index}`, InvoiceId: 'one' }));
    const newer = { name: 'focus-1.2.csv', content: csvOf(rows, { columns: focusColumns['1.2'] }) };
    expect(await refusal(csv('focus-1.0.csv', rows), newer)).toMatch(/contain the same charges of 2026-05/);
  });

  it('is rejected by hour beside the same bill by day', async () => {
    const day = machines(1, 2, { cost: '24' });
    const hours = day.flatMap((row) =>
      Array.from({ length: 24 }, (_, hour) => {
        const start = `${String(row['ChargePeriodStart']).slice(0, 10)}T${String(hour).padStart(2, '0')}:00:00Z`;
        const costs = Object.keys(row).filter((name) => /Cost$|Quantity$/.test(name) && row[name] !== null);
        const part = Object.fromEntries(costs.map((name) => [name, String(Number(row[name]) / 24)]));
        return { ...row, ...part, ChargePeriodStart: start, ChargePeriodEnd: null };
      }),
    );
    expect(await refusal(csv('daily.csv', day), csv('hourly.csv', hours))).toBe(
      `"daily.csv" and "hourly.csv" contain the same charges of 2026-05; remove one of them, ${twice}`,
    );
  });

  it.each([1, 20])('is rejected when it is one row longer than a bill of %i × 10 rows', async (days) => {
    const rows = machines(1, days);
    const longer = csv('longer.csv', [...rows, aLine({ ResourceId: 'new', cost: '7' })]);
    expect(await refusal(csv('bill.csv', rows), longer)).toBe(
      `"longer.csv" contains all charges of 2026-05 that "bill.csv" has; remove "bill.csv", ${twice}`,
    );
    expect(await refusal(longer, csv('shorter.csv', rows.slice(1)))).toMatch(/remove "shorter\.csv"/);
  });

  it('is rejected when it is one row longer than one or two rows', async () => {
    const [a, b, c] = machines(1, 1);
    if (!a || !b || !c) throw new Error('no rows');
    expect(await refusal(csv('1.csv', [a]), csv('2.csv', [b, a]))).toMatch(/remove "1\.csv"/);
    expect(await refusal(csv('2.csv', [a, b]), csv('3.csv', [a, b, c]))).toMatch(/remove "2\.csv"/);
  });

  it('is rejected when a part of it was restated', async () => {
    const rows = machines(1, 10);
    const restated = rows.map((row, index) => (index % 10 === 0 ? { ...row, BilledCost: '0' } : row));
    expect(await refusal(csv('a.csv', rows), csv('b.csv', restated))).toBe(
      `"a.csv" and "b.csv" overlap: they share 90% of their charges from 2026-05-01 to 2026-05-10; remove the older one, or export them again without overlapping days; otherwise their shared costs would count twice`,
    );
  });

  it('is rejected when a fifth of its days, or one sub-account, is in another one', async () => {
    expect(await refusal(csv('first.csv', machines(1, 17)), csv('second.csv', machines(14, 31)))).toMatch(
      /^"first\.csv" and "second\.csv" overlap: they share 100% of their charges from 2026-05-14 to 2026-05-17/,
    );
    const other = machines(1, 10, { SubAccountId: '222' });
    const third = machines(1, 10, { SubAccountId: '333' });
    expect(await refusal(csv('a.csv', [...machines(1, 10), ...other]), csv('b.csv', [...other, ...third]))).toMatch(
      /overlap: they share 100%/,
    );
  });
});

describe('delivery that repeats no other', () => {
  const expectSum = async (files: readonly BillFile[], sum: string) => {
    expect(await billed(await readBills(...files))).toBe(`${sum}.000000000000`);
  };
  const hour = (at: number): FocusRow => ({ ChargePeriodStart: `${may}-03T${String(at).padStart(2, '0')}:00:00Z` });
  const even = (given: FocusRow) => machines(3, 3, given).map((row) => ({ ...row, BilledCost: '1' }));

  it('is read by day, hour, service, sub-account or tag, with the same amounts', async () => {
    const days = [1, 2, 3].map((day) =>
      csv(
        `${day}.csv`,
        machines(day, day).map((row) => ({ ...row, BilledCost: '1' })),
      ),
    );
    await expectSum(days, '30');
    await expectSum(
      [0, 1, 23].map((at) => csv(`${at}.csv`, even(hour(at)))),
      '30',
    );
    for (const column of ['ServiceName', 'SubAccountId', 'RegionId'])
      await expectSum(
        ['a', 'b'].map((value) => csv(`${value}.csv`, even({ [column]: value }))),
        '20',
      );
    await expectSum(
      ['a', 'b'].map((value) => csv(`${value}.csv`, even({ Tags: `{"team":"${value}"}` }))),
      '20',
    );
  });

  it('is read with a few charges that equal those of another', async () => {
    const tax = aLine({ ChargeCategory: 'Tax', ResourceId: null, cost: '1', ServiceName: 'Tax' });
    const [a, b] = ['a', 'b'].map((name) => csv(`${name}.csv`, [aLine({ ServiceName: name }), tax]));
    if (!a || !b) throw new Error('no files');
    await expectSum([a, b], '4');
    const many = even({ ServiceName: 'c' });
    await expectSum([csv('c.csv', [...many, tax]), csv('tax.csv', [tax])], '12');
    await expectSum([csv('c.csv', [...many, tax]), csv('d.csv', [...even({ ServiceName: 'd' }), tax])], '22');
  });

  it('is read when it is a part of the same manifest, whatever the parts contain', async () => {
    const part = (name: string) => csv(name, even({}), { delivery: 'manifest.json' });
    await expectSum([part('part-1.csv'), part('part-2.csv')], '20');
    const first = csv('part-1.csv', machines(1, 2), { delivery: 'manifest.json' });
    expect(await refusal(first, part('part-2.csv'), csv('copy.csv', even({})))).toBe(
      `"manifest.json" contains all charges of 2026-05 that "copy.csv" has; remove "copy.csv", ${twice}`,
    );
  });
});

describe('bill that has the same usage as another at other prices', () => {
  const repriced = machines(1, 3, { cost: '2' });

  it.each([undefined, 7])(
    'counts, with a warning that names both files and the amount (%s rows at once)',
    async (atOnce) => {
      const reading = await readBills(csv('may.csv', machines(1, 3)), csv('may-final.csv', repriced));
      const { repairs, totals } = await reading.export(may, atOnce);
      expect(totals[0]?.lineItems).toBe(60);
      expect(warnOfRepairs(repairs.map((repair) => ({ ...repair, month: may })))).toEqual([
        '2026-05: 30 charges have the same usage but different costs in two files, and both count; if one file restates the other, remove the older one ($171.00; may-final.csv, may.csv)',
      ]);
    },
  );

  it.each([
    ['other days', machines(4, 6, { cost: '2' })],
    ['other amounts of usage', repriced.map((row) => ({ ...row, ConsumedQuantity: '77' }))],
    ['other kinds of charges', repriced.map((row) => ({ ...row, ChargeCategory: 'Tax' }))],
    ['a few equal amounts of usage', [...machines(4, 6), ...repriced.slice(0, 4)]],
  ])('is not assumed for %s', async (_, rows) => {
    const reading = await readBills(csv('may.csv', machines(1, 3)), csv('more.csv', rows));
    expect((await reading.export(may)).repairs).toEqual([]);
  });
});

describe('bill in two dialects', () => {
  const columns = `bill_billing_period_start_date bill_payer_account_id line_item_currency_code line_item_line_item_type
    line_item_product_code line_item_unblended_cost line_item_usage_start_date line_item_usage_account_id`.split(/\s+/);
  const report = (account: string): BillFile => ({
    name: 'cur.csv',
    content: csvOf(
      [
        {
          bill_billing_period_start_date: `${may}-01T00:00:00Z`,
          bill_payer_account_id: 'payer',
          line_item_currency_code: 'USD',
          line_item_line_item_type: 'Usage',
          line_item_product_code: 'AmazonEC2',
          line_item_unblended_cost: '35',
          line_item_usage_start_date: `${may}-03T00:00:00Z`,
          line_item_usage_account_id: account,
        },
      ],
      { columns },
    ),
  });

  it('is rejected for a sub-account that both have, with the advice to remove the report', async () => {
    const focus = csv('focus.csv', [aLine({ cost: '35' })]);
    expect(await refusal(report('111'), focus)).toBe(
      `"focus.csv" (FOCUS) and "cur.csv" (an AWS Cost and Usage Report) are both bills of sub-account "111" for 2026-05; remove "cur.csv", ${twice}`,
    );
    expect(await billed(await readBills(report('222'), focus))).toBe('70.000000000000');
    const oracle = csv('oracle.csv', [aLine({ cost: '35', ProviderName: 'Oracle' })]);
    expect(await billed(await readBills(report('111'), oracle))).toBe('70.000000000000');
  });
});

describe('deliveries that are compared in several passes', () => {
  // 200 charges and days, of which 7 at a time are compared.
  const atOnce = 7;

  async function refusedInPasses(...files: readonly BillFile[]): Promise<string> {
    const reading = await readBills(...files);
    const error: unknown = await reading.export(may, atOnce).catch((reason: unknown) => reason);
    return error instanceof Refusal ? error.message : 'not refused';
  }

  it('are rejected with the same figures as in one', async () => {
    const files = [csv('a.csv', machines(1, 12)), csv('b.csv', machines(7, 14))];
    const message = await refusal(...files);
    expect(message).toMatch(/^"a.csv" and "b.csv" overlap: they share 100% .* from 2026-05-07 to 2026-05-12;/);
    expect(await refusedInPasses(...files)).toBe(message);
  });

  it('are rejected for a copy of a few charges beside many others', async () => {
    const copied = machines(1, 1).slice(0, 5);
    const files = [csv('a.csv', machines(2, 18)), csv('b.csv', copied), csv('c.csv', copied)];
    expect(await refusedInPasses(...files)).toMatch(/^"b.csv" and "c.csv" contain the same charges of 2026-05;/);
  });

  it('are read if they share nothing', async () => {
    const reading = await readBills(csv('a.csv', machines(1, 10)), csv('b.csv', machines(11, 20)));
    expect((await reading.export(may, atOnce)).totals[0]?.lineItems).toBe(200);
  });
});
