/** How long a request may take, with the SDK's own attempts. */
const requestMs = 180_000;

/** Sends a request, and gives it up after three minutes. The body that follows an answer has its own bound (`transfer.ts`).
 *  @param fault the error in words for the account's owner */
export async function inTime<T>(
  signal: AbortSignal,
  send: (abortSignal: AbortSignal) => Promise<T>,
  fault: (error: unknown, isLate: boolean) => unknown,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), requestMs);
  try {
    return await send(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    signal.throwIfAborted();
    throw fault(error, late.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
}
