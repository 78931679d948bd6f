import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { collectFields } from '@graphql-tools/utils';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  Kind,
  OperationTypeNode,
  type ASTVisitor,
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type GraphQLField,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { queryLimits } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import type { RateCategory } from '../../kit/config/config.ts';
import { arg, fix, invalid, mention, type AppError } from '../../kit/errors/errors.ts';
import { categoryOf } from '../rest/route.ts';

/** An operation's use of root fields: their number, and requests per rate limit category. */
export interface RootUse {
  readonly fields: number;
  /** Name for the log and metrics: its only root field, otherwise the number of root fields. Never a client-chosen
   *  name, which would have unbounded cardinality. */
  readonly name: string;
  /** Number of requests it counts as, by category. */
  readonly weights: ReadonlyMap<RateCategory, number>;
}

/** Counts an operation's root fields, including fragments, directives and aliases, so that batching with aliases
 *  does not bypass rate limits. Introspection fields count as reads. */
export function rootUseOf(args: Operation): RootUse {
  const roots = rootFieldsOf(args);
  const [first] = roots;
  const weights = new Map<RateCategory, number>();
  if (!first) return { fields: 0, name: 'no operation', weights };
  const kind = first.operation.operation === OperationTypeNode.MUTATION ? 'mutation' : 'query';
  for (const { field } of roots) {
    const category = field ? categoryOf(field, kind) : 'read';
    weights.set(category, (weights.get(category) ?? 0) + 1);
  }
  return { fields: roots.length, name: roots.length === 1 ? first.name : `${roots.length} fields`, weights };
}

type Operation = Pick<ExecutionArgs, 'document' | 'operationName' | 'schema' | 'variableValues'>;

/** A requested root field. */
interface RootField {
  readonly operation: OperationDefinitionNode;
  readonly name: string;
  /** Undefined for introspection. */
  readonly field: GraphQLField<unknown, unknown> | undefined;
  /** Its selections, which have the same arguments. */
  readonly nodes: readonly FieldNode[];
}

/** Returns an operation's root fields, one for each alias. */
function rootFieldsOf(args: Operation): RootField[] {
  const operation = getOperationAST(args.document, args.operationName);
  const root = operation && args.schema.getRootType(operation.operation);
  if (!root) return [];
  const variables = { ...args.variableValues };
  const { fields } = collectFields(args.schema, fragmentsOf(args), variables, root, operation.selectionSet);
  return [...fields.values()].map((nodes) => {
    const name = nodes[0]?.name.value ?? '';
    return { operation, name, field: root.getFields()[name], nodes };
  });
}

function fragmentsOf({ document }: Pick<ExecutionArgs, 'document'>): Record<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Rejects expensive documents before execution; `refuseGreedy` limits what an operation requests. */
export function documentLimits(isProduction: boolean): Plugin {
  return EnvelopArmorPlugin({
    costLimit: { enabled: false },
    maxDepth: { enabled: false },
    maxAliases: { n: queryLimits.aliases, onReject: [() => refuseCount('aliases', queryLimits.aliases)] },
    maxDirectives: { n: queryLimits.directives, onReject: [() => refuseCount('directives', queryLimits.directives)] },
    maxTokens: { n: queryLimits.tokens, onReject: [() => refuseCount('tokens', queryLimits.tokens)] },
    // Suggestions reveal schema names. So does introspection, but suggestions are cheaper to probe with.
    blockFieldSuggestion: { enabled: isProduction },
  });
}

/** Rejects aliases in introspection: each would repeat a part of the schema, which other limits do not count. */
export function introspectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field({ name, alias }) {
      const isIntrospection =
        context.getParentType()?.name.startsWith('__') || ['__schema', '__type'].includes(name.value);
      if (alias && isIntrospection)
        throw invalid`${arg('query')} has the alias ${mention(alias.value)} in introspection${fix}select each field once`;
    },
  };
}

function refuseCount(things: string, limit: number): never {
  throw invalid`${arg('query')} has more than ${limit} ${things}${fix}send several smaller requests`;
}

/** Rejects an operation that requests too much, before any of it runs.
 *  @throws {AppError} VALIDATION_ERROR naming the limit, or an out-of-range argument that multiplies the complexity */
export function refuseGreedy(args: Operation, ctx: Context): void {
  const { depth, breadth, complexity, largest } = measure(args, ctx);
  if (depth > queryLimits.depth)
    throw beyond(`a depth of ${depth}`, queryLimits.depth, 'select fewer fields inside others');
  if (breadth > queryLimits.breadth)
    throw beyond(`a breadth of ${breadth}`, queryLimits.breadth, 'select fewer fields');
  if (complexity > queryLimits.complexity)
    throw beyond(
      `a complexity of ${complexity}, ${largest?.complexity ?? 0} of it from ${largest?.name ?? ''}`,
      queryLimits.complexity,
      'request fewer days, fewer items with perPage, first or limit, or fewer fields',
    );
}

/** Measures an operation. Each root field is measured on its own, so that the lists in it can depend on its arguments. */
export function measure(args: Operation, ctx: Context) {
  const variables = { ...args.variableValues };
  const fragments = Object.values(fragmentsOf(args));
  const fields = rootFieldsOf(args).map(({ operation, name, field, nodes }) => {
    const [first] = nodes;
    const { coerced } = getVariableValues(args.schema, operation.variableDefinitions ?? [], variables);
    const rootArgs = field && first ? argumentsOf(field, first, coerced) : {};
    const alone = { ...operation, selectionSet: { ...operation.selectionSet, selections: nodes } };
    const document = { kind: Kind.DOCUMENT, definitions: [alone, ...fragments] } as const;
    return { name, ...complexityFromQuery(document, { schema: args.schema, ctx: { ...ctx, rootArgs }, variables }) };
  });
  return {
    depth: Math.max(0, ...fields.map(({ depth }) => depth)),
    breadth: sum(fields.map(({ breadth }) => breadth)),
    complexity: sum(fields.map(({ complexity }) => complexity)),
    largest: fields.toSorted((a, b) => b.complexity - a.complexity)[0],
  };
}

/** The arguments of a field; none if they are invalid, which the execution reports without repeating secrets. */
function argumentsOf(...field: Parameters<typeof getArgumentValues>): ReturnType<typeof getArgumentValues> {
  try {
    return getArgumentValues(...field);
  } catch {
    return {};
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((so, one) => so + one, 0);
}

function beyond(found: string, maximum: string | number, remedy: string): AppError {
  return invalid`${arg('query')} has ${found}, and the maximum is ${maximum}${fix}${remedy}`;
}

/** Rejects an operation name that does not exist in the document.
 *  @throws {AppError} VALIDATION_ERROR naming the operations */
export function refuseUnknownOperation(document: DocumentNode, operationName: string | null | undefined): void {
  if (getOperationAST(document, operationName)) return;
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const names = operations.map(({ name }) => (name ? `"${name.value.slice(0, 80)}"` : 'one without a name')).join(', ');
  if (operations.length === 0) throw invalid`${arg('query')} has no operation${fix}add one`;
  if (typeof operationName !== 'string')
    throw invalid`${arg('operationName')} is required where the document has several operations; it has ${names}`;
  throw invalid`${arg('operationName', operationName)} is not an operation of the document; it has ${names}`;
}
