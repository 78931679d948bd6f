import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

/** Blocks its thread. */
export function spin(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return threadId;
}

export async function later(text: string): Promise<string> {
  await sleep(1);
  return text;
}

/** Blocks its thread until another one notifies it. */
export function waitFor(gate: Int32Array<SharedArrayBuffer>): void {
  Atomics.wait(gate, 0, 0);
}

export function refuse(what: string): never {
  throw new RangeError(`${what} is out of range`);
}

export function die(code: number): never {
  process.exit(code);
}
