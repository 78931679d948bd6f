import { arg, choice, fix, invalid, mention, operation, phrase } from '../../kit/errors/errors.ts';
import { optional, readPrefix, refuseOthers, required, type CredentialFields, type SettingsFields } from '../fields.ts';
import { awsRules, type Rule } from '../../kit/text/cloud-names.ts';
import type { AwsCredentials, AwsSettings } from '../spec.ts';

const credentialNames = ['roleArn', 'accessKeyId', 'secretAccessKey', 'sessionToken'] as const;

/** Validates a role, or access keys.
 *  @param vendor true for an S3-compatible store of another vendor: it has keys of any form, and no roles
 *  @throws {AppError} VALIDATION_ERROR naming the field, without its value */
export function readAwsCredentials(given: CredentialFields, vendor = false): AwsCredentials {
  refuseOthers('credentials', given, credentialNames, vendor ? 'an S3-compatible store' : 'AWS');
  const { roleArn, accessKeyId, secretAccessKey, sessionToken } = given;
  const hasKeys = Boolean(accessKeyId ?? secretAccessKey ?? sessionToken);
  if (roleArn === null || roleArn === undefined) {
    if (!hasKeys)
      throw invalid`${arg('credentials')} need ${mention('role_arn')}, or ${mention('access_key_id')} and ${mention('secret_access_key')}${fix}see ${operation('GET /accounts/setup')}`;
    return readKeys(given, vendor);
  }
  if (hasKeys)
    throw invalid`${arg('credentials.role_arn')} cannot be combined with access keys${fix}leave ${mention('access_key_id')} and ${mention('secret_access_key')} out`;
  if (vendor)
    throw invalid`${arg('credentials.role_arn')} is for AWS only: an S3-compatible store needs ${mention('access_key_id')} and ${mention('secret_access_key')}`;
  return { roleArn: required('credentials.role_arn', roleArn, awsRules.roleArn) };
}

/** Key ids of other vendors may have any form. */
export const vendorKeyId: Rule = { pattern: /^[!-~]{1,256}$/, says: 'the id of an access key' };

function readKeys({ accessKeyId, secretAccessKey, sessionToken }: CredentialFields, vendor: boolean): AwsCredentials {
  const id = required('credentials.access_key_id', accessKeyId, vendor ? vendorKeyId : awsRules.accessKeyId);
  const secret = required('credentials.secret_access_key', secretAccessKey, awsRules.secret);
  const token = optional('credentials.session_token', sessionToken, awsRules.sessionToken);
  if (!vendor && id.startsWith('ASIA') && token === null)
    throw invalid`${arg('credentials.session_token')} is required: an access key id that begins with ASIA is temporary`;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token };
}

const settingNames = ['bucket', 'prefix', 'exportName', 'region'] as const;

/** Validates the location of a Data Export; without a bucket, costs come from Cost Explorer.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readAwsSettings(given: SettingsFields): AwsSettings {
  refuseOthers('settings', given, settingNames, phrase`provider ${choice('provider', 'aws')}`);
  const bucket = optional('settings.bucket', given.bucket, awsRules.bucket);
  const prefix = readPrefix('settings.prefix', given.prefix);
  const region = optional('settings.region', given.region, awsRules.region);
  if (bucket !== null) {
    return {
      bucket,
      prefix,
      exportName: required('settings.export_name', given.exportName, awsRules.exportName),
      region,
    };
  }
  const stray = given.exportName ? 'export_name' : prefix === '' ? null : 'prefix';
  if (stray)
    throw invalid`${arg('settings.bucket')} is required with ${mention(`settings.${stray}`)}: the bucket of the Data Export`;
  return { bucket, prefix, exportName: null, region };
}
