/** A size of today that replaces one of before. */
export interface CurrentSize {
  /** The older one: `D3 v2`. */
  readonly replaces: string;
  /** Series and cores: `D4s v5` is `D` and 4. */
  readonly letter: 'D' | 'E';
  readonly cores: number;
}

/** Dv2 sizes by their number; those from 11 on have the memory of an E size. D1 v2 has no current size as small. */
const dv2: Readonly<Record<string, Pick<CurrentSize, 'letter' | 'cores'>>> = {
  2: { letter: 'D', cores: 2 },
  3: { letter: 'D', cores: 4 },
  4: { letter: 'D', cores: 8 },
  5: { letter: 'D', cores: 16 },
  11: { letter: 'E', cores: 2 },
  12: { letter: 'E', cores: 4 },
  13: { letter: 'E', cores: 8 },
  14: { letter: 'E', cores: 16 },
};

/** What replaces a size of a previous generation, null for what is none, or whose heir costs more (Av2, and Windows on any) or
 *  as much (Dv3, Ev3). As Microsoft's migration guide has it for the series that are retired in 2028.
 *  @param meter Azure's meter of the hours, `D2 v2/DS2 v2`, or its description, `... Series - D2 v2/DS2 v2 - US East` */
export function currentSizeOf(meter: string): CurrentSize | null {
  const [replaces, size = ''] = /\bDS?(\d+) v2\b/.exec(meter) ?? [];
  const current = dv2[size];
  return replaces === undefined || current === undefined ? null : { replaces, ...current };
}
