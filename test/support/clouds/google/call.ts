/** One request, as Google would read it. */
export interface GoogleCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Parsed JSON; null of none. */
  readonly body: unknown;
}

export interface GoogleAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** An error as Google's APIs write it. */
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
