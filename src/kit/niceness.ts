import { setPriority } from 'node:os';

/** Below the server and its database, so that requests keep their latency. Processes that work beside them share the rest. */
const niceness = 10;

/** Lowers the priority of this process: of the calling thread and of those that are started after it. */
export function yieldToServer(): void {
  setPriority(niceness);
}
