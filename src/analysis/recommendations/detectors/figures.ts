import { type Amount, parseAmount } from '../../../kit/money.ts';

// Exact arithmetic of savings. Amounts are in units of 10^-24; quotients are truncated there, far below the sixth displayed
// decimal.

const one = 10n ** 24n;

/** Days of an average month: 365.25 / 12. */
const daysPerMonth = parseAmount('30.4375');

/** Multiplies an amount by a quantity, price or factor. */
export function times(a: Amount, b: Amount): Amount {
  return (a * b) / one;
}

/** Divides, for example to get a unit price. 0 if the divisor is 0. */
export function per(a: Amount, b: Amount): Amount {
  return b === 0n ? 0n : (a * one) / b;
}

/** Returns a percentage of an amount; `percent` has at most 4 decimals. */
export function percentOf(amount: Amount, percent: number): Amount {
  return (amount * BigInt(Math.round(percent * 10_000))) / 1_000_000n;
}

/** Scales a sum over a number of days to a month of 30.4375 days. */
export function perMonth(sum: Amount, days: number): Amount {
  return days === 0 ? 0n : times(sum, daysPerMonth) / BigInt(days);
}

/** Returns the larger of two amounts. */
export function larger(a: Amount, b: Amount): Amount {
  return a > b ? a : b;
}

/** Returns the smaller of two amounts. */
export function smaller(a: Amount, b: Amount): Amount {
  return a < b ? a : b;
}

export { amountToNumber as numberOf, parseAmount as amountOf } from '../../../kit/money.ts';
