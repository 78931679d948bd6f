import { Kind, visit, type ExecutionArgs } from 'graphql';
import { invalid } from '../../kit/errors.ts';
import { flawIn, flawOf } from '../storable.ts';

/** Refuses texts that PostgreSQL cannot hold, wherever in an operation they stand.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseUnstorable({
  document,
  variableValues,
}: Pick<ExecutionArgs, 'document' | 'variableValues'>): void {
  let flaw = flawIn(variableValues);
  visit(document, { [Kind.STRING]: (node) => void (flaw ??= flawOf(node.value)) });
  if (flaw !== null) throw invalid(`A text holds ${flaw}, which is not allowed`);
}
