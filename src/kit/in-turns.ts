/** Does the same to each item, so many of them at a time, and answers in the order of the items.
 *  @throws what the first work that failed threw; what had not begun is not begun then */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      // The index is within the items, whatever they are.
      results[index] = await work(items[index] as Item);
    }
  };
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, lane);
  await Promise.all(lanes).catch((error: unknown) => {
    next = items.length;
    throw error;
  });
  return results;
}
