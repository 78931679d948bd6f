import { describe, expect, it } from 'vitest';
import { addMonths } from '../../../src/kit/time/period.ts';
import { setExchangeRates, type RateInput } from '../../../src/tenancy/org/exchange-rates.ts';
import { listExchangeRates } from '../../../src/tenancy/org/store.ts';
import { origin, tenancyWorld } from '../support.ts';

const eur: RateInput = { month: '2026-10', from: 'EUR', to: 'USD', rate: 1.1 };
const typed = { source: 'typed', isProvisional: false };
const jpy: RateInput = { month: '2026-11', from: 'JPY', to: 'USD', rate: 0.0066 };

async function registered() {
  const world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  const { scope } = viewer;
  const actor = { organizationId: scope.organizationId, userId: viewer.userId, email: viewer.email, ...origin };
  return {
    world,
    set: (rates: RateInput[]) => setExchangeRates(world.deps, scope, actor, rates),
    list: () => listExchangeRates(world.deps, scope),
    version: async () =>
      (await world.deps.db.organization.findUniqueOrThrow({ where: { id: scope.organizationId } })).ratesVersion,
  };
}

describe('setExchangeRates', () => {
  it('sets only the given rates, and returns all, newest month first', async () => {
    const { set, list, version } = await registered();
    await set([eur]);
    const all = await set([{ ...eur, rate: 1.2 }, jpy]);
    expect(all).toEqual([
      { month: '2026-11', from: 'JPY', to: 'USD', rate: '0.0066', ...typed },
      { month: '2026-10', from: 'EUR', to: 'USD', rate: '1.2', ...typed },
    ]);
    expect(await list()).toEqual(all);
    expect(await version()).toBe(2);
  });

  it('removes a rate set to null', async () => {
    const { set, version } = await registered();
    await set([eur, jpy]);
    expect(await set([{ ...jpy, rate: null }])).toEqual([
      { month: '2026-10', from: 'EUR', to: 'USD', rate: '1.1', ...typed },
    ]);
    expect(await version()).toBe(2);
  });

  it('keeps every digit of the given rate', async () => {
    const { set } = await registered();
    const rates = [0.000000000001, 999_999_999_999, 1e-7, 0.1, 123.456789].map((rate, index) => ({
      ...eur,
      month: addMonths('2026-09', -index),
      rate,
    }));
    expect((await set(rates)).map((each) => each.rate)).toEqual([
      '0.000000000001',
      '999999999999',
      '0.0000001',
      '0.1',
      '123.456789',
    ]);
  });

  it('rounds computed rates to 12 decimal places', async () => {
    const { set } = await registered();
    const computed = [1 / 1.0839, 1 + 0.13, 0.1 + 0.2, 1 / 25_500].map((rate, index) => ({
      ...eur,
      month: addMonths('2026-09', -index),
      rate,
    }));
    expect((await set(computed)).map((each) => each.rate)).toEqual(['0.922594335271', '1.13', '0.3', '0.000039215686']);
  });

  it('increments no version and audits nothing when nothing changes', async () => {
    const { world, set, version } = await registered();
    await set([eur]);
    await set([eur]);
    await set([]);
    await set([{ ...jpy, rate: null }]);
    expect(await version()).toBe(1);
    const entries = (await world.audit()).filter((entry) => entry.action === 'exchange_rates_changed');
    expect(entries.map((entry) => entry.details)).toEqual([
      { set_count: 1, removed_count: 0, set: [{ ...eur, rate: '1.1' }], removed: [] },
    ]);
  });

  it('changes nothing if a rate has changed since it was read', async () => {
    const { set, list } = await registered();
    await set([{ ...eur, ifRate: null }]);
    for (const ifRate of [null, 1.2])
      await expect(set([jpy, { ...eur, rate: null, ifRate }])).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'rates[1].if_rate is not the current rate; reload the rates, then apply your change again',
      });
    expect(await list()).toEqual([{ ...eur, rate: '1.1', ...typed }]);
    await set([{ ...eur, rate: null, ifRate: 1.1 }]);
    expect(await list()).toEqual([]);
  });

  it('isolates organizations', async () => {
    const { world, set } = await registered();
    await set([eur]);
    const { viewer } = await world.register('ben');
    expect(await listExchangeRates(world.deps, viewer.scope)).toEqual([]);
  });

  it('merges concurrent calls', async () => {
    const { set, list, version } = await registered();
    const months = Array.from({ length: 9 }, (_, index) => addMonths('2026-01', index));
    await Promise.all(months.map((month) => set([{ ...eur, month }])));
    expect(await list()).toHaveLength(9);
    expect(await version()).toBe(9);
  });
});

const wrong: [RateInput[], RegExp][] = [
  [[jpy, { ...eur, rate: 0 }], /^rates\[1\]\.rate must be above 0, not 0/],
  [[{ ...eur, rate: -1 }], /^rates\[0\]\.rate must be above 0/],
  [[{ ...eur, rate: 1e12 }], /^rates\[0\]\.rate must have at most 12 digits before/],
  [[{ ...eur, rate: 1.5e-12 }], /^rates\[0\]\.rate must have at most 12 digits before/],
  [
    [{ ...eur, rate: 0.0000014999999 }],
    /^rates\[0\]\.rate must have at most 12 digits before and 12 after the decimal point/,
  ],
  [
    [{ ...eur, rate: 1.1234567890123 }],
    /^rates\[0\]\.rate must have at most 12 digits before and 12 after the decimal point/,
  ],
  [[{ month: '2026-10', from: 'EUR', to: 'USD' }], /^rates\[0\]\.rate is required/],
  [[{ ...eur, to: 'EUR' }], /^rates\[0\]\.to "EUR" must differ from rates\[0\]\.from$/],
  [[{ ...eur, from: 'eur' }], /^rates\[0\]\.from "eur" must be an ISO 4217 code such as "USD"$/],
  [[{ ...eur, to: 'ABC' }], /^rates\[0\]\.to "ABC" must be an ISO 4217 code such as "USD"$/],
  [[eur, jpy, { ...eur, rate: null }], /^rates\[2\] repeats EUR to USD for 2026-10; list each pair and month once$/],
  [Array.from({ length: 1001 }, () => eur), /^rates takes at most 1000 entries at once, not 1001/],
];

it('changes nothing when one rate is invalid, and names it', async () => {
  const { set, list, version } = await registered();
  for (const [rates, message] of wrong) {
    await expect(set(rates)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  }
  expect([await list(), await version()]).toEqual([[], 0]);
});
