import { EnvelopArmorPlugin } from '@escape.tech/graphql-armor';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import type { Request, Response } from 'express';
import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import { queryLimits } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import { clientError } from '../errors.ts';
import { exchangeOf, signalOf } from '../exchange.ts';
import { tooMany, type Gate } from '../gate.ts';
import { argumentOf } from './arguments.ts';
import { graphqlError } from './errors.ts';
import { rootUseOf } from './limits.ts';
import { onlyPersisted } from './persisted.ts';
import { withoutSecret } from './secrets.ts';
import { refuseUnstorable } from './unstorable.ts';

/** What Express hands to Yoga. */
interface ServerContext {
  req: Request;
  res: Response;
}

type YogaContext = YogaInitialContext & ServerContext & Context;

interface Parts {
  readonly deps: Deps;
  readonly gate: Gate;
  readonly schema: GraphQLSchema;
}

/** The GraphQL server. Express has read the body and asked who calls before a request gets here. */
export function createGraphQL({ deps, gate, schema }: Parts) {
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ req, res }) => contextOf(deps, req, res),
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
    // Errors are written once, by the plugin below, where the whole result is known.
    maskedErrors: false,
    plugins: [
      errorsPlugin(deps, gate, schema),
      limitsPlugin(gate),
      // A form of another site cannot set these; a JSON client with a Bearer token sets one anyway.
      useCSRFPrevention({
        requestHeaders: ['authorization', 'x-csrf', 'x-requested-with', 'graphql-require-preflight'],
      }),
      ...(deps.config.persistedOperations ? onlyPersisted(deps.config.persistedOperations) : []),
      armor(deps.config.production),
    ],
  });
}

function contextOf(deps: Deps, req: Request, res: Response): Context {
  const { viewer, origin, requestId } = exchangeOf(req);
  return { deps, viewer, actor: origin, requestId, rest: false, res, signal: signalOf(res) };
}

/** Refuses documents that are costly before they run; what they may ask when they run, the builder's limits say. */
function armor(isProduction: boolean): Plugin {
  return EnvelopArmorPlugin({
    costLimit: { enabled: false },
    maxDepth: { n: queryLimits.depth },
    maxAliases: { n: 50 },
    maxTokens: { n: 4000 },
    maxDirectives: { n: 50 },
    // A suggestion tells names of the schema; introspection does too, but this is cheap to probe with.
    blockFieldSuggestion: { enabled: isProduction },
  });
}

/** Counts an operation's root fields before any of them runs. */
function limitsPlugin(gate: Gate): Plugin<YogaContext> {
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const { req, res } = args.contextValue;
      const exchange = exchangeOf(req);
      const use = rootUseOf(args);
      exchange.route = use.name;
      running.set(req, { fields: use.fields, variables: { ...args.variableValues } });
      for (const [category, weight] of use.weights) await gate.count(req, res, category, weight);
      if (exchange.verdict?.limited) return setResultAndStopExecution({ errors: [refusal(tooMany(exchange.verdict))] });
      refuseUnstorable(args);
    },
  };
}

/** What runs for a request: how many root fields, and with which variables, as they were sent. */
const running = new WeakMap<Request, { fields: number; variables: Readonly<Record<string, unknown>> }>();

/** Translates every error of a result. The response's status follows an error when no field ran, or only one was asked. */
function errorsPlugin(deps: Deps, gate: Gate, schema: GraphQLSchema): Plugin<YogaContext, ServerContext> {
  return {
    async onResultProcess({ result, setResult, serverContext: { req, res } }) {
      if (!exchangeOf(req).verdict) await gate.count(req, res, 'read');
      const verdict = exchangeOf(req).verdict;
      if (!isSingle(result)) return;
      // What never reached a root field was counted just now, and may be over the limit as well.
      if (verdict?.limited) return setResult({ errors: [refusal(tooMany(verdict))] });
      if (!result.errors) return;
      const at = { log: deps.log, requestId: exchangeOf(req).requestId };
      const { fields, variables } = running.get(req) ?? { fields: 0, variables: {} };
      const thrownErrors = result.errors;
      const errors = thrownErrors.map((original, index) => {
        const before = thrownErrors.slice(0, index).filter(({ nodes }) => nodes?.[0] === original.nodes?.[0]).length;
        const request = { schema, variables, before };
        const thrown = withoutSecret(original, request);
        const setsStatus = thrown.path === undefined || (fields <= 1 && thrown.path.length === 1);
        const argument = argumentOf(original, request);
        return graphqlError(clientError(thrown, at), { thrown, setsStatus, schema, argument });
      });
      setResult({ ...result, errors });
    },
  };
}

function isSingle(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !Array.isArray(result) && !(Symbol.asyncIterator in result);
}

function refusal(error: ReturnType<typeof tooMany>): GraphQLError {
  return graphqlError(error, { setsStatus: true });
}
