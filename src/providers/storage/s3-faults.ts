import type { S3Client } from '@aws-sdk/client-s3';
import { AppError, invalid } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import { networkFault } from '../network.ts';
import { retryAfterMs } from '../retry.ts';
import { changed } from './transfer.ts';

/** What was asked when an error came. */
export interface S3Request {
  readonly client: S3Client;
  readonly bucket: string;
  /** How a message calls the bucket. */
  readonly name: string;
  /** The permission that it needs. */
  readonly action: string;
  /** Null: the bucket was listed. */
  readonly key: string | null;
  /** No answer came within our own time-out. */
  readonly isLate: boolean;
}

/** What survives of an SDK's error: its request, with signature and session token, does not. */
interface Said {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly retryAfterMs: number | null;
}

/** An S3 error in words for the account's owner.
 *  @returns an AppError VALIDATION_ERROR that names bucket, object or permission; TryLater; or the error itself where it is
 *    neither S3's nor the network's */
export async function s3Fault(error: unknown, request: S3Request): Promise<unknown> {
  if (error instanceof AppError || error instanceof TryLater) return error;
  if (request.isLate) return new TryLater(`${request.name} did not answer in time`);
  const said = saidBy(error);
  if (!said) return networkFault(error, `The store of ${request.name}`) ?? error;
  if (isPassing(said)) return passing(said, request);
  if (/^(ExpiredToken|ExpiredTokenException|TokenRefreshRequired)$/.test(said.code)) return expired(request);
  return (request.key === null ? null : objectFault(said, request, request.key)) ?? bucketFault(said, request);
}

function saidBy(error: unknown): Said | null {
  if (!(error instanceof Error) || !('$metadata' in error)) return null;
  const { $metadata: metadata, $response: response } = error as { $metadata?: unknown; $response?: unknown };
  const status = Number((metadata as { httpStatusCode?: unknown } | undefined)?.httpStatusCode ?? 0);
  if (status === 0) return null;
  const headers = (response as { headers?: Record<string, string> } | undefined)?.headers ?? {};
  const message = error.message.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 300);
  return { code: error.name, status, message, retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) };
}

// A listing's 200 that turns into an error, a store that restarts and one that slows us down all end by themselves.
function isPassing({ code, status }: Said): boolean {
  if (status === 429 || status >= 500) return true;
  return /^(SlowDown|Throttling|ThrottlingException|RequestTimeout|RequestThrottled|BandwidthLimitExceeded|OperationAborted|PriorRequestNotComplete)$/.test(
    code,
  );
}

function passing(said: Said, { name }: S3Request): TryLater {
  const isThrottled = said.status === 429 || /SlowDown|Thrott|Bandwidth/.test(said.code);
  const what = isThrottled ? 'asks to slow down' : 'has a fault of its own';
  return new TryLater(`${name} ${what} (${said.code}, ${said.status})`, { retryAfterMs: said.retryAfterMs });
}

/** Credentials of an assumed role are fetched anew; those that someone typed in are not. */
async function expired({ client, name }: S3Request): Promise<unknown> {
  const credentials = await client.config.credentials().catch(() => null);
  if (credentials?.expiration) return new TryLater(`The session at ${name} expired in the middle`);
  return invalid(`The session token of the access key has expired at ${name}: replace the account's credentials`);
}

function objectFault(said: Said, { name, bucket }: S3Request, key: string): Error | null {
  const what = `Object "${key}" of ${name}`;
  if (said.status === 412) return changed(what, 'is another than was listed');
  if (said.status === 416) return changed(what, 'is shorter than was listed');
  if (said.code === 'NoSuchKey' || (said.status === 404 && said.code !== 'NoSuchBucket'))
    return changed(what, 'is gone');
  if (said.code === 'InvalidObjectState')
    return invalid(
      `${what} is archived and cannot be read: restore it, and keep the export out of archive storage classes`,
    );
  if (/^KMS\.|kms:/i.test(`${said.code} ${said.message}`))
    return invalid(
      `${what} is encrypted with a KMS key that may not be used: allow kms:Decrypt on the bucket's key, in the policy and in the key's own (${said.message})`,
    );
  if (said.status === 403 && !isSignature(said.code))
    return invalid(
      `Permission s3:GetObject is missing for "${key}" of ${name}: allow it on arn:aws:s3:::${bucket}/… (${said.code}: ${said.message})`,
    );
  return null;
}

function isSignature(code: string): boolean {
  return /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|RequestTimeTooSkewed|InvalidClientTokenId|UnrecognizedClientException|AuthFailure)$/.test(
    code,
  );
}

function bucketFault(said: Said, { name, bucket, action }: S3Request): Error {
  switch (said.code) {
    case 'NoSuchBucket':
      return invalid(`${name} does not exist: correct settings.bucket`);
    case 'InvalidBucketName':
      return invalid(`${name} is no name of a bucket: correct settings.bucket`);
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return invalid(`${name} lies in another region: set settings.region to the bucket's (${said.message})`);
    case 'InvalidAccessKeyId':
    case 'InvalidClientTokenId':
    case 'UnrecognizedClientException':
    case 'AuthFailure':
      return invalid(`credentials.access_key_id is unknown at ${name}: replace the account's credentials`);
    case 'SignatureDoesNotMatch':
      return invalid(
        `credentials.secret_access_key does not belong to the access key (${name}): replace the account's credentials`,
      );
    case 'InvalidToken':
      return invalid(`credentials.session_token is not valid at ${name}: replace the account's credentials`);
    case 'RequestTimeTooSkewed':
      return invalid(
        `The clock of this server differs from that of ${name} by more than 15 minutes: ask the server's operator to set it`,
      );
    default:
      return said.status === 403
        ? invalid(`Permission ${action} is missing: allow it on arn:aws:s3:::${bucket} (${said.code}: ${said.message})`)
        : invalid(`${name} refuses ${action} (${said.code}, ${said.status}): ${said.message}`);
  }
}
