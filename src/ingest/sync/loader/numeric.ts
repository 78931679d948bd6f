/** Digits behind the decimal point, and their groups of four. */
const scale = 12;
const base = 10_000;
const fractionGroups = scale / 4;
/** From here on a double does not tell neighbours apart. */
const maxExactHigh = 2 ** 21;

/** Writes decimals of 12 places as PostgreSQL sends a `numeric` (numeric_send in its utils/adt/numeric.c): length, number of
 *  groups of four digits, weight of the first, sign, digits behind the point, groups without leading and trailing zeros. */
export class NumericWriter {
  readonly #buffer: Buffer;
  /** Groups of four digits, the least first. */
  readonly #groups = new Uint16Array(10);

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  /** @param words 128-bit two's complement integers, the least word first
   *  @param at where in the buffer
   *  @returns where it ends */
  write(words: Uint32Array, from: number, at: number): number {
    const isNegative = (words[from + 3] ?? 0) >= 0x8000_0000;
    const flip = isNegative ? 0xffff_ffff : 0;
    const high = ((words[from + 1] ?? 0) ^ flip) >>> 0;
    const isSmall = (words[from + 2] ?? 0) === flip && (words[from + 3] ?? 0) === flip && high < maxExactHigh;
    const count = isSmall
      ? this.#split(high * 2 ** 32 + (((words[from] ?? 0) ^ flip) >>> 0) + (isNegative ? 1 : 0))
      : this.#splitLong(words, from, isNegative);
    return this.#put(count, isNegative, at);
  }

  #split(magnitude: number): number {
    let rest = magnitude;
    let count = 0;
    while (rest > 0) {
      const next = Math.floor(rest / base);
      this.#groups[count++] = rest - next * base;
      rest = next;
    }
    return count;
  }

  #splitLong(words: Uint32Array, from: number, isNegative: boolean): number {
    let value = 0n;
    for (let word = 3; word >= 0; word--) value = (value << 32n) | BigInt(words[from + word] ?? 0);
    let rest = isNegative ? (1n << 128n) - value : value;
    let count = 0;
    for (; rest > 0n; rest /= BigInt(base)) this.#groups[count++] = Number(rest % BigInt(base));
    return count;
  }

  #put(count: number, isNegative: boolean, start: number): number {
    const buffer = this.#buffer;
    let least = 0;
    while (least < count && this.#groups[least] === 0) least++;
    const digits = count - least;
    let at = buffer.writeInt32BE(8 + digits * 2, start);
    at = buffer.writeInt16BE(digits, at);
    at = buffer.writeInt16BE(digits === 0 ? 0 : count - 1 - fractionGroups, at);
    at = buffer.writeUInt16BE(isNegative && digits > 0 ? 0x4000 : 0, at);
    at = buffer.writeInt16BE(scale, at);
    for (let group = count - 1; group >= least; group--) at = buffer.writeUInt16BE(this.#groups[group] ?? 0, at);
    return at;
  }
}
