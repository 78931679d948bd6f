/** How many groups have a colour of their own; the others are drawn as one. */
export const coloured = 10;

/** The colour of the n-th group, from 0. */
export function colourOf(index: number): string {
  return index < coloured ? `var(--chart-${index + 1})` : rest;
}

/** What is not told apart. */
export const rest = 'var(--chart-rest)';
