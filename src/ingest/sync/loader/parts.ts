import { isOutOfMemory } from './refusal.ts';

/** Numbers of parts, tried in turn. */
const partCounts = [1, 8, 32, 128];

/** Processes all rows at once or, if they do not fit into memory, in parts, each with its own scan.
 *  @param work receives a function that returns the SQL condition of a part for a hash
 *  @param undo deletes what an attempt has written */
export async function inParts(
  work: (part: (hash: string) => string) => Promise<void>,
  undo: () => Promise<void>,
): Promise<void> {
  for (const parts of partCounts) {
    try {
      for (let part = 0; part < parts; part++)
        await work((hash) => (parts > 1 ? `${hash} % ${parts} = ${part}` : 'true'));
      return;
    } catch (error) {
      await undo();
      if (!isOutOfMemory(error) || parts === partCounts.at(-1)) throw error;
    }
  }
}
