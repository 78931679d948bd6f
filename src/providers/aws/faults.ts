import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { networkFault, pauseAfter, retryAfterMs, TryLater } from '../faults.ts';

/** A non-retryable AWS error. It contains nothing of the request: the SDK's own errors carry headers, and with them the
 *  signature and session token. */
export class AwsFault extends Error {
  /** `AccessDenied`, `NoSuchBucket`; the SDK's `name`. */
  readonly code: string;
  readonly status: number | null;
  /** `S3 ListObjectsV2` */
  readonly operation: string;
  readonly $metadata: { readonly httpStatusCode?: number; readonly requestId?: string };

  constructor(about: Known, operation: string) {
    super(about.message);
    this.name = about.name;
    this.code = about.name;
    this.status = about.status;
    this.operation = operation;
    this.$metadata = {
      ...(about.status !== null && { httpStatusCode: about.status }),
      ...(about.requestId !== null && { requestId: about.requestId }),
    };
  }

  /** Whether the identity lacks a permission. */
  get isDenied(): boolean {
    return this.status === 403 || /^(AccessDenied(Exception)?|Unauthorized(Exception|Operation)?)$/.test(this.code);
  }
}

/** The safe parts of an SDK error. */
interface Known {
  readonly name: string;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
  /** Code of a connection failure: `ECONNREFUSED`. */
  readonly network: string | null;
  readonly waitMs: number | null;
}

const throttling = new Set([
  'BandwidthLimitExceeded',
  'EC2ThrottledException',
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);
const timeouts = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const networks =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EHOST\w+|ENET\w+|ENOTFOUND|EAI_AGAIN|ERR_(SOCKET|STREAM|HTTP2)_\w+|HPE_\w+|ERR_SSL_\w+|UND_ERR_\w+)$/;

/** Extracts the safe parts of an SDK error, dropping everything that could contain a secret. */
function known(error: unknown, now: number): Known {
  const from = isRecord(error) ? error : {};
  const metadata = isRecord(from['$metadata']) ? from['$metadata'] : {};
  const response = isRecord(from['$response']) ? from['$response'] : {};
  return {
    name: text(from['name']) ?? 'Error',
    message: text(from['message']) ?? '',
    status: typeof metadata['httpStatusCode'] === 'number' ? metadata['httpStatusCode'] : null,
    requestId: text(metadata['requestId']),
    network: networkCode(from),
    waitMs: waitIn(response['headers'], now),
  };
}

function networkCode(from: Record<string, unknown>): string | null {
  const code = text(from['code']) ?? (isRecord(from['cause']) ? text(from['cause']['code']) : null);
  return code !== null && networks.test(code) ? code : null;
}

/** Returns the wait from response headers in milliseconds; null if none. */
function waitIn(headers: unknown, now: number): number | null {
  if (!isRecord(headers)) return null;
  const own = text(headers['x-amz-retry-after']);
  if (own !== null && /^\d+$/.test(own)) return Number(own);
  return retryAfterMs(text(headers['retry-after']), now);
}

/** Returns why a later attempt may succeed, or null if it will not. */
function transientReason(error: unknown): string | null {
  const { name, message, status, network } = known(error, Date.now());
  if (throttling.has(name) || status === 429)
    return `limits the request rate (${name}${status === null ? '' : `, ${status}`})`;
  // 501 means that AWS does not support the operation, which is permanent.
  if (status !== null && status >= 500 && status !== 501) return `had an internal error (${status} ${name})`;
  if (timeouts.has(name)) return 'does not respond in time';
  if (network !== null) return `cannot be reached (${network})`;
  return /socket hang up|aborted|premature close/i.test(message) && name !== 'AbortError'
    ? 'closed the connection'
    : null;
}

/** Converts an SDK error to one that is safe to show and log.
 *  @param service as in messages: `S3`
 *  @param operation `ListObjectsV2`
 *  @returns TryLater for temporary errors; AppError for credentials and clocks; AwsFault for the rest */
export function explained(error: unknown, service: string, operation: string, uses: 'role' | 'keys'): Error {
  const about = known(error, Date.now());
  const reason = transientReason(error);
  if (reason !== null) {
    return new TryLater(`AWS ${service} (${operation}) ${reason}`, {
      retryAfterMs: about.waitMs,
      networkCode: about.network,
    });
  }
  // The remaining network error is a certificate error.
  const certificate = about.status === null ? networkFault(error, `AWS ${service}`) : null;
  return certificate ?? credentialFault(about, uses) ?? new AwsFault(about, `${service} ${operation}`);
}

function credentialFault({ name, message }: Known, uses: 'role' | 'keys'): Error | null {
  switch (name) {
    case 'ExpiredToken':
    case 'ExpiredTokenException':
    case 'RequestExpired':
      return uses === 'role'
        ? new TryLater(`The session of the role has expired (${name}): the next attempt signs in again`)
        : invalid`${arg('credentials.session_token')} has expired (${name})${fix}replace the account's credentials`;
    case 'InvalidClientTokenId':
    case 'InvalidAccessKeyId':
    case 'UnrecognizedClientException':
    case 'InvalidToken':
    case 'AuthFailure':
      return uses === 'role'
        ? invalid`AWS does not recognize the identity that assumes the role (${name})${fix}give the server a valid AWS identity`
        : invalid`${arg('credentials.access_key_id')} is unknown to AWS, or ${mention('credentials.session_token')} does not belong to it (${name})${fix}replace the account's credentials with an active access key`;
    case 'SignatureDoesNotMatch':
    case 'InvalidSignatureException':
      return /expired|not yet current|in the future/i.test(message)
        ? wrongClock(name)
        : uses === 'role'
          ? invalid`AWS rejects the signature (${name}): the secret key of the server's own identity is wrong`
          : invalid`${arg('credentials.secret_access_key')} does not belong to ${mention('credentials.access_key_id')}, so AWS rejects the signature (${name})${fix}replace the account's credentials`;
    case 'CredentialsProviderError':
      return invalid`The server has no AWS identity to assume roles with${fix}give it one (an instance or task role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in its environment), or connect with access keys`;
    case 'RequestTimeTooSkewed':
    case 'RequestInTheFuture':
      return wrongClock(name);
    default:
      return null;
  }
}

function wrongClock(name: string): Error {
  return invalid`AWS rejects the request because the server's clock is wrong (${name})${fix}set the clock of the server (NTP), then sync again`;
}

/** Returns the region that S3 names when a bucket is elsewhere; null for any other error. */
export function bucketRegion(error: unknown): string | null {
  if (
    !isRecord(error) ||
    !/^(PermanentRedirect|TemporaryRedirect|Redirect|AuthorizationHeaderMalformed|301|307|UnknownError)$/.test(
      text(error['name']) ?? '',
    )
  )
    return null;
  const response = isRecord(error['$response']) ? error['$response'] : {};
  const headers = isRecord(response['headers']) ? response['headers'] : {};
  const region = text(headers['x-amz-bucket-region']) ?? text(error['Region']);
  return region !== null && /^[a-z0-9-]{3,30}$/.test(region) ? region : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Whether a value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const firstWaitMs = 300;

interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
  getRetryCost(): number | undefined;
}

/** Retry strategy of our clients, as in `withRetries`. The SDK's own strategy caps the wait requested by AWS at five
 *  seconds, and so retries too early. */
export function awsRetries() {
  return {
    acquireInitialRetryToken: async () => token(0, 0),
    refreshRetryTokenForRetry: async (last: RetryToken, { error }: { error?: unknown }) => {
      const delay = delayAfter(error, last.getRetryCount() + 1);
      if (delay === null) throw new Error('Not retryable');
      return token(last.getRetryCount() + 1, delay);
    },
    recordSuccess: () => {},
  };
}

/** @param failed attempts so far
 *  @returns milliseconds to wait before the next one; null for none */
function delayAfter(error: unknown, failed: number): number | null {
  if (!isCorrectedClock(error) && transientReason(error) === null) return null;
  const response = error instanceof Error && '$response' in error ? error.$response : null;
  const headers = typeof response === 'object' && response && 'headers' in response ? response.headers : null;
  return pauseAfter(failed, waitIn(headers, Date.now()), firstWaitMs);
}

/** Returns whether the SDK corrected for clock skew after an error, so that the next attempt is signed with AWS's time. */
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
