import type { Deps } from '../../kit/deps.ts';
import type { CostQuestion } from './question.ts';
import { joinsManyRows, mayUseTagRollup, planReading } from './rollup.ts';
import type { Books } from './scan.ts';
import { inSnapshot, readCells, readTagRollups, type CostCell, type Reader } from './store.ts';

/** The exact cells of a question's answer, in the currency of the books, from the smallest place that holds them. */
export async function readQuestion(
  deps: Pick<Deps, 'pool'>,
  books: Books,
  question: CostQuestion,
): Promise<CostCell[]> {
  if (books.accountIds.length === 0) return [];
  const read = async (reader: Reader) => {
    const spans = planReading(question, true);
    if (!mayUseTagRollup(question)) return readCells(reader, books, question, spans);
    const cells = await readTagRollups(reader, books, question, spans);
    return cells ?? readCells(reader, books, question, planReading(question, false));
  };
  return joinsManyRows(question) ? inSnapshot(deps.pool, read) : read(deps.pool);
}
