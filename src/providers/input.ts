import { awsRules, readAwsCredentials, readAwsSettings, vendorKeyId } from './aws/input.ts';
import {
  azureIdentity,
  azureRules,
  mostSubscriptions,
  readAzureCredentials,
  readAzureSettings,
} from './azure/input.ts';
import { keywordsOf, listKeywordsOf, prefixRule, type CredentialFields, type SettingsFields } from './fields.ts';
import { focusIdentity, readFocusCredentials, readFocusSettings, vendorRegion } from './focus/input.ts';
import { gcpIdentity, gcpRules, mostScopes, readGcpCredentials, readGcpSettings } from './gcp/input.ts';
import type { CloudEndpoints, ConnectionSpec } from './spec.ts';

type Provider = ConnectionSpec['provider'];

/** Rules of the settings, as JSON Schema keywords; the widest rule where providers differ. */
export const settingKeywords = {
  bucket: keywordsOf(awsRules.bucket),
  prefix: keywordsOf(prefixRule),
  exportName: keywordsOf(awsRules.exportName),
  region: keywordsOf(vendorRegion),
  subscriptionIds: listKeywordsOf(azureRules.subscriptionId, mostSubscriptions),
  billingScope: keywordsOf(azureRules.billingScope),
  storageAccount: keywordsOf(azureRules.storageAccount),
  container: keywordsOf(azureRules.container),
  billingProject: keywordsOf(gcpRules.project),
  dataset: keywordsOf(gcpRules.dataset),
  table: keywordsOf(gcpRules.table),
  location: keywordsOf(gcpRules.location),
  scopes: listKeywordsOf(gcpRules.scope, mostScopes),
} as const;

/** Rules of the credentials, as JSON Schema keywords; the widest rule where providers differ. */
export const credentialKeywords = {
  roleArn: keywordsOf(awsRules.roleArn),
  accessKeyId: keywordsOf(vendorKeyId),
  secretAccessKey: keywordsOf(awsRules.secret),
  sessionToken: keywordsOf(awsRules.sessionToken),
  tenantId: keywordsOf(azureRules.tenantId),
  clientId: keywordsOf(azureRules.clientId),
  clientSecret: keywordsOf(azureRules.clientSecret),
} as const;

/** A connection, as sent. */
export interface SentConnection {
  readonly credentials: CredentialFields;
  readonly settings: SettingsFields;
  readonly trustExternalId: string;
}

/** Validates a connection strictly: rejects fields of other providers, addresses, and names that could be more than names. Not
 *  for a `focus` account with a local folder, which needs no connection.
 *  @throws {AppError} VALIDATION_ERROR naming the field; values of credentials are never repeated */
export function readConnection(provider: Provider, sent: SentConnection, endpoints: CloudEndpoints): ConnectionSpec {
  const { credentials, settings, trustExternalId } = sent;
  switch (provider) {
    case 'aws': {
      const read = readAwsSettings(settings);
      return { provider, credentials: readAwsCredentials(credentials), settings: read, trustExternalId };
    }
    case 'azure':
      return { provider, settings: readAzureSettings(settings), credentials: readAzureCredentials(credentials) };
    case 'gcp':
      return { provider, settings: readGcpSettings(settings), credentials: readGcpCredentials(credentials) };
    case 'focus': {
      const read = readFocusSettings(settings, endpoints);
      return { provider, credentials: readFocusCredentials(credentials, read), settings: read, trustExternalId };
    }
  }
}

/** Validates only settings, as strictly.
 *  @returns the settings to store, and the external id if settings determine it; null if only the provider knows it
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function readSettings(
  provider: Provider,
  given: SettingsFields,
  endpoints: CloudEndpoints,
): { settings: ConnectionSpec['settings']; externalId: string | null } {
  switch (provider) {
    case 'aws':
      return { settings: readAwsSettings(given), externalId: null };
    case 'azure': {
      const settings = readAzureSettings(given);
      return { settings, externalId: azureIdentity(settings) };
    }
    case 'gcp': {
      const settings = readGcpSettings(given);
      return { settings, externalId: settings.table === null ? null : gcpIdentity(settings, settings.table) };
    }
    case 'focus': {
      const settings = readFocusSettings(given, endpoints);
      return { settings, externalId: focusIdentity(settings, endpoints) };
    }
  }
}
