import { AppError } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import { explained } from './faults.ts';
import { allowedOperations } from './operations.ts';

type Handler = (args: never) => Promise<unknown>;

/** What is used of a client of the SDK. */
export interface GuardedClient {
  readonly middlewareStack: {
    add(middleware: never, options: { step: 'initialize'; name: string; priority: 'high' | 'normal' }): void;
  };
  destroy(): void;
}

/** Adds a middleware around everything that a client does for an operation. The SDK types them by every input and output of
 *  the service; ours look at neither. */
export function add(client: GuardedClient, middleware: object, name: string, priority: 'high' | 'normal'): void {
  client.middlewareStack.add(middleware as never, { step: 'initialize', name, priority });
}

/** Lets a client send nothing but the operations of the list, and lets no error out that carries its request. */
export function guard<T extends GuardedClient>(client: T, uses: 'role' | 'keys'): T {
  const middleware = (next: Handler, context: { clientName?: string; commandName?: string }) => async (args: never) => {
    const { clientName = '', commandName = '' } = context;
    if (!Object.hasOwn(allowedOperations, `${clientName}.${commandName}`)) throw forbidden(clientName, commandName);
    try {
      return await next(args);
    } catch (error) {
      if (error instanceof AppError || error instanceof TryLater) throw error;
      if (error instanceof Error && error.name === 'AbortError') throw new DOMException('Aborted', 'AbortError');
      throw explained(error, clientName.replace(/Client$/, ''), commandName.replace(/Command$/, ''), uses);
    }
  };
  add(client, middleware, 'costkeepGuard', 'high');
  return client;
}

function forbidden(client: string, command: string): Error {
  return new Error(`${client} may not send ${command}: it is not on the list of what Costkeep asks AWS`);
}
