import { type Amount, microsToNumber, parseAmount, roundAmount } from '../../../kit/money.ts';

// Exact arithmetic of savings. Amounts are units of 10^-24; quotients are cut there, far below the sixth decimal shown.

const one = 10n ** 24n;

/** Days of an average month: 365.25 / 12. */
const daysPerMonth = parseAmount('30.4375');

/** An amount from its decimal text: `amountOf('0.06')`. */
export function amountOf(decimal: string): Amount {
  return parseAmount(decimal);
}

/** The product of an amount and a quantity, price or factor. */
export function times(a: Amount, b: Amount): Amount {
  return (a * b) / one;
}

/** The quotient, such as the price of a unit. 0 where there is nothing to divide by. */
export function per(a: Amount, b: Amount): Amount {
  return b === 0n ? 0n : (a * one) / b;
}

/** A percentage of an amount; `percent` has at most 4 decimals. */
export function percentOf(amount: Amount, percent: number): Amount {
  return (amount * BigInt(Math.round(percent * 10_000))) / 1_000_000n;
}

/** Scales a sum over a number of days to a month of 30.4375 days. */
export function perMonth(sum: Amount, days: number): Amount {
  return days === 0 ? 0n : times(sum, daysPerMonth) / BigInt(days);
}

/** The larger of two. */
export function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}

/** The smaller of two. */
export function smaller(a: Amount, b: Amount): Amount {
  return a < b ? a : b;
}

/** The JSON number of an amount, rounded to 6 decimals. */
export function numberOf(amount: Amount): number {
  return microsToNumber(roundAmount(amount));
}
