import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amountText,
  changePercent,
  convertAmounts,
  microsToNumber,
  parseAmount,
  parseDecimal,
  percentages,
  roundAmount,
  roundParts,
  sumAmounts,
} from '../../src/kit/money.ts';

const amounts = fc.array(fc.bigInt({ min: -(10n ** 32n), max: 10n ** 32n }), { maxLength: 12 });

describe('parseAmount', () => {
  it('parses every decimal exactly', () => {
    expect(parseAmount('0.000000000000000000000001')).toBe(1n);
    expect(parseAmount('-12.5')).toBe(-125n * 10n ** 23n);
    expect(parseAmount('12.500000000000000000000000000')).toBe(125n * 10n ** 23n);
  });

  it('rejects values that it cannot hold exactly', () => {
    for (const text of ['0.0000000000000000000000001', 'NaN', '1e3', '', '.5', '+1']) {
      expect(() => parseAmount(text)).toThrow('Not an amount');
    }
  });
});

describe('parseDecimal', () => {
  it('returns the decimal that a number is written as', () => {
    expect([0.1, 1e-6, -12.5, 1e21, 123456789.123456].map((number) => parseDecimal(number, 'amount'))).toEqual([
      '0.1',
      '0.000001',
      '-12.5',
      '1000000000000000000000',
      '123456789.123456',
    ]);
    expect(parseDecimal(0.000000000001, 'rate', 12)).toBe('0.000000000001');
  });

  it('rejects more decimals than are stored', () => {
    const message = 'amount must have at most 6 decimals, not 0.30000000000000004; round it';
    expect(() => parseDecimal(0.1 + 0.2, 'amount')).toThrow(message);
    expect(() => parseDecimal(1e-7, 'amount')).toThrow('amount must have at most 6 decimals, not 1e-7');
    expect(() => parseDecimal(1e-13, 'rate', 12)).toThrow('rate must have at most 12 decimals, not 1e-13');
  });
});

it('writes amounts in the format of parseAmount, without trailing zeros', () => {
  expect(['0', '-12.5', '100', '0.000000000000000000000001'].map((text) => amountText(parseAmount(text)))).toEqual([
    '0',
    '-12.5',
    '100',
    '0.000000000000000000000001',
  ]);
  fc.assert(fc.property(fc.bigInt(), (amount) => void expect(parseAmount(amountText(amount))).toBe(amount)));
});

it('rounds halves away from zero', () => {
  expect(roundAmount(parseAmount('0.0000005'))).toBe(1n);
  expect(roundAmount(parseAmount('-0.0000005'))).toBe(-1n);
  expect(roundAmount(parseAmount('0.00000049'))).toBe(0n);
});

it('converts micros to the nearest number, beyond 2^53 too', () => {
  expect(microsToNumber(123_456_789_000_001n)).toBe(123456789.000001);
  expect(microsToNumber(-1n)).toBe(-0.000001);
  expect(microsToNumber(9_007_199_254_740_992_000_000n)).toBe(9007199254740992);
});

describe('roundParts', () => {
  it('gives the remainder to the parts with the largest fractions', () => {
    const third = parseAmount('0.333333333333333333333333');
    expect(roundParts([third, third, third + 1n], 1_000_000n)).toEqual([333_333n, 333_333n, 333_334n]);
  });

  it('adds up to the rounded total, and changes no part by a whole unit', () => {
    fc.assert(
      fc.property(amounts, (parts) => {
        const whole = roundAmount(sumAmounts(parts));
        const rounded = roundParts(parts, whole);
        expect(sumAmounts(rounded)).toBe(whole);
        rounded.forEach((micros, index) => {
          const off = micros * 10n ** 18n - (parts[index] ?? 0n);
          expect(off > -(10n ** 18n) && off < 10n ** 18n).toBe(true);
        });
      }),
    );
  });

  it('can round nested parts to their rounded total', () => {
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 6 }), (nested) => {
        const outer = nested.map(sumAmounts);
        const rounded = roundParts(outer, roundAmount(sumAmounts(outer)));
        nested.forEach((parts, index) => {
          const whole = rounded[index] ?? 0n;
          expect(sumAmounts(roundParts(parts, whole))).toBe(whole);
        });
      }),
    );
  });

  it('leaves exact parts unchanged', () => {
    const exact = fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), { maxLength: 8 });
    fc.assert(
      fc.property(exact, (micros) => {
        const parts = micros.map((each) => each * 10n ** 18n);
        expect(roundParts(parts, sumAmounts(micros))).toEqual(micros);
      }),
    );
  });
});

describe('percentages', () => {
  it('add up to 100', () => {
    expect(percentages([1n, 1n, 1n], 3n)).toEqual([33.34, 33.33, 33.33]);
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), { minLength: 1 }), (parts) => {
        const whole = sumAmounts(parts);
        fc.pre(whole !== 0n);
        const hundredths = percentages(parts, whole).map((share) => BigInt(Math.round((share ?? 0) * 100)));
        expect(sumAmounts(hundredths)).toBe(10_000n);
      }),
    );
  });

  it('are null for a total of zero', () => {
    expect(percentages([5n, -5n], 0n)).toEqual([null, null]);
  });

  it('keep their sign with a negative total', () => {
    expect(percentages([-3n, 1n], -2n)).toEqual([150, -50]);
  });
});

it('computes a change in percent of the previous amount, which must be above 0', () => {
  expect(changePercent(150n, 100n)).toBe(50);
  expect(changePercent(0n, 300n)).toBe(-100);
  expect(changePercent(-150n, 100n)).toBe(-250);
  // After a credit: +149% would be no increase.
  expect(changePercent(49n, -100n)).toBeNull();
  expect(changePercent(2n, 3n)).toBe(-33.33);
  expect(changePercent(1n, 0n)).toBeNull();
});

describe('convertAmounts', () => {
  it.each([
    ['100', '1.1', 110_000_000n],
    ['0.0000005', '1', 1n],
    ['-0.0000005', '1', -1n],
    ['0.00000049', '1', 0n],
    ['0.1', '0.000014999999', 1n],
    ['0.000000000000000000000001', '499999999999999999', 0n],
    ['0.000000000000000000000001', '500000000000000000', 1n],
    ['123456789012345678.123456', '3', 370_370_367_037_037_034_370_368n],
  ])('multiplies %s by %s exactly and rounds once', (amount, rate, expected) => {
    expect(convertAmounts([{ amount: parseAmount(amount), rate: parseAmount(rate) }])).toBe(expected);
  });
});
