import { collectFields } from '@graphql-tools/utils';
import {
  getOperationAST,
  Kind,
  OperationTypeNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
} from 'graphql';
import type { RateCategory } from '../../kit/config.ts';
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
