import type { Request, Response } from 'express';
import {
  getOperationAST,
  OperationTypeNode,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  ValuesOfCorrectTypeRule,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { Context } from '../../graph/context.ts';
import type { RateCategory } from '../../kit/config/config.ts';
import type { Deps } from '../../kit/deps.ts';
import { clientError } from '../errors.ts';
import { exchangeOf, signalOf } from '../http/exchange.ts';
import { tooMany, type Gate } from '../http/gate.ts';
import { fieldOf } from './arguments.ts';
import { graphqlError } from './errors.ts';
import { documentLimits, introspectionRule, refuseGreedy, refuseUnknownOperation, rootUseOf } from './limits.ts';
import { onlyPersisted } from './persisted.ts';
import { withoutSecret } from './secrets.ts';
import { spellingOf } from './spelling.ts';
import { refuseUnstorable } from './unstorable.ts';
import { literalsRule, requiredArgumentsRule, variableErrors } from './values.ts';

/** Express objects passed to Yoga. */
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

/** Creates the GraphQL server. Express reads the body and authenticates the caller beforehand. */
export function createGraphQL({ deps, gate, schema }: Parts) {
  const spell = spellingOf(schema, null);
  return createYoga<ServerContext, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    context: ({ req, res }) => ({ ...contextOf(deps, req, res), spell }),
    graphiql: false,
    landingPage: false,
    batching: false,
    multipart: false,
    cors: false,
    logging: false,
    // Errors are formatted once, by the plugin below, when the whole result is known.
    maskedErrors: false,
    plugins: [
      errorsPlugin(deps, gate, schema),
      limitsPlugin(gate),
      inputPlugin(),
      ...(deps.config.persistedOperations ? onlyPersisted(deps.config.persistedOperations) : []),
      documentLimits(deps.config.production),
    ],
  });
}

/** Replacements for graphql-js' rules that report errors as structured data, not only as text. */
const ownRule = new Map<ValidationRule, ValidationRule>([
  [ValuesOfCorrectTypeRule, literalsRule],
  [ProvidedRequiredArgumentsRule, requiredArgumentsRule],
]);

/** Number of errors after which the validation of a document ends: each costs about a millisecond, to find names to suggest. */
const maxErrors = 10;

function contextOf(deps: Deps, req: Request, res: Response): Omit<Context, 'spell'> {
  const { viewer, origin, requestId } = exchangeOf(req);
  return { deps, viewer, actor: origin, requestId, rest: false, res, signal: signalOf(res) };
}

/** Validates the operation name and the literals of a document, with our own messages. */
function inputPlugin(): Plugin<YogaContext> {
  return {
    onParse({ context }) {
      return ({ result }) => {
        if (isDocument(result)) refuseUnknownOperation(result, context.params.operationName);
      };
    },
    onValidate({ validateFn, setValidationFn }) {
      const ownRules = (rules = specifiedRules) => [
        ...rules.map((rule) => ownRule.get(rule) ?? rule),
        introspectionRule,
      ];
      setValidationFn((schema, document, rules) => validateFn(schema, document, ownRules(rules), { maxErrors }));
    },
  };
}

/** Counts an operation's root fields, and validates its variables and limits, before execution. */
function limitsPlugin(gate: Gate): Plugin<YogaContext, ServerContext> {
  return {
    // A request is counted once its fields are known. But validation costs far more than the count, so callers above the limit are
    // rejected before it; those without a token, whose requests all count alike, before the document is parsed.
    async onParams({ context: { req, res }, setResult }) {
      if (exchangeOf(req).viewer) return;
      const verdict = await gate.count(req, res, 'auth', 0);
      if (verdict.remaining === 0) setResult({ errors: [refusal(tooMany(verdict))] });
    },
    onParse({ context: { req, params } }) {
      return ({ result }) => {
        const operation = isDocument(result) && getOperationAST(result, params.operationName);
        if (!operation) return;
        const category = operation.operation === OperationTypeNode.MUTATION ? 'write' : 'read';
        categories.set(req, category);
        const verdict = gate.spent(req, category);
        if (verdict) throw tooMany(verdict);
      };
    },
    async onExecute({ args, setResultAndStopExecution }) {
      const { req, res } = args.contextValue;
      const exchange = exchangeOf(req);
      const use = rootUseOf(args);
      exchange.route = use.name;
      rootFields.set(req, use.fields);
      for (const [category, weight] of use.weights) await gate.count(req, res, category, weight);
      if (exchange.verdict?.limited) return setResultAndStopExecution({ errors: [refusal(tooMany(exchange.verdict))] });
      const errors = variableErrors(args);
      if (errors.length > 0) return setResultAndStopExecution({ errors });
      refuseUnstorable(args);
      refuseGreedy(args, args.contextValue);
    },
  };
}

/** Category of a request that reaches no root field. */
const categories = new WeakMap<Request, RateCategory>();

/** Number of root fields executed per request. */
const rootFields = new WeakMap<Request, number>();

/** Formats all errors of a result. An error determines the HTTP status if no field ran, or if only one was
 *  requested. */
function errorsPlugin(deps: Deps, gate: Gate, schema: GraphQLSchema): Plugin<YogaContext, ServerContext> {
  return {
    async onResultProcess({ result, setResult, serverContext: { req, res } }) {
      if ((rootFields.get(req) ?? 0) === 0) await gate.count(req, res, categories.get(req) ?? 'read');
      const verdict = exchangeOf(req).verdict;
      if (!isSingle(result)) return;
      // A request that never reached a root field was only counted now, and may exceed the limit as well.
      if (verdict?.limited) return setResult({ errors: [refusal(tooMany(verdict))] });
      if (!result.errors) return;
      const at = { log: deps.log, requestId: exchangeOf(req).requestId };
      const fields = rootFields.get(req) ?? 0;
      const errors = result.errors.map((original) => {
        const thrown = withoutSecret(original);
        const setsStatus = thrown.path === undefined || (fields <= 1 && thrown.path.length === 1);
        return graphqlError(clientError(thrown, at), { thrown, setsStatus, schema, field: fieldOf(original) });
      });
      setResult({ ...result, errors });
    },
  };
}

function isDocument(result: unknown): result is DocumentNode {
  return typeof result === 'object' && result !== null && !(result instanceof Error);
}

function isSingle(result: unknown): result is ExecutionResult {
  return typeof result === 'object' && result !== null && !Array.isArray(result) && !(Symbol.asyncIterator in result);
}

function refusal(error: ReturnType<typeof tooMany>): GraphQLError {
  return graphqlError(error, { setsStatus: true });
}
