import type { Config } from '../../kit/config.ts';
import { AppError, fix, message } from '../../kit/errors.ts';
import type { AccessCheck } from '../../providers/contract.ts';
import { TryLater } from '../../providers/faults.ts';
import type { ConnectionSpec } from '../../providers/spec.ts';
import { checkAccess } from '../connector/process.ts';

/** A person waits for the answer, and proxies give up after a minute. */
const patienceMs = 30_000;

/** Each look is a process with an SDK in it, so that many requests at once would fill the memory. */
const atOnce = 4;
const looks = { running: 0, waiting: [] as (() => void)[] };

/** Looks whether the bills can be read with what was sent to connect an account, in a process of its own.
 *  @throws {AppError} VALIDATION_ERROR naming the one thing that is wrong and the remedy; SERVICE_UNAVAILABLE when the
 *    provider cannot be reached or asks to come back later: nothing is wrong with what was sent */
export async function lookAt(
  config: Pick<Config, 'clouds' | 'connectorEnvironment' | 'dataDir'>,
  spec: ConnectionSpec,
): Promise<AccessCheck> {
  const signal = AbortSignal.timeout(patienceMs);
  if (!(await comeIn(signal))) throw unavailable('Too many accounts are being connected at once', 5_000, null);
  try {
    return await checkAccess(config, spec, signal);
  } catch (error) {
    if (error instanceof TryLater) throw unavailable(error.message, error.retryAfterMs ?? 30_000, error);
    if (signal.aborted)
      throw unavailable(`The provider did not answer within ${patienceMs / 1000} seconds`, 30_000, error);
    throw error;
  } finally {
    goOut();
  }
}

function unavailable(what: string, waitMs: number, cause: unknown): AppError {
  const seconds = Math.min(3600, Math.max(1, Math.ceil(waitMs / 1000)));
  const remedy = `nothing was changed; try again in ${seconds} seconds`;
  const headers = { 'Retry-After': String(seconds) };
  return new AppError('SERVICE_UNAVAILABLE', message`${what.replace(/[.:;]+$/, '')}${fix}${remedy}`, {
    headers,
    cause,
  });
}

/** False: nobody went out in time. */
async function comeIn(signal: AbortSignal): Promise<boolean> {
  if (looks.running < atOnce) {
    looks.running += 1;
    return true;
  }
  return new Promise<boolean>((resolve) => {
    const enter = () => resolve(true);
    looks.waiting.push(enter);
    const giveUp = () => {
      looks.waiting = looks.waiting.filter((each) => each !== enter);
      resolve(false);
    };
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** Whoever waits longest takes the place over, so that it is never counted free. */
function goOut(): void {
  const next = looks.waiting.shift();
  if (next) next();
  else looks.running -= 1;
}
