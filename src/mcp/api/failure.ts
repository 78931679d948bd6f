import { z } from 'zod';

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

/** Arguments that fit the schema and still make no sense: the message names the argument, its value and the remedy. */
export class BadArguments extends Error {
  /** The argument that the message is about; null when it is about several. */
  readonly field: string | null;

  constructor(message: string, field: string | null = null) {
    super(message);
    this.name = 'BadArguments';
    this.field = field;
  }
}

/** What a text says in JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** There is more of an answer than we take. */
class TooLong extends Error {}

/** The body of an answer as text.
 *  @throws {TooLong} beyond `maxBytes`, without reading on */
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

/** Words that quote what they refuse can be as long as that: a model's context is not for them. */
const [maxCode, maxField, maxWords] = [100, 200, 2_000];

/** An answer that refuses: the API's own words where it has some.
 *  @param base where the API is, for what else answers there */
export function refusalOf(response: Response, text: string, base: string): ApiFailure {
  const said = envelope.safeParse(jsonOf(text));
  if (!said.success) return unexpectedAnswer(response, base);
  const { code, message, field } = said.data.error;
  return new ApiFailure({
    code: code.slice(0, maxCode),
    message: message.length > maxWords ? `${message.slice(0, maxWords)}…` : message,
    ...(field !== undefined && { field: field.slice(0, maxField) }),
    status: response.status,
    ...marksOf(response),
  });
}

/** What proxies answer for a server behind them that is down, starting or late. */
export function isGatewayStatus(status: number): boolean {
  return status >= 502 && status <= 504;
}

/** Something answers, but not as Costkeep's API does. */
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
      message: `${base} answered ${what}: ${remedy}set SVC_API_URL of the MCP server to Costkeep's own address, such as https://costs.example.com/api/v1, and use the same version of both`,
      ...marksOf(response),
    },
    { cause },
  );
}

/** There was no answer, or not all of one.
 *  @param how `isLeft`: its caller left; `isLate`: the time for it ran out; `wasSaid`: it was to change something, and may have */
export function unreachable(
  error: unknown,
  { base, timeoutMs = 30_000 }: { base: string; timeoutMs?: number | undefined },
  { isLeft, isLate, wasSaid }: { isLeft: boolean; isLate: boolean; wasSaid: boolean },
): ApiFailure {
  const none = { status: null, retryAfterS: null, requestId: null };
  const doubt = wasSaid ? '. It is unknown whether the change was made: check before you retry' : '';
  // The API is not to blame: whoever reads the log would look for a fault of it.
  if (isLeft)
    return new ApiFailure({ code: 'CANCELLED', message: `The call was cancelled${doubt}`, ...none }, { cause: error });
  if (error instanceof TooLong) {
    const message = `${base} returned too much data (${error.message}): request less (a shorter period, fewer groups), or correct SVC_API_URL of the MCP server${doubt}`;
    return new ApiFailure({ code: 'API_UNEXPECTED_ANSWER', message, ...none }, { cause: error });
  }
  if (isLate) {
    const message = `Costkeep's API at ${base} did not answer within ${timeoutMs / 1000} s: request less (a shorter period, fewer groups), or try again later${doubt}`;
    return new ApiFailure({ code: 'API_TIMEOUT', message, ...none }, { cause: error });
  }
  const message = `Costkeep's API at ${base} cannot be reached (${reasonOf(error)}): start Costkeep, or correct SVC_API_URL of the MCP server${doubt}`;
  return new ApiFailure({ code: 'API_UNREACHABLE', message, ...none }, { cause: error });
}

/** Node tells the reason as the cause of "fetch failed". */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(root instanceof Error)) return 'unknown reason';
  const code = 'code' in root && typeof root.code === 'string' ? root.code : null;
  return code ? (words[code] ?? code) : root.message.slice(0, 200);
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  Z_DATA_ERROR: 'its response is invalid',
  Z_BUF_ERROR: 'its response is incomplete',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  UND_ERR_CONNECT_TIMEOUT: 'it does not take connections',
  ETIMEDOUT: 'it does not take connections',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed: name its authority in NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed: name its authority in NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is from an unknown authority: add the authority to NODE_EXTRA_CA_CERTS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for a different name',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: begin with http://',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: begin with http://',
};

function marksOf({ headers }: Response): { retryAfterS: number | null; requestId: string | null } {
  const after = headers.get('retry-after');
  return { retryAfterS: after === null ? null : secondsUntil(after), requestId: headers.get('x-request-id') };
}

/** Of `Retry-After`: the API says seconds, proxies before it may say an instant. */
function secondsUntil(after: string): number | null {
  if (/^\d{1,6}$/.test(after)) return Number(after);
  const seconds = Math.ceil((Date.parse(after) - Date.now()) / 1000);
  return /\bGMT$/.test(after) && seconds > 0 && seconds < 1e6 ? seconds : null;
}
