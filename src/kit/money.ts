import { Decimal } from 'decimal.js';
import { arg, fix, invalid } from './errors/errors.ts';
import { compare } from './sort.ts';
import { isChangeBase } from './time/compared-days.ts';

// Internally, money is exact: a bigint in units of 10^-24. Stored costs and exchange rates have 12 decimals each, so
// their products fit without rounding. It is rounded once, at the edge, to 6 decimals ("micros", also a bigint).

const amountDecimals = 24;
const amountsPerMicro = 10n ** 18n;
const amountsPerUnit = 10n ** 24n;
const microsPerUnit = 1_000_000;

/** An exact amount of money, or of any decimal quantity, in units of 10^-24. */
export type Amount = bigint;

/** An amount rounded for the edge, in units of 10^-6. */
export type Micros = bigint;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is an ISO 4217 code in upper case. */
export function isCurrencyCode(text: string): boolean {
  return currencies.has(text);
}

/** Parses a decimal number as PostgreSQL writes a `numeric`.
 *  @throws {Error} if it is not a plain decimal or has more than 24 decimals, which stored amounts never have. */
export function parseAmount(text: string): Amount {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = (parts?.[3] ?? '').replace(/0+$/, '');
  if (parts === null || fraction.length > amountDecimals) throw new Error(`Not an amount: ${text}`);
  const magnitude = BigInt((parts[2] ?? '') + fraction.padEnd(amountDecimals, '0'));
  return parts[1] === '-' ? -magnitude : magnitude;
}

/** Default maximum decimals of a number from a client: the most that is ever displayed. */
export const givenDecimals = 6;

/** Parses the decimal that a client's number was written as: 0.1 is one tenth, not its nearest binary fraction.
 *  @param field how the client spells it
 *  @returns a plain decimal, as `parseAmount` reads it
 *  @throws {AppError} VALIDATION_ERROR for more decimals than are stored, rather than rounding the client's figure */
export function parseDecimal(number: number, field: string, decimals: number = givenDecimals): string {
  const exact = new Decimal(number);
  if (exact.decimalPlaces() > decimals)
    throw invalid`${arg(field, number)} must have at most ${decimals} decimals${fix}round it`;
  return exact.toFixed();
}

/** Formats an amount as a PostgreSQL `numeric`: exactly, without trailing zeros. */
export function amountText(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(amountDecimals + 1, '0');
  const fraction = digits.slice(-amountDecimals).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -amountDecimals)}${fraction && `.${fraction}`}`;
}

/** Sums amounts. */
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

/** Multiplies amounts by their exchange rates, exactly, and rounds the sum once to 6 decimals, halves away from zero. */
export function convertAmounts(parts: readonly { readonly amount: Amount; readonly rate: Amount }[]): Micros {
  const product = sumAmounts(parts.map(({ amount, rate }) => amount * rate));
  const unit = amountsPerMicro * amountsPerUnit;
  return (product < 0n ? product - unit / 2n : product + unit / 2n) / unit;
}

/** Converts an amount rounded to 6 decimals to a JSON number. */
export function microsToNumber(micros: Micros): number {
  const number = Number(micros);
  return Number.isSafeInteger(number) ? number / microsPerUnit : Number(microsToText(micros));
}

/** Converts a number of a response, which has at most 6 decimals, to exact units. */
export function microsOf(number: number): Micros {
  return BigInt(Math.round(number * microsPerUnit));
}

/** Converts an amount rounded to 6 decimals to exact units. */
export function amountOf(micros: Micros): Amount {
  return micros * amountsPerMicro;
}

/** Rounds a number to 6 decimals, the precision of money in responses. */
export function round6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Rounds an amount to 6 decimals and converts it to a JSON number. */
export function amountToNumber(amount: Amount): number {
  return microsToNumber(roundAmount(amount));
}

function microsToText(micros: Micros): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Rounds parts to 6 decimals so that they add up to the rounded whole (largest remainder method). Parts may be
 *  negative. Parts of a part can in turn be rounded to it, because no part moves by a whole unit of the sixth
 *  decimal.
 *  @param whole the sum to match: the rounded sum of the parts, or the result of an outer rounding */
export function roundParts(parts: readonly Amount[], whole: Micros): Micros[] {
  return largestRemainder(parts, amountsPerMicro, whole);
}

/** Splits an amount by weights so that the parts add up to it exactly (largest remainder method).
 *  @param weights not negative, and not all 0 */
export function splitAmount(whole: Amount, weights: readonly bigint[]): Amount[] {
  return largestRemainder(
    weights.map((weight) => whole * weight),
    sumAmounts(weights),
    whole,
  );
}

/** Each part's share of the whole in percent, with 2 decimals, so that all shares add up to 100. Null if the whole
 *  is 0. Shares are negative or above 100 if the parts have mixed signs. */
export function percentages(parts: readonly Micros[], whole: Micros): (number | null)[] {
  if (whole === 0n) return parts.map(() => null);
  const sign = whole < 0n ? -1n : 1n;
  const scaled = parts.map((part) => part * sign * 10_000n);
  return largestRemainder(scaled, whole * sign, 10_000n).map((share) => Number(share) / 100);
}

/** Percentage change from `before` to `now`, with 2 decimals. Null unless `before` is above 0. */
export function changePercent(now: Micros, before: Micros): number | null {
  if (!isChangeBase(before)) return null;
  const scaled = (now - before) * 10_000n;
  const half = before / 2n;
  return Number((scaled < 0n ? scaled - half : scaled + half) / before) / 100;
}

/** Divides each value by the divisor, rounding down, then adds one to those with the largest remainders until the
 *  results add up to the whole. Of two equal remainders, the earlier one comes first. */
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
