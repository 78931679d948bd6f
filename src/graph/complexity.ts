import type { Context } from './context.ts';

/** Values of a series and rows of a breakdown that count as one item of a list: they are plain values. */
const valuesPerItem = 5;

/** Converts a number of plain values to the number of items that they count as. */
export function itemsOf(values: number): number {
  return Math.ceil(values / valuesPerItem);
}

/** Option of a list whose length depends on the arguments of the root field: Pothos passes a field only its own.
 *  @param lengthOf returns the number of items; it must accept arguments that are rejected later */
export function sizedBy<Args extends object>(lengthOf: (args: Partial<Args>) => number) {
  return {
    complexity: (_own: object, { rootArgs = {} }: Context) => ({ field: 1, multiplier: lengthOf(rootArgs) }),
  };
}
