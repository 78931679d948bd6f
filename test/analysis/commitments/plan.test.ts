import { describe, expect, it } from 'vitest';
import {
  breakEvenMonths,
  paymentsOf,
  planHours,
  planOf,
  pricedOffers,
} from '../../../src/analysis/commitments/plan.ts';
import { offersOf, type CommitmentPayment, type Program } from '../../../src/facts/coverage/programs.ts';

const program: Program = {
  id: 'test',
  provider: 'aws',
  kind: 'savings_plan',
  product: 'Test',
  service: '.',
  meter: '.',
  isRegional: false,
  byTheHour: false,
  offers: offersOf({ no_upfront: 30 }, { no_upfront: 50, all_upfront: 60 }),
};
const offer = (discount: number, payment: CommitmentPayment = 'no_upfront') =>
  ({ termMonths: 12, payment, discount, method: 'documented' }) as const;

describe('a plan', () => {
  it('covers 3 for 10 hours that cost 1 to 10, at a discount of 30%', () => {
    const plan = planHours([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], offer(0.3));
    // A level of 3 costs 3 × 0.7 per hour and avoids 1 + 2 + 8 × 3 = 27 in 10 hours: 2.7 − 2.1 = 0.6.
    expect(plan).toMatchObject({ level: 3 });
    expect(plan?.commitment).toBeCloseTo(2.1, 9);
    expect(plan?.avoided).toBeCloseTo(2.7, 9);
    expect(plan?.savings).toBeCloseTo(0.6, 9);
    // With 20% less usage: 0.8 + 1.6 + 2.4 + 7 × 3 = 25.8; with 20% more: 1.2 + 2.4 + 8 × 3 = 27.6.
    expect(plan?.low).toBeCloseTo(0.48, 9);
    expect(plan?.high).toBeCloseTo(0.66, 9);
    // 12 months at 2.1 with 2.7 per month avoided: break-even after 9.33.
    expect(plan && breakEvenMonths(plan)).toBeCloseTo(9.3333, 4);
  });

  it('covers all usage that runs all day', () => {
    const days = Array.from({ length: 30 }, () => ({ cost: 240, steady: 240 }));
    expect(planOf(days, offer(0.28))).toMatchObject({ level: 10 });
  });

  it('covers less than the mean of usage that does not run all day', () => {
    const days = Array.from({ length: 30 }, () => ({ cost: 240, steady: 0 }));
    expect(planOf(days, offer(0.28))?.level).toBeLessThan(8);
  });

  it('is null where nothing can be saved', () => {
    expect(planOf([{ cost: 0, steady: 0 }], offer(0.28))).toBeNull();
    expect(planOf([], offer(0.28))).toBeNull();
    expect(planHours([5], offer(0))).toBeNull();
  });

  it('splits payments by payment option', () => {
    const pay = (payment: CommitmentPayment) => {
      const plan = planHours([1], offer(0.5, payment));
      return plan && paymentsOf(plan);
    };
    // 0.5 per hour is 365.25 per month and 4383 per 12 months.
    expect(pay('no_upfront')).toEqual({ upfront: 0, monthly: 365.25 });
    expect(pay('monthly')).toEqual({ upfront: 0, monthly: 365.25 });
    expect(pay('partial_upfront')).toEqual({ upfront: 2191.5, monthly: 182.625 });
    expect(pay('all_upfront')).toEqual({ upfront: 4383, monthly: 0 });
    expect(pay('upfront')).toEqual({ upfront: 4383, monthly: 0 });
  });
});

describe('discounts of a plan', () => {
  const discounts = (effective: number, equivalent: number) =>
    pricedOffers(program, { effective, equivalent }).map(({ discount, method }) => [
      Math.round(discount * 1000) / 1000,
      method,
    ]);

  it('are the documented ones without existing coverage', () => {
    expect(discounts(0, 0)).toEqual([
      [0.3, 'documented'],
      [0.5, 'documented'],
      [0.6, 'documented'],
    ]);
  });

  it('are scaled by the observed discount relative to the nearest offer', () => {
    // The observed 33% is nearest to the 30% of one year: a tenth better than documented.
    expect(discounts(67, 100)).toEqual([
      [0.33, 'observed'],
      [0.55, 'observed'],
      [0.66, 'observed'],
    ]);
  });

  it('are scaled down without limit, and up by at most half', () => {
    // An observed 5%, where the nearest offer has a documented 30%: a sixth of each.
    expect(discounts(95, 100)).toEqual([
      [0.05, 'observed'],
      [0.083, 'observed'],
      [0.1, 'observed'],
    ]);
    expect(discounts(11, 100)).toEqual([
      [0.445, 'observed'],
      [0.742, 'observed'],
      [0.89, 'observed'],
    ]);
  });

  it('are the documented ones where the observed discount is implausible', () => {
    for (const effective of [100, 120, 99.5, 5]) expect(discounts(effective, 100)[0]).toEqual([0.3, 'documented']);
  });
});
