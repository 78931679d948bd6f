import { microsToNumber, type Micros } from '../kit/money.ts';

/** Money as the API answers it, a number of at most 6 decimals, as whole millionths: those add up exactly. */
export function microsOf(money: number): Micros {
  return BigInt(Math.round(money * 1e6));
}

/** What sums of money add up to, exact to the sixth decimal. */
export function sumOf(money: Iterable<number>): number {
  let sum = 0n;
  for (const one of money) sum += microsOf(one);
  return microsToNumber(sum);
}

/** How many percent one figure is of another, 2 decimals; null where there is nothing to divide by. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100;
}
