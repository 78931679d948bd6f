import { Client, type Exchange, fetchExchange, type Operation, type OperationResult } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { filter, map, merge, pipe, share, tap } from 'wonka';
import { refusalOf } from './refusal.ts';
import { accessToken, isStale, refresh, sessionState } from './session.ts';

/** A client for one signed-in session: a new session, or another organization, gets a new one and sees nothing of this. */
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
    exchanges: [recoveringExchange(), keepingExchange(), auth, fetchExchange],
    preferGetMethod: false,
  });
}

/** How long an answer stands: long enough for going back and forth, short enough to be this minute's. */
const standsMs = 15_000;
/** Answers kept at most. */
const most = 200;

interface Kept {
  readonly at: number;
  readonly result: OperationResult;
}

/** Keeps answers for 15 seconds. Any change that succeeds makes all of them old, and everything on the screen is asked
 *  again: what a change touches (sums, other lists, the inbox of somebody else) only the server knows. */
function keepingExchange(): Exchange {
  return ({ client, forward }) => {
    const kept = new Map<number, Kept>();
    const active = new Map<number, Operation>();

    const standing = (operation: Operation): OperationResult | null => {
      if (operation.kind !== 'query' || operation.context.requestPolicy === 'network-only') return null;
      const found = kept.get(operation.key);
      return found && Date.now() - found.at < standsMs ? { ...found.result, operation } : null;
    };

    const remember = (result: OperationResult): void => {
      const { operation } = result;
      if (operation.kind === 'query' && !result.error) {
        kept.delete(operation.key);
        kept.set(operation.key, { at: Date.now(), result });
        const [oldest] = kept.keys();
        if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      }
      if (operation.kind === 'mutation' && !result.error) {
        kept.clear();
        askAgain(client, [...active.values()]);
      }
      // The caller's role is another by now, or their organization requires a second factor: the shell learns it from `me`.
      if (isForbidden(result)) askAgain(client, [...active.values()].filter(asksMe));
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
      return merge([answered, asked]);
    };
  };
}

function isForbidden({ error }: OperationResult): boolean {
  const codes = error?.graphQLErrors.map(({ extensions }) => extensions['code']) ?? [];
  return codes.includes('FORBIDDEN') || codes.includes('TWO_FACTOR_SETUP_REQUIRED');
}

function asksMe({ query }: Operation): boolean {
  return query.definitions.some((one) => 'name' in one && one.name?.value === 'Me');
}

/** Refusals of the moment: the same question may be answered a little later. */
const passing = new Set(['AWAY', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

/** Once the server answers one question again, those that it refused for the moment are asked again too. Names, choices and
 *  the like have no button to try again: without this they would be missing until the page is left. */
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

/** Asks the server these questions again, after the answer that is at hand has reached whoever asked for it. */
function askAgain(client: Client, operations: readonly Operation[]): void {
  queueMicrotask(() => {
    for (const operation of operations) {
      client.reexecuteOperation(client.createRequestOperation('query', operation, { requestPolicy: 'network-only' }));
    }
  });
}
