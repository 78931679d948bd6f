import { GraphQLError, visit, type ASTNode, type DocumentNode, type ExecutionArgs } from 'graphql';
import { invalid } from '../../kit/errors/errors.ts';
import { findFlaw } from '../http/storable.ts';
import { textOf, waysTo } from './arguments.ts';

/** Rejects strings that PostgreSQL cannot store, anywhere in an operation.
 *  @throws {GraphQLError} for an argument, or {AppError} VALIDATION_ERROR for an unused variable */
export function refuseUnstorable({
  document,
  variableValues,
}: Pick<ExecutionArgs, 'document' | 'variableValues'>): void {
  visit(document, {
    VariableDefinition: (node) => refuse(node, document, variableValues?.[node.variable.name.value]),
    StringValue: (node) => refuse(node, document, node.value),
  });
  const found = findFlaw(variableValues);
  if (found) throw invalid`A variable contains ${found.flaw}, which is not allowed`;
}

function refuse(node: ASTNode, document: DocumentNode, value: unknown): void {
  const found = findFlaw(value);
  if (!found) return;
  const [way] = waysTo(node, document);
  if (!way) throw new GraphQLError(`A string of the document must not contain ${found.flaw}`, { nodes: node });
  const field = textOf([...way, ...found.way]);
  throw new GraphQLError(`${field} must not contain ${found.flaw}`, { nodes: node, extensions: { field } });
}
