import { AppError, arg, fix, invalid } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import { networkCode, networkFault } from '../network.ts';
import { retryAfterMs } from '../retry.ts';
import { changed } from './transfer.ts';

/** What was asked when an error came. */
export interface BlobRequest {
  readonly storageAccount: string;
  readonly container: string;
  /** How a message calls the container. */
  readonly name: string;
  /** Null: the container was listed. */
  readonly key: string | null;
  /** No answer came within our own time-out. */
  readonly isLate: boolean;
}

/** What survives of an SDK's error: its request, with the bearer token, does not. */
interface Said {
  readonly code: string;
  readonly status: number;
  readonly retryAfterMs: number | null;
}

/** A Blob Storage error in words for the account's owner.
 *  @returns an AppError VALIDATION_ERROR that names container, blob or role; TryLater; or the error itself where it is neither
 *    the store's nor the network's */
export function blobFault(error: unknown, request: BlobRequest): unknown {
  if (error instanceof AppError || error instanceof TryLater) return error;
  if (request.isLate) return new TryLater(`${request.name} did not answer in time`);
  const said = saidBy(error);
  if (!said) return unanswered(error, request);
  if (said.status === 429 || said.status >= 500) return passing(said, request);
  return (request.key === null ? null : blobGone(said, request, request.key)) ?? refused(said, request);
}

function saidBy(error: unknown): Said | null {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return null;
  const { details, response, code } = error as { details?: unknown; response?: unknown; code?: unknown };
  const detail = (details as { errorCode?: unknown } | undefined)?.errorCode;
  const headers = (response as { headers?: { get?: (name: string) => string | undefined } } | undefined)?.headers;
  return {
    code: [detail, code].find((each) => typeof each === 'string')?.toString() ?? 'no code',
    status: error.statusCode,
    retryAfterMs: retryAfterMs(headers?.get?.('retry-after'), Date.now()),
  };
}

/** Every storage account has a host of its own: a name that is not resolved is one that nobody has. */
function unanswered(error: unknown, { storageAccount, name }: BlobRequest): unknown {
  if (networkCode(error) === 'ENOTFOUND')
    return invalid`${arg('settings.storage_account', storageAccount)} does not exist${fix}correct it`;
  return networkFault(error, `The store of ${name}`) ?? error;
}

function passing(said: Said, { name }: BlobRequest): TryLater {
  const isThrottled = said.status === 429 || said.status === 503;
  const what = isThrottled ? 'limits the request rate' : 'had an internal error';
  return new TryLater(`${name} ${what} (${said.code}, ${said.status})`, { retryAfterMs: said.retryAfterMs });
}

function blobGone({ code, status }: Said, { name }: BlobRequest, key: string): Error | null {
  const what = `Blob "${key}" of ${name}`;
  if (status === 412) return changed(what, 'is another than was listed');
  if (status === 416) return changed(what, 'is shorter than was listed');
  if (code === 'BlobNotFound' || code === 'ResourceNotFound') return changed(what, 'is gone');
  if (code === 'BlobArchived' || code === 'BlobBeingRehydrated')
    return invalid`${what} is archived and cannot be read${fix}move it to the hot or cool tier`;
  return null;
}

function refused({ code, status }: Said, { name, storageAccount, container }: BlobRequest): Error {
  switch (code) {
    case 'ContainerNotFound':
    case 'ContainerBeingDeleted':
    case 'ResourceNotFound':
    case 'FilesystemNotFound':
      return invalid`${arg('settings.container', container)} does not exist in storage account "${storageAccount}"${fix}correct it`;
    case 'AuthorizationPermissionMismatch':
    case 'InsufficientAccountPermissions':
      return invalid`Role "Storage Blob Data Reader" is missing on container "${container}" of storage account "${storageAccount}"${fix}assign it to the service principal; it can take some minutes to take effect`;
    case 'AuthorizationFailure':
    case 'PublicAccessNotPermitted':
      return invalid`${name} refuses this server's address (${code})${fix}allow it in the storage account's network settings`;
    case 'InvalidAuthenticationInfo':
    case 'AuthenticationFailed':
    case 'NoAuthenticationInformation':
      return invalid`${arg('credentials.tenant_id')} must be the tenant of the storage account: ${name} does not accept the service principal's token (${code})`;
    case 'AccountIsDisabled':
      return invalid`Storage account "${storageAccount}" is disabled${fix}enable its subscription`;
    case 'InvalidResourceName':
    case 'InvalidUri':
      return invalid`${arg('settings.container', container)} is not a valid name${fix}correct it`;
    default:
      return status === 403
        ? invalid`${name} refuses to be read (${code}, 403)${fix}assign role "Storage Blob Data Reader" on the container`
        : invalid`${name} refuses the request (${code}, ${status})`;
  }
}
