/** Fixed seed of the sample organization; a different seed creates a different organization. */
const seed = 0x5eed_c057;

/** A number in [0, 1) that depends only on the names: the same on every machine and day, regardless of call order.
 *  (FNV-1a over the names, finalized with MurmurHash3's mixer, so that adjacent days differ.) */
export function chance(...names: readonly string[]): number {
  return hash(names.join('\u001f')) / 2 ** 32;
}

/** Hexadecimal digits derived from the name, for made-up identifiers.
 *  @param digits number of digits, at most 40 */
export function hexOf(name: string, digits: number): string {
  let text = '';
  for (let part = 0; text.length < digits; part++) text += hash(`${part}${name}`).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

/** A made-up GUID derived from the name. */
export function guidOf(name: string): string {
  const hex = hexOf(name, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

function hash(text: string): number {
  let state = seed;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x0100_0193);
  state = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
