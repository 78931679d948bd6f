// Exact amounts of the sample: quantities have 4 decimals and unit prices 8, so costs have 12, the precision of the
// store.

/** A quantity in units of 10^-4. */
export type Quantity = bigint;

/** A unit price in units of 10^-8. */
export type UnitPrice = bigint;

/** A cost in units of 10^-12. */
export type Cost = bigint;

/** Parses a price from the tables, at most 8 decimals. */
export function price(text: string): UnitPrice {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0').slice(0, 8));
}

/** Rounds a quantity to 4 decimals. */
export function quantity(amount: number): Quantity {
  return BigInt(Math.round(amount * 10_000));
}

/** Multiplies a price, cost or quantity by thousandths, rounding down. */
export function thousandths(value: bigint, share: number): bigint {
  return (value * BigInt(share)) / 1000n;
}

/** Formats a decimal without trailing zeros.
 *  @param decimals 4 for a quantity, 8 for a unit price, 12 for a cost */
export function decimalText(value: bigint, decimals: 4 | 8 | 12): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const text = digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
  return value < 0n ? `-${text}` : text;
}
