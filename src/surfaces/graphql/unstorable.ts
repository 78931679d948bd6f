import { GraphQLError, visit, type ASTNode, type DocumentNode, type ExecutionArgs } from 'graphql';
import { invalid } from '../../kit/errors.ts';
import { flawIn, flawOf } from '../storable.ts';
import { textOf, waysTo } from './arguments.ts';

/** Refuses texts that PostgreSQL cannot hold, wherever in an operation they stand.
 *  @throws {GraphQLError} about the argument, or {AppError} VALIDATION_ERROR for a variable that none uses */
export function refuseUnstorable({
  document,
  variableValues,
}: Pick<ExecutionArgs, 'document' | 'variableValues'>): void {
  visit(document, {
    VariableDefinition: (node) => refuse(node, document, flawIn(variableValues?.[node.variable.name.value])),
    StringValue: (node) => refuse(node, document, flawOf(node.value)),
  });
  const flaw = flawIn(variableValues);
  if (flaw !== null) throw invalid(`A variable contains ${flaw}, which is not allowed`);
}

function refuse(node: ASTNode, document: DocumentNode, flaw: string | null): void {
  if (flaw === null) return;
  const [way] = waysTo(node, document);
  const name = way ? textOf(way) : 'A text of the document';
  throw new GraphQLError(`${name} must not contain ${flaw}`, { nodes: node });
}
