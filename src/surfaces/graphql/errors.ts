import {
  getNamedType,
  GraphQLError,
  isInputObjectType,
  Kind,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { AppError, ErrorCode, Spell } from '../../kit/errors.ts';
import { inputName, inputOf } from '../input.ts';
import { camelOf } from '../rest/spelling.ts';

/** The extensions of every error: the code and status of REST, and the part of the request that the error concerns, if any. */
interface Extensions {
  readonly code: ErrorCode;
  readonly status: number;
  readonly field?: string;
}

/** What an error is written with. */
interface Circumstances {
  /** What was thrown, for its place in the document. */
  readonly thrown?: unknown;
  /** Whether the response's own status follows the error. */
  readonly setsStatus: boolean;
  readonly schema?: GraphQLSchema;
  /** What an error of graphql-js itself concerns. */
  readonly field?: string | null;
}

/** Writes an error as GraphQL answers it: arguments in camelCase, the code and status of REST, nothing of the inside. */
export function graphqlError(error: AppError, { thrown, setsStatus, schema, field }: Circumstances): GraphQLError {
  const source = thrown instanceof GraphQLError ? thrown : null;
  const http = setsStatus ? { http: { status: error.status, headers: { ...error.headers } } } : {};
  const spell = spellingOf(schema, source);
  return new GraphQLError(error.messageIn(spell), {
    nodes: source?.nodes,
    source: source?.source,
    positions: source?.positions,
    path: source?.path,
    extensions: { ...extensionsOf(error, spell, field), ...http },
  });
}

/** The extensions of an error.
 *  @param concerned what an error of graphql-js itself concerns */
export function extensionsOf(error: AppError, spell: Spell, concerned: string | null = null): Extensions {
  const field = error.argument ? spell(error.argument) : concerned;
  return { code: error.code, status: error.status, ...(field !== null && { field }) };
}

/** Spells arguments in camelCase. */
const camelName: Spell = ({ path }) => path.split('.').map(camelOf).join('.');

/** Spells arguments of the field that failed as the schema has them: `name` of a mutation that takes it in its input is
 *  `input.name`. What lies in a JSON argument keeps its spelling: those names are the client's own. */
function spellingOf(schema: GraphQLSchema | undefined, source: GraphQLError | null): Spell {
  const node = source?.nodes?.find(({ kind }) => kind === Kind.FIELD);
  const name = node?.kind === Kind.FIELD ? node.name.value : '';
  const field = schema?.getQueryType()?.getFields()[name] ?? schema?.getMutationType()?.getFields()[name];
  if (!field) return camelName;
  const own: Fields = new Map(field.args.map((argument) => [argument.name, argument]));
  const input: Fields = new Map(Object.entries(inputOf(field)?.getFields() ?? {}));
  return ({ path }) => {
    const first = nameOf(camelOf(path.split('.', 1)[0] ?? ''));
    const isInInput = !own.has(first) && input.has(first);
    let fields: Fields | null = isInInput ? input : own;
    const steps = path.split('.').map((step) => {
      if (!fields) return step;
      const spelled = camelOf(step);
      const found = fields.get(nameOf(spelled));
      fields = found ? fieldsOf(found.type) : fields;
      return spelled;
    });
    return [...(isInInput ? [inputName] : []), ...steps].join('.');
  };
}

/** The name in a step of a path, such as `rules` in `rules[2]`. */
function nameOf(step: string): string {
  return step.split('[', 1)[0] ?? '';
}

type Fields = ReadonlyMap<string, { readonly type: GraphQLInputType }>;

/** The fields of an input object; null for anything else. */
function fieldsOf(type: GraphQLInputType): Fields | null {
  const named = getNamedType(type);
  return isInputObjectType(named) ? new Map(Object.entries(named.getFields())) : null;
}
