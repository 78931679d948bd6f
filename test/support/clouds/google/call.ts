/** One request as parsed by Google. */
export interface GoogleCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
}

export interface GoogleAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** An error in the format of Google's APIs. */
export function refusal(
  status: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GoogleAnswer {
  return {
    status,
    headers,
    json: { error: { code: status, message, errors: [{ reason, message, domain: 'global' }] } },
  };
}
