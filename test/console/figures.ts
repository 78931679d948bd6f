/** Money as the console writes it, read back: `$1,234.50` → 1234.5. */
export function amount(text: string): number {
  const negative = /^[-−–(]/.test(text.trim());
  return Number(text.replaceAll(/[^\d.]/g, '')) * (negative ? -1 : 1);
}

/** An amount as the console rounds it. */
export function cents(cost: number): number {
  return Math.round(cost * 100) / 100;
}
