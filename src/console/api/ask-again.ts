import type { Client, Operation } from '@urql/core';

/** Asks the server these questions again, after the answer that is at hand has reached whoever asked for it. */
export function askAgain(client: Client, operations: readonly Operation[]): void {
  queueMicrotask(() => {
    for (const operation of operations) {
      client.reexecuteOperation(client.createRequestOperation('query', operation, { requestPolicy: 'network-only' }));
    }
  });
}
