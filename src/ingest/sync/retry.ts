import type { Deps } from '../../kit/deps.ts';
import { sentence } from '../../kit/errors/stored-error.ts';
import type { TryLater } from '../../providers/faults.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { nextTry } from './crash.ts';
import { readRetries, type Retry, type SyncEnd } from './store.ts';

/** Maximum consecutive retries of a sync whose provider was unreachable or requested a later retry. */
export const mostRetries = 8;

const firstWaitMs = 60_000;
const longestWaitMs = 6 * 3_600_000;

/** Returns the wait before a retry: the longer of the provider's and exponential backoff with jitter, so that a provider's accounts
 *  do not retry simultaneously.
 *  @param retries consecutive retries so far
 *  @returns milliseconds; null: no more retries, wait for the schedule */
export function waitBeforeRetry(retries: number, { retryAfterMs }: TryLater, random = Math.random()): number | null {
  if (retries >= mostRetries) return null;
  const own = firstWaitMs * 2 ** retries * (0.5 + random / 2);
  return Math.round(Math.min(longestWaitMs, Math.max(own, retryAfterMs ?? 0)));
}

/** Returns the reason of a sync that waits for its retry. */
export function describeRetry(fault: TryLater, { at, count }: Retry): string {
  return `${fault.message}. The sync will be retried at ${at.toISOString().slice(0, 16)}Z (retry ${count} of ${mostRetries})`;
}

const spreadMs = 600_000;

/** Returns the start delay of an account's scheduled syncs: constant per account and different between accounts, so that a
 *  provider does not get all of them at once.
 *  @returns milliseconds, below ten minutes */
export function jitterOf(accountId: string): number {
  // The last digits of a UUIDv7 are random.
  return Number(BigInt(`0x${accountId.replaceAll('-', '').slice(-12)}`) % BigInt(spreadMs));
}

/** Returns the next retry of a sync that the provider interrupted; null after the last one. */
export async function nextRetry(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  accountId: string,
  fault: TryLater,
): Promise<Retry | null> {
  const retries = await readRetries(deps.db, scope, accountId);
  const waitMs = waitBeforeRetry(retries, fault);
  return waitMs === null ? null : { at: new Date(deps.clock.now().getTime() + waitMs), count: retries + 1 };
}

/** Returns the outcome of a sync that the provider interrupted. */
export async function postponed(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  scope: OrgScope,
  accountId: string,
  fault: TryLater,
): Promise<SyncEnd> {
  const retry = await nextRetry(deps, scope, accountId, fault);
  if (!retry) {
    const next = `The sync was retried ${mostRetries} times in a row. ${nextTry(deps.config, deps.clock.now())}`;
    return { status: 'failed', reason: sentence(`${fault.message}. ${next}`) };
  }
  return { status: 'queued', reason: sentence(describeRetry(fault, retry)), retry };
}
