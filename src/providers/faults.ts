/** The provider asks to come back later, or cannot be reached: nothing is wrong with the account or its settings. A sync that
 *  ends with it is tried again. */
export class TryLater extends Error {
  /** How long the provider asks to wait, in ms; null where it does not say. */
  readonly retryAfterMs: number | null;
  /** The network's own: `ENOTFOUND`; null where the provider answered. */
  readonly networkCode: string | null;

  /** @param message names the provider and what it said, for the account's owner; holds no secret and no signed URL */
  constructor(
    message: string,
    options: { retryAfterMs?: number | null; networkCode?: string | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'TryLater';
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.networkCode = options.networkCode ?? null;
  }
}
