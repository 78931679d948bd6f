import { arg, choice, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { awsRules, azureRules, type Rule } from '../../kit/text/cloud-names.ts';
import { readAwsCredentials } from '../aws/input.ts';
import { readAzureCredentials } from '../azure/input.ts';
import { optional, readPrefix, refuseOthers, required, type CredentialFields, type SettingsFields } from '../fields.ts';
import type { AwsCredentials, AzureCredentials, CloudEndpoints, FocusSettings } from '../spec.ts';

/** Location of FOCUS files. */
export type FocusPlace = 'uploads' | 'folder' | 'bucket' | 'container';

/** Returns the kind of storage that settings name.
 *  @throws {AppError} VALIDATION_ERROR when they name none, or more than one */
export function focusPlaceOf(given: SettingsFields): FocusPlace {
  const named = [
    given.source ? ('source' as const) : null,
    given.path ? ('path' as const) : null,
    given.bucket ? ('bucket' as const) : null,
    given.storageAccount ? ('storage_account' as const) : null,
  ].filter((name) => name !== null);
  const [first, second] = named;
  if (second)
    throw invalid`${arg(`settings.${first}`)} and ${mention(`settings.${second}`)} are two different sources${fix}send only one`;
  if (!first) {
    throw invalid`${arg('settings.path')} is required for provider ${choice('provider', 'focus')}, or ${mention('settings.bucket')}, or ${mention('settings.storage_account')}: the folder of the export under FOCUS_ROOT, or its object store; or ${mention('settings.source')} ${choice('settings.source', 'uploads')}, to upload files`;
  }
  return ({ source: 'uploads', path: 'folder', bucket: 'bucket', storage_account: 'container' } as const)[first];
}

/** Validates a bucket or container.
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

/** Other vendors' region names vary: `auto`, `fr-par`, `default`. */
export const vendorRegion: Rule = { pattern: /^[a-z\d][a-z\d-]{0,40}$/, says: 'a region such as us-east-1, or auto' };

/** Accepts only an address from the operator's list, never an arbitrary one. */
function readEndpoint(given: string | null | undefined, allowed: readonly string[]): string | null {
  if (given === null || given === undefined) return null;
  const bare = given.replace(/\/+$/, '');
  const known = allowed.find((each) => each === bare);
  if (known) return known;
  if (allowed.length === 0)
    throw invalid`${arg('settings.endpoint')} must be left out: the server allows Amazon S3 only${fix}the operator can allow other stores with FOCUS_ENDPOINTS`;
  throw invalid`${arg('settings.endpoint')} must be one of ${allowed.join(', ')}${fix}the operator can allow others with FOCUS_ENDPOINTS`;
}

/** Validates the credentials of a bucket or container.
 *  @throws {AppError} VALIDATION_ERROR naming the field, without its value */
export function readFocusCredentials(
  given: CredentialFields,
  settings: FocusSettings,
): AwsCredentials | AzureCredentials {
  if ('storageAccount' in settings) return readAzureCredentials(given);
  return readAwsCredentials(given, settings.endpoint !== null);
}

/** Returns the identity of a folder in a bucket or container: its address. */
export function focusIdentity(settings: FocusSettings, endpoints: CloudEndpoints): string {
  const below = (place: string) => (settings.prefix === '' ? place : `${place}/${settings.prefix}`);
  if ('storageAccount' in settings) {
    const account = endpoints.azureBlobEndpoint.replace('{account}', settings.storageAccount);
    return below(`${account}/${settings.container}`);
  }
  const host = settings.endpoint === null ? 's3.amazonaws.com' : new URL(settings.endpoint).host;
  return below(`s3://${host}/${settings.bucket}`);
}
