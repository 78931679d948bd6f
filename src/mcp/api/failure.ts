import { z } from 'zod';

/** An error from the API or from the connection to it. */
export interface Failure {
  /** From the API's error envelope (`NOT_FOUND`, `RATE_LIMITED`, …); otherwise `API_UNREACHABLE`, `API_TIMEOUT` or
   *  `API_UNEXPECTED_ANSWER` without a response from the API; `CANCELLED` if the client disconnected. */
  readonly code: string;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  readonly message: string;
  /** The argument at fault; absent if there is none. */
  readonly field?: string;
  /** When to retry, in seconds; null if the API did not send it. */
  readonly retryAfterS: number | null;
  /** Request id for finding the request in the API's log. */
  readonly requestId: string | null;
}

/** A failed API request. Tools let it propagate: the server turns it into a tool error. */
export class ApiFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = 'ApiFailure';
    this.failure = failure;
  }
}

/** Arguments that match the schema but make no sense: the message names the argument, its value and the remedy. */
export class BadArguments extends Error {
  /** The argument at fault; null if there are several. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.name = 'BadArguments';
    this.field = field;
  }
}

/** Parses JSON; undefined if it is invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The response exceeds the size limit. */
class TooLong extends Error {}

/** Reads a response body as text.
 *  @throws {TooLong} beyond `maxBytes`, without reading further */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new TooLong(`larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The API's error envelope. */
const envelope = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** Maximum lengths in characters. Messages that quote invalid input can be as long as the input, which would waste
 *  the model's context. */
const [maxCode, maxField, maxWords] = [100, 200, 2_000];

/** Converts an error response, using the API's own message if present.
 *  @param base base URL of the API, for responses that are not from Costkeep */
export function refusalOf(response: Response, text: string, base: string): ApiFailure {
  const parsed = envelope.safeParse(jsonOf(text));
  if (!parsed.success) return unexpectedAnswer(response, base);
  const { code, message, field } = parsed.data.error;
  return new ApiFailure({
    code: code.slice(0, maxCode),
    message: message.length > maxWords ? `${message.slice(0, maxWords)}…` : message,
    ...(field !== undefined && { field: field.slice(0, maxField) }),
    status: response.status,
    ...marksOf(response),
  });
}

/** Statuses that proxies return if the server behind them is down, starting or too slow. */
export function isGatewayStatus(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** A response that did not come from Costkeep's API. */
export function unexpectedAnswer(response: Response, base: string, cause?: Error): ApiFailure {
  const type = response.headers.get('content-type')?.split(';')[0] ?? 'nothing';
  const what =
    response.status >= 300 && response.status < 400
      ? `a redirect (${response.status}), which is not followed because it would expose the token`
      : `${response.status} with ${type.slice(0, 60)}, which Costkeep does not return`;
  const remedy = isGatewayStatus(response.status) ? 'start Costkeep behind it, or ' : '';
  return new ApiFailure(
    {
      code: 'API_UNEXPECTED_ANSWER',
      status: response.status,
      message: `${base} returned ${what}: ${remedy}set SVC_API_URL of the MCP server to Costkeep's own address, such as https://costs.example.com/api/v1, and use the same version of both`,
      ...marksOf(response),
    },
    { cause },
  );
}

/** No response, or an incomplete one.
 *  @param how `isLeft`: the client disconnected; `isLate`: the timeout expired; `wasSaid`: it was a write request and may
 *  have taken effect */
export function unreachable(
  error: unknown,
  { base, timeoutMs = 30_000 }: { base: string; timeoutMs?: number | undefined },
  { isLeft, isLate, wasSaid }: { isLeft: boolean; isLate: boolean; wasSaid: boolean },
): ApiFailure {
  const none = { status: null, retryAfterS: null, requestId: null };
  const doubt = wasSaid ? '. It is unknown whether the change was made: check before you retry' : '';
  // Not the API's fault: any other code would send log readers looking for one.
  if (isLeft)
    return new ApiFailure({ code: 'CANCELLED', message: `The call was cancelled${doubt}`, ...none }, { cause: error });
  if (error instanceof TooLong) {
    const message = `${base} returned too much data (${error.message}): request less (a shorter period, fewer groups), or correct SVC_API_URL of the MCP server${doubt}`;
    return new ApiFailure({ code: 'API_UNEXPECTED_ANSWER', message, ...none }, { cause: error });
  }
  if (isLate) {
    const message = `Costkeep's API at ${base} did not respond within ${timeoutMs / 1000} s: request less (a shorter period, fewer groups), or try again later${doubt}`;
    return new ApiFailure({ code: 'API_TIMEOUT', message, ...none }, { cause: error });
  }
  const message = `Costkeep's API at ${base} cannot be reached (${reasonOf(error)}): start Costkeep, or correct SVC_API_URL of the MCP server${doubt}`;
  return new ApiFailure({ code: 'API_UNREACHABLE', message, ...none }, { cause: error });
}

/** Node puts the reason in the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(root instanceof Error)) return 'unknown reason';
  const code = 'code' in root && typeof root.code === 'string' ? root.code : null;
  return code ? (words[code] ?? code) : root.message.slice(0, 200);
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  Z_DATA_ERROR: 'its response is invalid',
  Z_BUF_ERROR: 'its response is incomplete',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections',
  ETIMEDOUT: 'it does not accept connections',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: add its authority to NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: add its authority to NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is from an unknown authority: add the authority to NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use TLS: use http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS: use http://',
};

function marksOf({ headers }: Response): { retryAfterS: number | null; requestId: string | null } {
  const after = headers.get('retry-after');
  return { retryAfterS: after === null ? null : secondsUntil(after), requestId: headers.get('x-request-id') };
}

/** Parses `Retry-After`: the API sends seconds, proxies may send a date. */
function secondsUntil(after: string): number | null {
  if (/^\d{1,6}$/.test(after)) return Number(after);
  const seconds = Math.ceil((Date.parse(after) - Date.now()) / 1000);
  return /\bGMT$/.test(after) && seconds > 0 && seconds < 1e6 ? seconds : null;
}
