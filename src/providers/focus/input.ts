import { arg, choice, fix, invalid, mention } from '../../kit/errors.ts';
import { awsRules, readAwsCredentials } from '../aws/input.ts';
import { azureRules, readAzureCredentials } from '../azure/input.ts';
import {
  optional,
  readPrefix,
  refuseOthers,
  required,
  type CredentialFields,
  type Rule,
  type SettingsFields,
} from '../fields.ts';
import type { AwsCredentials, AzureCredentials, CloudEndpoints, FocusSettings } from '../spec.ts';

/** The three places where FOCUS files may lie. */
export type FocusPlace = 'folder' | 'bucket' | 'container';

/** Which of the three places settings name.
 *  @throws {AppError} VALIDATION_ERROR when they name none, or more than one */
export function focusPlaceOf(given: SettingsFields): FocusPlace {
  const named = [
    given.path ? ('path' as const) : null,
    given.bucket ? ('bucket' as const) : null,
    given.storageAccount ? ('storage_account' as const) : null,
  ].filter((name) => name !== null);
  const [first, second] = named;
  if (second)
    throw invalid`${arg(`settings.${first}`)} and ${mention(`settings.${second}`)} name two places${fix}send one of them`;
  if (!first) {
    throw invalid`${arg('settings.path')} is required for provider ${choice('provider', 'focus')}, or ${mention('settings.bucket')}, or ${mention('settings.storage_account')}: the folder of the export below FOCUS_ROOT, or the object store that holds it`;
  }
  return ({ path: 'folder', bucket: 'bucket', storage_account: 'container' } as const)[first];
}

/** Reads a bucket or a container.
 *  @param endpoints S3-compatible stores that the operator allows
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readFocusSettings(given: SettingsFields, endpoints: CloudEndpoints): FocusSettings {
  const prefix = readPrefix('settings.prefix', given.prefix);
  if (focusPlaceOf(given) === 'bucket') {
    refuseOthers('settings', given, ['bucket', 'prefix', 'endpoint', 'region'], 'a bucket');
    return {
      bucket: required('settings.bucket', given.bucket, awsRules.bucket),
      prefix,
      endpoint: readEndpoint(given.endpoint, endpoints.focusEndpoints),
      region: optional('settings.region', given.region, vendorRegion),
    };
  }
  refuseOthers('settings', given, ['storageAccount', 'container', 'prefix'], 'a container');
  return {
    storageAccount: required('settings.storage_account', given.storageAccount, azureRules.storageAccount),
    container: required('settings.container', given.container, azureRules.container),
    prefix,
  };
}

/** Other vendors call regions as they like: `auto`, `fr-par`, `default`. */
export const vendorRegion: Rule = { pattern: /^[a-z\d][a-z\d-]{0,40}$/, says: 'a region such as us-east-1, or auto' };

/** An address is never taken from an account, only chosen from the operator's list. */
function readEndpoint(given: string | null | undefined, allowed: readonly string[]): string | null {
  if (given === null || given === undefined) return null;
  const bare = given.replace(/\/+$/, '');
  const known = allowed.find((each) => each === bare);
  if (known) return known;
  const remedy = allowed.length > 0 ? `one of ${allowed.join(', ')}` : 'left out: the server allows none';
  throw invalid`${arg('settings.endpoint')} must be ${remedy}; the server's FOCUS_ENDPOINTS lists the allowed ones`;
}

/** Reads the credentials of a bucket or a container.
 *  @throws {AppError} VALIDATION_ERROR naming the field; its value is not repeated */
export function readFocusCredentials(
  given: CredentialFields,
  settings: FocusSettings,
): AwsCredentials | AzureCredentials {
  if ('storageAccount' in settings) return readAzureCredentials(given);
  return readAwsCredentials(given, settings.endpoint !== null);
}

/** What tells a bucket's or container's folder from others: its address. */
export function focusIdentity(settings: FocusSettings, endpoints: CloudEndpoints): string {
  const below = (place: string) => (settings.prefix === '' ? place : `${place}/${settings.prefix}`);
  if ('storageAccount' in settings) {
    const account = endpoints.azureBlobEndpoint.replace('{account}', settings.storageAccount);
    return below(`${account}/${settings.container}`);
  }
  const host = settings.endpoint === null ? 's3.amazonaws.com' : new URL(settings.endpoint).host;
  return below(`s3://${host}/${settings.bucket}`);
}
