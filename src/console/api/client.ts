import { Client, type Exchange, fetchExchange, makeOperation, type Operation, type OperationResult } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { filter, makeSubject, map, merge, pipe, share, tap } from 'wonka';
import { withOwnChanges } from './own-changes.ts';
import { refusalOf, type Refusal } from './refusal.ts';
import { accessToken, isStale, refresh, sessionState } from './session.ts';
import { isLimit, waitAfter } from './waiting.ts';

/** Creates a client for one session. A new session or another organization gets a new client with an empty cache. */
export function openClient(): Client {
  const auth = authExchange(async ({ appendHeaders }) => ({
    addAuthToOperation: (operation) => {
      const token = accessToken();
      return token === null ? operation : appendHeaders(operation, { Authorization: `Bearer ${token}` });
    },
    willAuthError: () => isStale() && sessionState().at === 'in',
    didAuthError: ({ graphQLErrors }) => graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHORIZED'),
    refreshAuth: async () => {
      await refresh();
    },
  }));
  return new Client({
    url: '/graphql',
    exchanges: [recoveringExchange(), keepingExchange(), waitingExchange(), auth, fetchExchange],
    preferGetMethod: false,
  });
}

/** Cache lifetime in milliseconds: covers Back and Forward without showing stale data. */
const standsMs = 15_000;
/** Context of queries whose answers change only with syncs, or rarely: costs, names, choices and the days of the bills. Cached
 *  for a minute, so that changing pages does not refetch them. */
export const lasting = { standsMs: 60_000 };
/** Maximum number of cached answers. */
const most = 200;

interface Kept {
  readonly at: number;
  readonly result: OperationResult;
}

/** Context of a mutation that only reads, such as a preview. */
export const readOnly = { readsOnly: true };

/** Caches answers for 15 seconds, those of lasting queries for a minute. Every successful mutation, except one that only reads,
 *  clears the cache and refetches all active queries, because only the server knows what else it changed, such as
 *  sums, other lists and notifications. Until then, the records that it returned replace those of active queries. */
function keepingExchange(): Exchange {
  return ({ client, forward }) => {
    const kept = new Map<number, Kept>();
    const active = new Map<number, Operation>();
    const replaced = makeSubject<OperationResult>();

    const standing = (operation: Operation): OperationResult | null => {
      if (operation.kind !== 'query' || operation.context.requestPolicy === 'network-only') return null;
      const found = kept.get(operation.key);
      return found && Date.now() - found.at < lifeOf(operation) ? { ...found.result, operation } : null;
    };

    const remember = (result: OperationResult): void => {
      const { operation } = result;
      if (operation.kind === 'query' && !result.error) {
        kept.delete(operation.key);
        kept.set(operation.key, { at: Date.now(), result });
        const [oldest] = kept.keys();
        if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      }
      if (operation.kind === 'mutation' && !result.error && !operation.context['readsOnly']) {
        const shown = [...kept].filter(([key]) => active.has(key));
        kept.clear();
        for (const [, known] of shown)
          replaced.next({ ...known.result, data: withOwnChanges(known.result.data, result.data) });
        askAgain(client, [...active.values()]);
      }
      // A conflict shows that the console has read something that others have changed since.
      if (codesOf(result).includes('CONFLICT')) kept.clear();
      // The caller's role has changed, or the organization now requires two-factor authentication: `me` has both.
      // A conflict may show that the organization has changed, such as by an earlier call whose answer was lost.
      if (isForbidden(result) || codesOf(result).includes('CONFLICT'))
        askAgain(client, [...active.values()].filter(asksMe));
    };

    const watch = (operation: Operation): void => {
      if (operation.kind === 'query') active.set(operation.key, operation);
      if (operation.kind === 'teardown') active.delete(operation.key);
    };

    return (operations) => {
      const all = pipe(operations, tap(watch), share);
      const answered = pipe(
        all,
        map(standing),
        filter((result) => result !== null),
      );
      const asked = pipe(
        all,
        filter((operation) => standing(operation) === null),
        forward,
        tap(remember),
      );
      return merge([answered, asked, replaced.source]);
    };
  };
}

function lifeOf({ context }: Operation): number {
  const own: unknown = context['standsMs'];
  return typeof own === 'number' ? own : standsMs;
}

function codesOf({ error }: OperationResult): unknown[] {
  return error?.graphQLErrors.map(({ extensions }) => extensions['code']) ?? [];
}

function isForbidden(result: OperationResult): boolean {
  const codes = codesOf(result);
  return codes.includes('FORBIDDEN') || codes.includes('TWO_FACTOR_SETUP_REQUIRED');
}

function asksMe({ query }: Operation): boolean {
  return query.definitions.some((one) => 'name' in one && one.name?.value === 'Me');
}

/** Codes of transient errors, which a retry may resolve. */
const passing = new Set(['AWAY', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

/** Retries queries that failed with a transient error as soon as another query succeeds. Names and filter choices have no
 *  retry button and would otherwise stay missing until the user leaves the page. */
function recoveringExchange(): Exchange {
  return ({ client, forward }) => {
    const refused = new Map<number, Operation>();

    const look = ({ operation, error }: OperationResult): void => {
      if (operation.kind !== 'query') return;
      if (error) {
        if (passing.has(refusalOf(error).code)) refused.set(operation.key, operation);
        return;
      }
      refused.delete(operation.key);
      const waiting = [...refused.values()];
      refused.clear();
      askAgain(client, waiting);
    };

    return (operations) =>
      pipe(
        operations,
        tap(({ kind, key }) => kind === 'teardown' && refused.delete(key)),
        forward,
        tap(look),
      );
  };
}

/** Repeats queries above the rate limit once, after the wait. Until then they count as loading, so that the page keeps its data. */
function waitingExchange(): Exchange {
  return ({ forward }) => {
    const active = new Set<number>();
    const repeated = makeSubject<Operation>();

    const watch = ({ kind, key }: Operation): void => {
      if (kind === 'query') active.add(key);
      if (kind === 'teardown') active.delete(key);
    };

    const repeat = async (operation: Operation, refusal: Refusal): Promise<void> => {
      await waitAfter(refusal);
      const { kind, key, context } = operation;
      if (active.has(key)) repeated.next(makeOperation(kind, operation, { ...context, hasWaited: true }));
    };

    const isFinal = ({ operation, error }: OperationResult): boolean => {
      const refusal = error && refusalOf(error);
      const { kind, context } = operation;
      if (!refusal || !isLimit(refusal) || kind !== 'query' || context['hasWaited']) return true;
      void repeat(operation, refusal);
      return false;
    };

    return (operations) => pipe(merge([pipe(operations, tap(watch)), repeated.source]), forward, filter(isFinal));
  };
}

/** Refetches queries after the current result has been delivered. */
function askAgain(client: Client, operations: readonly Operation[]): void {
  queueMicrotask(() => {
    for (const operation of operations) {
      client.reexecuteOperation(client.createRequestOperation('query', operation, { requestPolicy: 'network-only' }));
    }
  });
}
