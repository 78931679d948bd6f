import { Kind, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { useSofa } from 'sofa-api';
import type { Context } from '../../graph/context.ts';
import type { Operation } from './operations.ts';
import type { Shape } from './shape.ts';
import { translate } from './translate.ts';

/** What one call of an operation carries through Sofa. */
interface Call {
  readonly ctx: Context;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Set when the operation failed: Sofa would keep of it only the status. */
  failure: unknown;
  /** The answer: Sofa would write it into a response that is read again at once. */
  answer: unknown;
}

/** Runs an operation of the REST API. Answers JSON text.
 *  @throws what its resolvers threw */
export type Run = (operation: Operation, ctx: Context, variables: Readonly<Record<string, unknown>>) => Promise<string>;

/** Lets Sofa make the routes and operations, and runs them on the executable schema. Sofa sees neither query nor body: its
 *  own reading of them coerces, drops nulls and lets the query override the body. */
export function createRun(shape: Shape, operations: readonly Operation[]): Run {
  const compiled = new WeakMap<DocumentNode, CompiledQuery>();
  const compiledOnce = (document: DocumentNode): CompiledQuery => {
    const known = compiled.get(document) ?? compile(translate(document, shape), shape);
    compiled.set(document, known);
    return known;
  };
  spareDescriptions(shape.shape);
  const sofa = useSofa({
    basePath: BASE,
    schema: shape.shape,
    ignore: Object.keys(shape.shape.getTypeMap()),
    routes: Object.fromEntries(operations.map((operation) => [sofaName(operation), sofaRoute(operation)])),
    context: ({ call }: { call: Call }) => call,
    execute: async (args: { document: DocumentNode; contextValue?: unknown }): Promise<ExecutionResult> => {
      // Given to sofa.fetch below, and handed through by the context function above.
      const call = args.contextValue as Call;
      const result = await compiledOnce(args.document).query(undefined, call.ctx, call.variables);
      call.failure = result.errors?.[0];
      const [field, answer] = Object.entries(result.data ?? {})[0] ?? [];
      call.answer = answer;
      return field === undefined || call.failure ? result : { data: { [field]: true } };
    },
    openAPI: { endpoint: false },
    swaggerUI: { endpoint: false },
  });
  const urls = new Map(
    operations.map((operation) => [operation, `http://localhost${BASE}${placeholderPath(operation)}`]),
  );

  return async (operation, ctx, variables) => {
    const call: Call = { ctx, variables, failure: undefined, answer: null };
    const response = await sofa.fetch(urls.get(operation) ?? '', { method: operation.route.method }, { call });
    if (call.failure !== undefined) throw call.failure;
    if (!response.ok) throw new Error(`Sofa answered ${operation.name} with ${response.status}`);
    return JSON.stringify(call.answer);
  };
}

/** For the description of each argument Sofa would print its whole root type and parse that again: nine tenths of the time
 *  that making the API takes. It finds none in an empty definition; our document takes them from the schema. */
function spareDescriptions(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    if (!root) continue;
    root.astNode = { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: root.name }, fields: [] };
  }
}

/** Operations are known and asked often, so each is compiled once: interpreting it left twice as much garbage a request.
 *  A variable that may not be null but has a default is refused when absent, so no argument is both. */
function compile(document: DocumentNode, { executable }: Shape): CompiledQuery {
  const compiled = compileQuery(executable, document);
  if (!isCompiledQuery(compiled))
    throw new Error(`An operation cannot be compiled: ${JSON.stringify(compiled.errors)}`);
  return compiled;
}

const BASE = '/api/v1';

function sofaName({ kind, name }: Operation): string {
  return `${kind === 'query' ? 'Query' : 'Mutation'}.${name}`;
}

function sofaRoute({ route }: Operation) {
  // Sofa would answer 204 with a body, so it never hears of that status.
  const responseStatus = route.status === 204 ? 200 : route.status;
  const path = sofaPath(route).replaceAll(/\{(\w+)\}/g, ':$1');
  return { method: route.method, path, responseStatus } as const;
}

/** Sofa would read a parameter of the path as the argument of its name, even where it stands for one of another type. */
function sofaPath({ path, flat }: Operation['route']): string {
  const isFlat = (name: string) => flat?.parameters.some((parameter) => parameter.name === name) === true;
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => (isFlat(name) ? '-' : parameter));
}

/** Variables come from us, so any text does in the place of a path's parameter. */
function placeholderPath({ route }: Operation): string {
  return route.path.replaceAll(/\{\w+\}/g, '-');
}
