import type { Exchange, Operation, OperationResult } from '@urql/core';
import { filter, map, merge, pipe, share, tap } from 'wonka';
import { askAgain } from './ask-again.ts';

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
export function keepingExchange(): Exchange {
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
