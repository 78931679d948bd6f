import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { collectFields } from '@graphql-tools/utils';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  getOperationAST,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { queryLimits } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import type { RateCategory } from '../../kit/config/config.ts';
import { arg, fix, invalid, type AppError } from '../../kit/errors/errors.ts';
import { categoryOf } from '../rest/route.ts';

/** What an operation asks of the root types: how often of each budget, and of how many fields. */
export interface RootUse {
  readonly fields: number;
  /** What it is called in log and metrics: its one root field, else how many there are. Never a name of the client's own
   *  choice, of which there could be a new one with each request. */
  readonly name: string;
  /** Requests it stands for, by category. */
  readonly weights: ReadonlyMap<RateCategory, number>;
}

/** Counts an operation's root fields, fragments, directives and aliases considered: a batch of aliases buys nothing.
 *  Fields of introspection count as reads. */
export function rootUseOf(
  args: Pick<ExecutionArgs, 'document' | 'operationName' | 'schema' | 'variableValues'>,
): RootUse {
  const operation = getOperationAST(args.document, args.operationName);
  const kind = operation?.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query';
  const root = kind === 'mutation' ? args.schema.getMutationType() : args.schema.getQueryType();
  const weights = new Map<RateCategory, number>();
  if (!operation || !root) return { fields: 0, name: 'no operation', weights };
  const variables = { ...args.variableValues };
  const { fields } = collectFields(args.schema, fragmentsOf(args), variables, root, operation.selectionSet);
  for (const [node] of fields.values()) {
    const category = categoryOfNode(node, root.getFields(), kind);
    weights.set(category, (weights.get(category) ?? 0) + 1);
  }
  const [first] = [...fields.values()].map(([node]) => node?.name.value);
  const name = fields.size === 1 && first !== undefined ? first : `${fields.size} fields`;
  return { fields: fields.size, name, weights };
}

type Fields = Readonly<Record<string, Parameters<typeof categoryOf>[0]>>;

function categoryOfNode(node: FieldNode | undefined, fields: Fields, kind: 'query' | 'mutation'): RateCategory {
  const field = node && fields[node.name.value];
  return field ? categoryOf(field, kind) : 'read';
}

function fragmentsOf({ document }: Pick<ExecutionArgs, 'document'>): Record<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Refuses documents that are costly before they run; what an operation asks when it runs, `refuseGreedy` limits. */
export function documentLimits(isProduction: boolean): Plugin {
  return EnvelopArmorPlugin({
    costLimit: { enabled: false },
    maxDepth: { enabled: false },
    maxAliases: { n: queryLimits.aliases, onReject: [() => refuseCount('aliases', queryLimits.aliases)] },
    maxDirectives: { n: queryLimits.directives, onReject: [() => refuseCount('directives', queryLimits.directives)] },
    maxTokens: { n: queryLimits.tokens, onReject: [() => refuseCount('tokens', queryLimits.tokens)] },
    // Suggestions reveal names of the schema. Introspection does too, but suggestions are cheaper to probe with.
    blockFieldSuggestion: { enabled: isProduction },
  });
}

function refuseCount(things: string, limit: number): never {
  throw invalid`${arg('query')} has more than ${limit} ${things}${fix}send several smaller requests`;
}

/** Refuses an operation that asks for too much, before any of it runs.
 *  @throws {AppError} VALIDATION_ERROR naming the limit, or an argument that multiplies and is out of range */
export function refuseGreedy(
  args: Pick<ExecutionArgs, 'document' | 'operationName' | 'schema' | 'variableValues'>,
  ctx: Context,
): void {
  const operation = getOperationAST(args.document, args.operationName);
  const definitions = args.document.definitions.filter(
    (definition) => definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  const { depth, breadth, complexity } = complexityFromQuery(
    { ...args.document, definitions },
    { schema: args.schema, ctx, variables: { ...args.variableValues } },
  );
  if (depth > queryLimits.depth)
    throw beyond(`a depth of ${depth}`, queryLimits.depth, 'select fewer fields inside others');
  if (breadth > queryLimits.breadth)
    throw beyond(`a breadth of ${breadth}`, queryLimits.breadth, 'select fewer fields');
  if (complexity > queryLimits.complexity)
    throw beyond(
      `a complexity of ${complexity}`,
      queryLimits.complexity,
      'ask for fewer items with perPage or first, or select fewer fields',
    );
}

function beyond(found: string, maximum: string | number, remedy: string): AppError {
  return invalid`${arg('query')} has ${found}, and the maximum is ${maximum}${fix}${remedy}`;
}

/** Refuses a name that no operation of the document has.
 *  @throws {AppError} VALIDATION_ERROR naming the operations */
export function refuseUnknownOperation(document: DocumentNode, operationName: string | null | undefined): void {
  if (getOperationAST(document, operationName)) return;
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.map(({ name }) => (name ? `"${name.value.slice(0, 80)}"` : 'one without a name')).join(', ');
  if (operations.length === 0) throw invalid`${arg('query')} has no operation${fix}add one`;
  if (typeof operationName !== 'string')
    throw invalid`${arg('operationName')} is required where the document has several operations; it has ${names}`;
  throw invalid`${arg('operationName', operationName)} is no operation of the document; it has ${names}`;
}
