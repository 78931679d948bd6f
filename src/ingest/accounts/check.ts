import type { Config } from '../../kit/config/config.ts';
import { AppError, fix, message } from '../../kit/errors/errors.ts';
import { Limiter } from '../../kit/process/limiter.ts';
import type { AccessCheck } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import type { ConnectionSpec } from '../../providers/spec.ts';
import { checkAccess } from '../connector/process.ts';

/** Time limit in milliseconds: a user waits for the response, and proxies give up after a minute. */
const patienceMs = 30_000;

/** Maximum concurrent checks: each is a process with an SDK, and many at once would exhaust memory. */
const checks = new Limiter({ limit: 4 });

/** Checks in a separate process whether the bills can be read with the given credentials and settings.
 *  @throws {AppError} VALIDATION_ERROR naming the problem and the fix; SERVICE_UNAVAILABLE when the provider is unreachable or
 *  requests a later retry, whatever the input */
export async function lookAt(
  config: Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir'>,
  spec: ConnectionSpec,
): Promise<AccessCheck> {
  const signal = AbortSignal.timeout(patienceMs);
  const release = await checks.acquire({ signal }).catch((error: unknown) => {
    throw unavailable('Too many accounts are being connected at once', 5_000, error);
  });
  try {
    return await checkAccess(config, spec, signal);
  } catch (error) {
    if (error instanceof TryLater) throw unavailable(error.message, error.retryAfterMs ?? 30_000, error);
    if (signal.aborted)
      throw unavailable(`The provider did not respond within ${patienceMs / 1000} seconds`, 30_000, error);
    throw error;
  } finally {
    release();
  }
}

function unavailable(what: string, waitMs: number, cause: unknown): AppError {
  const seconds = Math.min(3600, Math.max(1, Math.ceil(waitMs / 1000)));
  const isCutOff = cause instanceof TryLater && cause.networkCode !== null;
  const reason = `${what.replace(/[.:;]+$/, '')}, and nothing was changed`;
  // The header says when to try again.
  const text = isCutOff ? message`${reason}${fix}check the DNS, firewall and proxy of the server` : message`${reason}`;
  return new AppError('SERVICE_UNAVAILABLE', text, { headers: { 'Retry-After': String(seconds) }, cause });
}
