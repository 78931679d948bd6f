import { AppError, arg, fix, invalid } from '../../kit/errors.ts';
import { AwsFault } from '../aws/faults.ts';
import { TryLater } from '../faults.ts';
import { changed } from './transfer.ts';

/** What was asked when an error came. */
export interface S3Request {
  readonly bucket: string;
  /** How a message calls the bucket. */
  readonly name: string;
  /** The permission that it needs. */
  readonly action: 's3:ListBucket' | 's3:GetObject';
  /** Null: the bucket was listed. */
  readonly key: string | null;
  /** No answer came within our own time-out. */
  readonly isLate: boolean;
}

/** An S3 error in words for the account's owner.
 *  @param error as a guarded client throws it
 *  @returns an AppError VALIDATION_ERROR that names bucket, object or permission; TryLater; or the error itself */
export function s3Fault(error: unknown, request: S3Request): unknown {
  if (error instanceof AppError || error instanceof TryLater) return error;
  if (request.isLate) return new TryLater(`${request.name} did not answer in time`);
  if (!(error instanceof AwsFault)) return error;
  return (request.key === null ? null : objectFault(error, request, request.key)) ?? bucketFault(error, request);
}

function objectFault(fault: AwsFault, { name }: S3Request, key: string): Error | null {
  const what = `Object "${key}" of ${name}`;
  if (fault.status === 412) return changed(what, 'is another than was listed');
  if (fault.status === 416) return changed(what, 'is shorter than was listed');
  if (fault.code === 'NoSuchKey' || (fault.status === 404 && fault.code !== 'NoSuchBucket'))
    return changed(what, 'is gone');
  if (fault.code === 'InvalidObjectState')
    return invalid`${what} is archived and cannot be read${fix}restore it, and keep the export out of archive storage classes`;
  if (!/^KMS\.|\bkms:/i.test(`${fault.code} ${said(fault)}`)) return null;
  return invalid`${what} is encrypted with a KMS key that may not be used${fix}allow kms:Decrypt on the bucket's key, in the account's policy and in the key's own (${said(fault)})`;
}

function bucketFault(fault: AwsFault, { name, bucket, action, key }: S3Request): Error {
  switch (fault.code) {
    case 'NoSuchBucket':
      return invalid`${arg('settings.bucket', bucket)} does not exist${fix}correct it`;
    case 'InvalidBucketName':
      return invalid`${arg('settings.bucket', bucket)} is not a valid name${fix}correct it`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return invalid`${arg('settings.region')} is not that of bucket "${bucket}"${fix}set it to the bucket's (${said(fault)})`;
  }
  if (!fault.isDenied) return invalid`${name} refuses ${action} (${fault.code}, ${fault.status}): ${said(fault)}`;
  const [on, arn] = key === null ? ['', bucket] : [` for "${key}"`, `${bucket}/*`];
  return invalid`${name}: permission ${action} is missing${on}${fix}allow it on arn:aws:s3:::${arn} (${fault.code}: ${said(fault)})`;
}

/** The store's own words: one line of them. */
function said({ message }: AwsFault): string {
  return message.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, 300);
}
