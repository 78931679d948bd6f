/** Fixed seed of the sample organization: another one makes another organization. */
const seed = 0x5eed_c057;

/** A number in [0, 1) that depends on the names alone: the same on every machine, on every day, in any order of asking.
 *  (FNV-1a over the names, finished with the mixer of MurmurHash3, so that neighbouring days are not alike.) */
export function chance(...names: readonly string[]): number {
  return hash(names.join('\u001f')) / 2 ** 32;
}

/** Hexadecimal digits that depend on the name alone, for made-up identifiers.
 *  @param digits how many, at most 40 */
export function hexOf(name: string, digits: number): string {
  let text = '';
  for (let part = 0; text.length < digits; part++) text += hash(`${part}${name}`).toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

/** A made-up GUID that depends on the name alone. */
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
