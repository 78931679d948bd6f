import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fillInvoices } from '../../../src/facts/invoices/fill.ts';
import { aLine, focusColumns } from '../../support/focus.ts';
import { billsOfFile, type Bills } from '../../ingest/world.ts';

const connect = billsOfFile();
const style = { columns: focusColumns['1.2'] };

async function sumsOf({ pool, accountId }: Bills): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws('|', to_char(billing_period, 'YYYY-MM'), issuer, invoice_id, billing_account_id, currency, line_items,
       trim_scale(billed)) AS line FROM invoice_sums WHERE account_id = $1`,
    [accountId],
  );
  return rows.map(({ line }) => line).toSorted();
}

const charge = fc.record({
  day: fc.constantFrom('2026-05-30', '2026-05-31', '2026-06-01'),
  InvoiceId: fc.constantFrom('', 'I-1', 'I-2'),
  InvoiceIssuerName: fc.constantFrom('AWS', "O'Reilly, Inc."),
  BillingCurrency: fc.constantFrom('USD', 'EUR'),
  cost: fc.bigInt(-(10n ** 15n), 10n ** 15n).map((units) => new Decimal(units.toString()).div(1e12).toFixed()),
});

it('sums each month by invoice, exactly, as the billed cost of the month', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(charge, { minLength: 1, maxLength: 30 }), async (charges) => {
      const bills = await connect();
      await bills.put(`${randomUUID()}.csv`, charges.map(aLine), style);
      await bills.sync();
      const groups = Map.groupBy(charges, (each) =>
        [each.day.slice(0, 7), each.InvoiceIssuerName, each.InvoiceId, '', each.BillingCurrency].join('|'),
      );
      const expected = [...groups].map(([key, members]) => {
        const billed = members.reduce((sum, { cost }) => sum.plus(cost), new Decimal(0));
        return `${key}|${members.length}|${billed.toFixed()}`;
      });
      const loaded = await sumsOf(bills);
      expect(loaded.map((line) => line.replace('|payer|', '||'))).toEqual(expected.toSorted());

      await bills.pool.query('DELETE FROM invoice_sums WHERE account_id = $1', [bills.accountId]);
      await fillInvoices(bills.deps, bills.scope, bills.accountId);
      expect(await sumsOf(bills)).toEqual(loaded);
    }),
    { numRuns: 5 },
  );
}, 120_000);

it('replaces the sums of a restated month and keeps those of other months', async () => {
  const bills = await connect();
  await bills.put('a.csv', [aLine({ day: '2026-05-01', InvoiceId: 'I-1', cost: '2' })], style);
  await bills.put('b.csv', [aLine({ day: '2026-06-01', InvoiceId: 'I-2', cost: '3' })], style);
  await bills.sync();
  await setTimeout(10);
  await bills.put('b.csv', [aLine({ day: '2026-06-01', InvoiceId: 'I-3', cost: '5' })], style);
  await bills.sync();
  const invoices = (await sumsOf(bills)).map((line) => line.split('|').filter((_, at) => at !== 3));
  expect(invoices).toEqual([
    ['2026-05', 'AWS', 'I-1', 'USD', '1', '2'],
    ['2026-06', 'AWS', 'I-3', 'USD', '1', '5'],
  ]);
});

it('does not fill a month that was reloaded after its facts were read', async () => {
  const bills = await connect();
  await bills.put('a.csv', [aLine({ day: '2026-05-01', cost: '2' })]);
  await bills.sync();
  await bills.pool.query('DELETE FROM invoice_sums WHERE account_id = $1', [bills.accountId]);
  const engine = {
    ...bills.deps.engine,
    rows: async (...asked: Parameters<typeof bills.deps.engine.rows>) => {
      const rows = await bills.deps.engine.rows(...asked);
      await bills.pool.query('UPDATE billing_periods SET load_id = gen_random_uuid() WHERE account_id = $1', [
        bills.accountId,
      ]);
      return rows;
    },
  } as typeof bills.deps.engine;
  await fillInvoices({ ...bills.deps, engine }, bills.scope, bills.accountId);
  expect(await sumsOf(bills)).toEqual([]);
});
