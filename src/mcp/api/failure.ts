/** What the API, or the way to it, answered instead of what was asked. */
export interface Failure {
  /** Of the API's error envelope (`NOT_FOUND`, `RATE_LIMITED`, …); or `API_UNREACHABLE`, `API_TIMEOUT`,
   *  `API_UNEXPECTED_ANSWER` where the API answered none; `CANCELLED` where its caller left. */
  readonly code: string;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly message: string;
  /** The argument that it concerns; absent where it concerns none. */
  readonly field?: string;
  /** When to try again, in seconds; null: the API does not say. */
  readonly retryAfterS: number | null;
  /** By which the operator finds the request in the API's log. */
  readonly requestId: string | null;
}

/** A question to the API that failed. A tool lets it through: the server makes it the tool's error. */
export class ApiFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'ApiFailure';
    this.failure = failure;
  }
}
