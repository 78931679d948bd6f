import { hash } from '../words/hash.ts';

/** Number of series with a colour of their own; the remaining ones share one. */
export const coloured = 6;

/** Number of chart colours in style.css; more than `coloured`, so that few names collide. */
const palette = 8;

/** Colour of the combined remaining series. */
export const rest = 'var(--chart-rest)';

/** Colour of charges without a value, such as untagged ones. */
export const none = 'var(--chart-none)';

/** Colours of series by name, at most `coloured`; null names charges without a value. A name has the same colour in every chart,
 *  regardless of its rank, unless another name of the chart already has it (rendezvous hashing: each name ranks all colours, and
 *  takes the first free one).
 *  @returns colours in the order of the names */
export function coloursOf(names: readonly (string | null)[]): string[] {
  const free = new Set(Array.from({ length: palette }, (_, index) => index + 1));
  const taken = new Map<string, number>();
  // The order must not depend on the rank in one chart.
  const named = names.slice(0, coloured).filter((name) => name !== null);
  for (const name of named.toSorted((one, other) => hash(one) - hash(other))) {
    const weight = (colour: number) => hash(`${colour} ${name}`);
    const [best = 1] = [...free].toSorted((one, other) => weight(other) - weight(one));
    free.delete(best);
    taken.set(name, best);
  }
  return names.map((name) => {
    if (name === null) return none;
    const colour = taken.get(name);
    return colour === undefined ? rest : `var(--chart-${colour})`;
  });
}

/** Colour of the only series of a chart. */
export const single = 'var(--chart-1)';
