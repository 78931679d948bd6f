import type { Deps } from '../../kit/deps.ts';
import { sentence } from '../../kit/stored-error.ts';
import type { TryLater } from '../../providers/faults.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { readRetries, type Retry, type SyncEnd } from './store.ts';

/** How often in a row a sync is tried again because its provider could not be reached, or asked to come back later. */
export const mostRetries = 8;

const firstWaitMs = 60_000;
const longestWaitMs = 6 * 3_600_000;

/** When a sync is tried again: when the provider says, or after a wait that doubles each time, less a random part, so that
 *  the accounts of one provider do not come back together.
 *  @param retries how often in a row it was tried again already
 *  @returns ms from now; null: no more, the schedule will do it */
export function waitBeforeRetry(retries: number, { retryAfterMs }: TryLater, random = Math.random()): number | null {
  if (retries >= mostRetries) return null;
  const own = firstWaitMs * 2 ** retries * (0.5 + random / 2);
  return Math.round(Math.min(longestWaitMs, Math.max(own, retryAfterMs ?? 0)));
}

/** The reason of a sync that waits for its retry. */
export function describeRetry(fault: TryLater, { at, count }: Retry): string {
  return `${fault.message}. The sync will be retried at ${at.toISOString().slice(0, 16)}Z (${count} of ${mostRetries} times in a row)`;
}

/** The error of a sync that is not retried by itself. */
function describeSurrender(fault: TryLater): string {
  return `${fault.message}. The sync was retried ${mostRetries} times in a row; the next scheduled sync will try again, or start one now`;
}

const spreadMs = 600_000;

/** How long after its time a scheduled sync begins: the same each time for an account, and another for the next one, so that
 *  a provider does not meet all of them at once.
 *  @returns ms, below ten minutes */
export function jitterOf(accountId: string): number {
  // The end of a UUIDv7 is random.
  return Number(BigInt(`0x${accountId.replaceAll('-', '').slice(-12)}`) % BigInt(spreadMs));
}

/** When a sync is retried that its provider did not let finish; null after the last retry. */
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

/** The end of a sync that its provider did not let finish. */
export async function postponed(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: OrgScope,
  accountId: string,
  fault: TryLater,
): Promise<SyncEnd> {
  const retry = await nextRetry(deps, scope, accountId, fault);
  if (!retry) return { status: 'failed', reason: sentence(describeSurrender(fault)) };
  return { status: 'queued', reason: sentence(describeRetry(fault, retry)), retry };
}
