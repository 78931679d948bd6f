import { describe, expect, it } from 'vitest';
import { repriced } from '../../../../src/analysis/recommendations/detectors/repriced.ts';
import { amountOf, numberOf } from '../../../../src/analysis/recommendations/detectors/figures.ts';
import { aContext, aUsage } from '../subject.ts';

const cores = aUsage({ meter: 'Core', quantity: '100', cost: '60' });
const memory = aUsage({ meter: 'Ram', quantity: '100', cost: '30' });
const at = (prices: Record<string, string | null>) => {
  const { savings, method } = repriced(
    [cores, memory],
    aContext(),
    ({ meter }) => (prices[meter] ? amountOf(prices[meter]) : null),
    10,
  );
  return { method, amounts: savings.map(({ amount }) => numberOf(amount)) };
};

describe('repriced', () => {
  it('uses the price that is paid, where there is one', () => {
    // 60 - 40 and 30 - 20 in 30 days.
    expect(at({ Core: '0.4', Ram: '0.2' })).toEqual({ method: 'observed', amounts: [20.291667, 10.145833] });
  });

  it('uses the factor for usage without a price', () => {
    // 20 and 10% of 30.
    expect(at({ Core: '0.4', Ram: null })).toEqual({ method: 'factor', amounts: [20.291667, 3.04375] });
  });

  it('offsets increases against decreases', () => {
    // 20 - 5 = 15 in 30 days, 15.21875 per month: two thirds of it for the cores, which make up two thirds of the cost.
    expect(at({ Core: '0.4', Ram: '0.35' })).toEqual({ method: 'observed', amounts: [10.145833, 5.072917] });
  });

  it('saves nothing when the total does not decrease', () => {
    expect(at({ Core: '0.6', Ram: '0.3' }).amounts).toEqual([]);
    expect(at({ Core: '0.7', Ram: '0.2' }).amounts).toEqual([]);
    expect(at({ Core: '0.7', Ram: '0.199' }).amounts).not.toEqual([]);
  });
});
