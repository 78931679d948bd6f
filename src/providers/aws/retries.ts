import { pauseAfter } from '../retry.ts';
import { transientReason, waitIn } from './faults.ts';

const firstWaitMs = 300;

interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
  getRetryCost(): number | undefined;
}

/** When our clients try again: as `providers/retry.ts` does. The SDK's own strategy cuts the wait that AWS names to five
 *  seconds, and so comes back too early. */
export function awsRetries() {
  return {
    acquireInitialRetryToken: async () => token(0, 0),
    refreshRetryTokenForRetry: async (last: RetryToken, { error }: { error?: unknown }) => {
      const delay = delayAfter(error, last.getRetryCount() + 1);
      if (delay === null) throw new Error('Not worth another attempt');
      return token(last.getRetryCount() + 1, delay);
    },
    recordSuccess: () => {},
  };
}

/** @param failed attempts so far
 *  @returns ms to wait before the next one, null when there should be none */
function delayAfter(error: unknown, failed: number): number | null {
  if (!isCorrectedClock(error) && transientReason(error) === null) return null;
  const response = error instanceof Error && '$response' in error ? error.$response : null;
  const headers = typeof response === 'object' && response && 'headers' in response ? response.headers : null;
  return pauseAfter(failed, waitIn(headers, Date.now()), firstWaitMs);
}

/** The SDK learned from a refusal how far the server's clock is off, and signs the next attempt by AWS's. */
function isCorrectedClock(error: unknown): boolean {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : null;
  return (
    typeof metadata === 'object' &&
    metadata !== null &&
    'clockSkewCorrected' in metadata &&
    metadata.clockSkewCorrected === true
  );
}

function token(count: number, delay: number): RetryToken {
  return { getRetryCount: () => count, getRetryDelay: () => delay, getRetryCost: () => undefined };
}
