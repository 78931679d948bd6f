import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  Kind,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { Spell } from '../../kit/errors/errors.ts';
import { inputName, inputOf } from '../http/input.ts';
import { routeOf } from '../rest/route.ts';
import { camelOf } from '../../kit/text/case.ts';
import { restNameOf } from '../rest/sofa/spelling.ts';

/** An argument's path in GraphQL spelling, and its type if the schema has it. */
interface Place {
  readonly path: string;
  readonly type: GraphQLInputType | null;
}

/** Spells names in an error as in the schema, relative to the failed root field: `name` of a mutation with an input
 *  is `input.name`, `in_progress` is `IN_PROGRESS`, and `GET /accounts/setup` is `accountSetup`. Names inside a JSON
 *  argument keep their spelling: they are the client's own. */
export function spellingOf(schema: GraphQLSchema | undefined, source: GraphQLError | null): Spell {
  const fields = schema ? rootFieldsOf(schema) : [];
  const node = source?.nodes?.find(({ kind }) => kind === Kind.FIELD);
  const name = node?.kind === Kind.FIELD ? node.name.value : '';
  const placeOf = placesIn(fields.find((field) => field.name === name));
  return (named) => {
    if ('route' in named) return operationAt(fields, named.route) ?? named.route;
    const { path, type } = placeOf(named.path);
    return 'choice' in named ? valueOf(type, named.choice) : path;
  };
}

type RootField = GraphQLField<unknown, unknown>;

function rootFieldsOf(schema: GraphQLSchema): readonly RootField[] {
  return [schema.getQueryType(), schema.getMutationType()].flatMap((root) => Object.values(root?.getFields() ?? {}));
}

/** The root field of a REST route; null if there is none. */
function operationAt(fields: readonly RootField[], route: string): string | null {
  const found = fields.find((field) => {
    const own = routeOf(field);
    return own !== null && `${own.method} ${own.path}` === route;
  });
  return found?.name ?? null;
}

/** The enum value with this REST spelling. */
function valueOf(type: GraphQLInputType | null, value: string): string {
  const named = type && getNamedType(type);
  const values = isEnumType(named) ? named.getValues() : [];
  const known = values.find((each) => (restNameOf(each) ?? each.name.toLowerCase()) === value);
  return known?.name ?? value.toUpperCase();
}

function placesIn(field: RootField | undefined): (path: string) => Place {
  if (!field) return (path) => ({ path: path.split('.').map(camelOf).join('.'), type: null });
  const own: Fields = new Map(field.args.map((argument) => [argument.name, argument]));
  const input: Fields = new Map(Object.entries(inputOf(field)?.getFields() ?? {}));
  return (path) => {
    const first = nameOf(camelOf(path.split('.', 1)[0] ?? ''));
    const isInInput = !own.has(first) && input.has(first);
    let fields: Fields | null = isInInput ? input : own;
    let type: GraphQLInputType | null = null;
    const steps = path.split('.').map((step) => {
      if (!fields) return step;
      const spelled = camelOf(step);
      type = fields.get(nameOf(spelled))?.type ?? null;
      fields = type ? fieldsOf(type) : fields;
      return spelled;
    });
    return { path: [...(isInInput ? [inputName] : []), ...steps].join('.'), type };
  };
}

/** The name in a path segment, such as `rules` in `rules[2]`. */
function nameOf(step: string): string {
  return step.split('[', 1)[0] ?? '';
}

type Fields = ReadonlyMap<string, { readonly type: GraphQLInputType }>;

/** The fields of an input object; null for anything else. */
function fieldsOf(type: GraphQLInputType): Fields | null {
  const named = getNamedType(type);
  return isInputObjectType(named) ? new Map(Object.entries(named.getFields())) : null;
}
