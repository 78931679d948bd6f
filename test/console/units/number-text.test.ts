import { describe, expect, it } from 'vitest';
import { readNumber, showNumber } from '../../../src/console/parts/form/number-text.ts';

const money = { unit: 'EUR', isGrouped: true, decimals: 6, isSigned: true };
const rate = { unit: '', isGrouped: false, decimals: 12, isSigned: false };

describe('an amount', () => {
  it.each([
    ['60,000', '60000'],
    ['60000 EUR', '60000'],
    ['1,234,567.89', '1234567.89'],
    ['$29,757.49', '29757.49'],
    ['29.757,49 €', '29757.49'],
    ['-€1,200', '-1200'],
    ['1.234.567', '1234567'],
    ['1 500', '1500'],
    ['1\u202F500,50', '1500.50'],
    ["1'500", '1500'],
    ['1500,5', '1500.5'],
    ['1500.', '1500'],
    ['.5', '0.5'],
    ['0,125', '0.125'],
    ['007', '7'],
    ['12345678901234567890.123456', '12345678901234567890.123456'],
  ])('%s is %s', (text, plain) => {
    expect(readNumber(text, money)).toEqual({ plain });
  });

  it.each([
    ['1.500', '“1.500” is ambiguous: enter 1500 or 1.5000'],
    ['1e9', '“1e9” is not a number'],
    ['1,50,000', '“1,50,000” is not a number'],
    ['1.2.3', '“1.2.3” is not a number'],
    ['-', '“-” is not a number'],
    ['1.1234567', 'Enter at most 6 decimals'],
  ])('%s is refused', (text, fault) => {
    expect(readNumber(text, money)).toEqual({ fault });
  });
});

describe('a rate', () => {
  it.each([
    ['1,17', '1.17'],
    ['1.170', '1.170'],
    ['1,1700', '1.1700'],
    ['1,234.5', '1234.5'],
  ])('%s is %s', (text, plain) => {
    expect(readNumber(text, rate)).toEqual({ plain });
  });

  it.each([
    ['1,170', '“1,170” is ambiguous: enter 1170 or 1.1700'],
    ['-1', 'Enter a number of at least 0'],
  ])('%s is refused', (text, fault) => {
    expect(readNumber(text, rate)).toEqual({ fault });
  });
});

it('shows numbers as the console does, in a form that reads the same', () => {
  for (const plain of ['0', '60000', '-1234567.5', '12345678901234567890'])
    expect(readNumber(showNumber(plain, money), money)).toEqual({ plain });
  expect(showNumber('60000.50', money)).toBe('60,000.50 EUR');
});
