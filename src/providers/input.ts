import { awsRules, azureRules } from '../kit/text/cloud-names.ts';
import { readAwsCredentials, readAwsSettings, vendorKeyId } from './aws/input.ts';
import { azureIdentity, mostSubscriptions, readAzureCredentials, readAzureSettings } from './azure/input.ts';
import { keywordsByName, listKeywordsOf, prefixRule, type CredentialFields, type SettingsFields } from './fields.ts';
import { focusIdentity, readFocusCredentials, readFocusSettings, vendorRegion } from './focus/input.ts';
import { gcpIdentity, gcpRules, mostScopes, readGcpCredentials, readGcpSettings } from './gcp/input.ts';
import type { CloudEndpoints, ConnectionSpec } from './spec.ts';

type Provider = ConnectionSpec['provider'];

/** Rules of the settings; the widest rule where providers differ. */
export const settingRules = {
  bucket: awsRules.bucket,
  prefix: prefixRule,
  exportName: awsRules.exportName,
  region: vendorRegion,
  billingScope: azureRules.billingScope,
  storageAccount: azureRules.storageAccount,
  container: azureRules.container,
  billingProject: gcpRules.project,
  dataset: gcpRules.dataset,
  table: gcpRules.table,
  location: gcpRules.location,
} as const;

/** Rules of the settings, as JSON Schema keywords, with those of lists. */
export const settingKeywords = {
  ...keywordsByName(settingRules),
  subscriptionIds: listKeywordsOf(azureRules.subscriptionId, mostSubscriptions),
  scopes: listKeywordsOf(gcpRules.scope, mostScopes),
};

/** Rules of the credentials, as JSON Schema keywords; the widest rule where providers differ. */
export const credentialKeywords = keywordsByName({
  roleArn: awsRules.roleArn,
  accessKeyId: vendorKeyId,
  secretAccessKey: awsRules.secret,
  sessionToken: awsRules.sessionToken,
  tenantId: azureRules.tenantId,
  clientId: azureRules.clientId,
  clientSecret: azureRules.clientSecret,
});

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
