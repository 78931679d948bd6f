import { BREAK, Kind, visit, type ExecutionArgs } from 'graphql';
import { invalid } from '../../kit/errors.ts';

/** Refuses texts that PostgreSQL cannot hold, wherever in an operation they stand.
 *  @throws {AppError} VALIDATION_ERROR */
export function refuseNul({ document, variableValues }: Pick<ExecutionArgs, 'document' | 'variableValues'>): void {
  let found = JSON.stringify(variableValues ?? {}).includes('\\u0000') && hasNul(variableValues);
  visit(document, {
    [Kind.STRING]: (node) => {
      if (!node.value.includes('\u0000')) return undefined;
      found = true;
      return BREAK;
    },
  });
  if (found) throw invalid('A text holds the character U+0000, which is not allowed');
}

/** The JSON text of a backslash followed by `u0000` looks the same, so the value itself decides. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => key.includes('\u0000') || hasNul(item));
}
