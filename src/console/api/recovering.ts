import type { Exchange, Operation, OperationResult } from '@urql/core';
import { pipe, tap } from 'wonka';
import { askAgain } from './ask-again.ts';
import { refusalOf } from './refusal.ts';

/** Refusals of the moment: the same question may be answered a little later. */
const passing = new Set(['AWAY', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR']);

/** Once the server answers one question again, those that it refused for the moment are asked again too. Names, choices and
 *  the like have no button to try again: without this they would be missing until the page is left. */
export function recoveringExchange(): Exchange {
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
