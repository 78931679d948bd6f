import { setImmediate } from 'node:timers/promises';
import type { Checker } from './check.ts';
import type { FoundViolation, JudgedResource } from './violation-store.ts';

/** How long nobody else is served, in ms: patterns of clients can take longer over a few thousand resources. */
const longestTurn = 20;

/** Judges resources one after another, in turns with what else there is to do. */
export async function judgeAll(check: Checker, resources: readonly JudgedResource[]): Promise<FoundViolation[]> {
  const found: FoundViolation[] = [];
  let turnAt = performance.now();
  for (const resource of resources) {
    for (const violation of check(resource)) found.push({ ...violation, resource });
    if (performance.now() - turnAt < longestTurn) continue;
    await setImmediate();
    turnAt = performance.now();
  }
  return found;
}
