import { Decimal } from 'decimal.js';
import { arg, fix, invalid } from './errors/errors.ts';

// Money inside is exact: a bigint in units of 10^-24. Stored costs have 12 decimals and exchange rates have 12, so that
// their products fit without rounding. It is rounded once, at the edge, to 6 decimals ("micros", also a bigint).

const amountDecimals = 24;
const amountsPerMicro = 10n ** 18n;
const microsPerUnit = 1_000_000;

/** An exact amount of money, or of anything counted in decimals, in units of 10^-24. */
export type Amount = bigint;

/** An amount rounded for the edge, in units of 10^-6. */
export type Micros = bigint;

/** Reads a decimal number as PostgreSQL writes a `numeric`.
 *  @throws {Error} when it is not a plain decimal or has more than 24 decimals: stored amounts never have. */
export function parseAmount(text: string): Amount {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = (parts?.[3] ?? '').replace(/0+$/, '');
  if (parts === null || fraction.length > amountDecimals) throw new Error(`Not an amount: ${text}`);
  const magnitude = BigInt((parts[2] ?? '') + fraction.padEnd(amountDecimals, '0'));
  return parts[1] === '-' ? -magnitude : magnitude;
}

/** Decimals of a number that a client sends, unless its field states others: the most that is ever shown. */
export const givenDecimals = 6;

/** Reads the decimal that a client's number is written as: 0.1 is one tenth, not its binary neighbour.
 *  @param field how the client spells it
 *  @returns a plain decimal, as `parseAmount` reads it
 *  @throws {AppError} VALIDATION_ERROR for more decimals than are kept: a rounded figure would not be the client's */
export function parseDecimal(number: number, field: string, decimals: number = givenDecimals): string {
  const exact = new Decimal(number);
  if (exact.decimalPlaces() > decimals)
    throw invalid`${arg(field, number)} must have at most ${decimals} decimals${fix}round it`;
  return exact.toFixed();
}

/** Writes an amount as PostgreSQL reads a `numeric`: exactly, without trailing zeros. */
export function amountText(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(amountDecimals + 1, '0');
  const fraction = digits.slice(-amountDecimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -amountDecimals)}${fraction && `.${fraction}`}`;
}

/** Adds amounts up. */
export function sumAmounts(amounts: Iterable<Amount>): Amount {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}

/** Rounds to 6 decimals, halves away from zero. */
export function roundAmount(amount: Amount): Micros {
  const half = amountsPerMicro / 2n;
  return (amount < 0n ? amount - half : amount + half) / amountsPerMicro;
}

/** The JSON number of an amount rounded to 6 decimals. */
export function microsToNumber(micros: Micros): number {
  const number = Number(micros);
  return Number.isSafeInteger(number) ? number / microsPerUnit : Number(microsToText(micros));
}

function microsToText(micros: Micros): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Rounds parts to 6 decimals so that they add up to the rounded whole (largest remainder). Parts may be negative; the
 *  parts of a part can be rounded to it in turn, because a part is never moved by a whole unit of the sixth decimal.
 *  @param whole what the parts must add up to: the rounded sum of the parts, or what an outer rounding made of it */
export function roundParts(parts: readonly Amount[], whole: Micros): Micros[] {
  return largestRemainder(parts, amountsPerMicro, whole);
}

/** Each part's share of the whole in percent, with 2 decimals, so that the shares of all parts add up to 100.
 *  Null where the whole is 0. Shares are negative, or above 100, where parts have both signs. */
export function percentages(parts: readonly Micros[], whole: Micros): (number | null)[] {
  if (whole === 0n) return parts.map(() => null);
  const sign = whole < 0n ? -1n : 1n;
  const scaled = parts.map((part) => part * sign * 10_000n);
  return largestRemainder(scaled, whole * sign, 10_000n).map((share) => Number(share) / 100);
}

/** By how many percent, with 2 decimals, `now` is above `before`; below, when negative. Null where `before` is 0. */
export function changePercent(now: Micros, before: Micros): number | null {
  if (before === 0n) return null;
  const base = before < 0n ? -before : before;
  const scaled = (now - before) * 10_000n;
  const half = base / 2n;
  return Number((scaled < 0n ? scaled - half : scaled + half) / base) / 100;
}

/** Divides each value by the divisor, rounding down, and then raises those with the largest remainders by one, the
 *  earlier of two equal ones first, until the results add up to the whole. */
function largestRemainder(values: readonly bigint[], divisor: bigint, whole: bigint): bigint[] {
  const results = values.map((value) => floorDivide(value, divisor));
  const missing = Number(whole - sumAmounts(results));
  if (missing === 0) return results;
  if (missing < 0 || missing > values.length) throw new Error('The parts do not belong to the whole');
  const remainders = values.map((value, index) => value - (results[index] ?? 0n) * divisor);
  const order = remainders.map((_, index) => index).sort((a, b) => compare(remainders[b] ?? 0n, remainders[a] ?? 0n));
  for (const index of order.slice(0, missing)) results[index] = (results[index] ?? 0n) + 1n;
  return results;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
