import { expect, it } from 'vitest';
import { addDays, type Day } from '../../../src/kit/time/period.ts';
import { billsOfFile, type Bills } from '../../ingest/world.ts';
import { anomaliesOf, evaluate, lastDay, load, usage } from './world.ts';

const aBill = billsOfFile();
const euros = { BillingCurrency: 'EUR' };

/** Usage in dollars before a day, and in euros from then on. */
function changing(change: Day, costOf: (day: Day) => number, more = {}) {
  return [
    ...usage((day) => (day < change ? costOf(day) : 0), more),
    ...usage((day) => (day < change ? 0 : costOf(day)), { ...euros, ...more }),
  ];
}

async function found(bills: Bills) {
  await evaluate(bills);
  return (await anomaliesOf(bills)).map(({ service, kind, currency, startDate }) => [
    service,
    kind,
    currency,
    startDate,
  ]);
}

async function completeThrough(bills: Bills, day: Day) {
  await bills.pool.query('UPDATE accounts SET complete_through = $2 WHERE id = $1', [bills.accountId, day]);
}

const month = '2026-07-01';
const monthly = { ServiceName: 'Support' };

it.each([true, false])('finds nothing when the billing currency changes (exchange rate: %s)', async (hasRate) => {
  const bills = await aBill();
  await load(bills, [
    ...changing(month, () => 100),
    ...changing(month, (day) => (day.endsWith('-01') ? 500 : 0), monthly),
  ]);
  if (hasRate)
    await bills.pool.query(
      `INSERT INTO exchange_rates (organization_id, month, from_currency, to_currency, rate) VALUES ($1, '2026-05-01', 'EUR', 'USD', 2)`,
      [bills.scope.organizationId],
    );
  for (const days of [0, 1, 2, 20]) {
    await completeThrough(bills, addDays(month, days));
    expect([days, await found(bills)]).toEqual([days, []]);
  }
  await completeThrough(bills, lastDay);
  expect(await found(bills)).toEqual([]);
});

it.each<Day>(['2026-05-10', '2026-05-20', lastDay])('finds nothing when it changes on %s', async (change) => {
  const bills = await aBill();
  await load(
    bills,
    changing(change, () => 100),
  );
  expect(await found(bills)).toEqual([]);
});

it('finds nothing when it changes on a day with costs in both currencies, and when it changes back', async () => {
  const bills = await aBill();
  const isEuro = (day: Day) => day >= '2026-06-10' && day < '2026-07-20';
  await load(bills, [
    ...usage((day) => (isEuro(day) && day !== '2026-06-10' ? 0 : day < month ? 100 : 150)),
    ...usage((day) => (isEuro(day) ? 100 : 0), euros),
  ]);
  expect(await found(bills)).toEqual([]);
});

it('finds what triples in the new currency', async () => {
  const bills = await aBill();
  const high = addDays(lastDay, -1);
  await load(
    bills,
    changing(month, (day) => (day < high ? 100 : 300)),
  );
  expect(await found(bills)).toEqual([['Amazon EC2', 'spike', 'EUR', high]]);
});

it('finds a service that is new with the currency, and costs in another currency beside those that continue', async () => {
  const bills = await aBill();
  await load(bills, [
    ...changing(month, () => 100),
    ...usage((day) => (day < month ? 0 : 50), { ServiceName: 'Amazon S3', ...euros }),
    ...usage(() => 100, { ServiceName: 'AWS Lambda' }),
    ...usage((day) => (day < month ? 0 : 50), { ServiceName: 'AWS Lambda', ...euros }),
  ]);
  expect((await found(bills)).toSorted()).toEqual([
    ['AWS Lambda', 'new_service', 'EUR', month],
    ['Amazon S3', 'new_service', 'EUR', month],
  ]);
});
