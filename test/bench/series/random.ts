/** Random numbers determined by a seed. */
export interface Random {
  /** Uniform between 0 and 1. */
  unit(): number;
  /** Uniform between two numbers. */
  between(low: number, high: number): number;
  /** A uniform integer from `low` to `high`, inclusive. */
  whole(low: number, high: number): number;
  /** Log-uniform between two positive numbers. */
  ratio(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** Standard normal. */
  normal(): number;
  /** Student's t with three degrees of freedom, scaled to the median absolute value of the standard normal. */
  heavy(): number;
}

/** Mulberry32 (Tommy Ettinger, public domain), seeded by a text with FNV-1a. */
export function randomOf(seed: string): Random {
  let state = hashOf(seed);
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + (high - low) * unit();
  const normal = () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
  return {
    unit,
    between,
    whole: (low, high) => low + Math.floor(unit() * (high - low + 1)),
    ratio: (low, high) => low * (high / low) ** unit(),
    chance: (probability) => unit() < probability,
    normal,
    heavy: () => {
      const squares = normal() ** 2 + normal() ** 2 + normal() ** 2;
      // 0.8818 = 0.6745 / 0.7649, the quartiles of the normal and of t₃.
      return (0.8818 * normal()) / Math.sqrt(squares / 3);
    },
  };
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
