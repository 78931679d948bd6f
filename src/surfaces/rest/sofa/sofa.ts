import { Kind, parse, printType, type DocumentNode, type ExecutionArgs, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { useSofa } from 'sofa-api';
import type { Context } from '../../../graph/context.ts';
import type { Operation } from './operations.ts';
import { colonPath } from '../route.ts';
import type { Shape } from './shape.ts';
import { translate } from './translate.ts';

/** The context of an operation that Sofa runs for a request. */
export interface Call {
  readonly ctx: Context;
  /** The null arguments: Sofa drops them, but null differs from absent. */
  readonly nulls: Readonly<Record<string, null>>;
}

/** Sofa's router: one route per operation. A route builds its operation once and reads the variables of each
 *  request. Operations run on the executable schema. */
export type Sofa = ReturnType<typeof sofaOf>;

/** Builds Sofa's router. Its handlers take a `Call` as their context and throw the errors of resolvers. */
export function sofaOf(shape: Shape, operations: readonly Operation[]) {
  const compiled = new WeakMap<DocumentNode, CompiledQuery>();
  const compiledOnce = (document: DocumentNode): CompiledQuery => {
    const known = compiled.get(document) ?? compile(translate(document, shape), shape);
    compiled.set(document, known);
    return known;
  };
  defineRoots(shape.shape);
  return useSofa({
    basePath: '/',
    schema: shape.shape,
    ignore: Object.keys(shape.shape.getTypeMap()),
    routes: Object.fromEntries(operations.map((operation) => [sofaName(operation), sofaRoute(operation)])),
    execute: async ({ document, contextValue, variableValues }: ExecutionArgs) => {
      // The context that answer.ts passes to Sofa's handlers.
      const { ctx, nulls } = contextValue as Call;
      return compiledOnce(document).query(undefined, ctx, { ...nulls, ...variableValues });
    },
    errorHandler: ([error]) => {
      throw error;
    },
    // Sofa only generates its document if it has an endpoint; ours is enriched and served by documentRoute.
    openAPI: { endpoint: '/docs' },
    swaggerUI: { endpoint: false },
  });
}

/** Without the definition of a root type, Sofa prints and parses the whole type for each argument's description,
 *  which takes nine tenths of the time to build the API. */
function defineRoots(schema: GraphQLSchema): void {
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const [definition] = root ? parse(printType(root)).definitions : [];
    if (root && definition?.kind === Kind.OBJECT_TYPE_DEFINITION) root.astNode = definition;
  }
}

/** Operations are fixed and run often, so each is compiled once: interpreting them produced twice the garbage per
 *  request. A non-null variable with a default is rejected when absent, so no argument is both. */
function compile(document: DocumentNode, { executable }: Shape): CompiledQuery {
  const compiled = compileQuery(executable, document);
  if (!isCompiledQuery(compiled))
    throw new Error(`An operation cannot be compiled: ${JSON.stringify(compiled.errors)}`);
  return compiled;
}

function sofaName({ kind, name }: Operation): string {
  return `${kind === 'query' ? 'Query' : 'Mutation'}.${name}`;
}

function sofaRoute({ route }: Operation) {
  const { method, path, status, tags } = route;
  return { method, path: colonPath(path), responseStatus: status, tags: [...tags] };
}
