import { type Bounds, bounded } from '../../../graph/bounded.ts';
import { builder } from '../../../graph/builder.ts';
import { wordEnum } from '../../../graph/stored-words.ts';
import type { CredentialFields, SettingName, SettingsFields } from '../../../providers/fields.ts';
import { credentialKeywords, settingKeywords } from '../../../providers/input.ts';

/** Descriptions of the settings. */
export const settingWords: Readonly<Record<SettingName, string>> = {
  source: 'For `focus`: `uploads`, if members upload the files with `POST /accounts/{id}/files`.',
  path: 'For `focus`: folder or file of the export, relative to FOCUS_ROOT.',
  bucket:
    'For `aws` and `focus`: S3 bucket of the Data Export or FOCUS files. An `aws` account without a bucket is read from Cost Explorer.',
  prefix:
    'For `aws`, `azure` and `focus`: folder in the bucket or container, as in the export’s settings; empty for none.',
  exportName: 'For `aws`: name of the Data Export.',
  region: 'For `aws` and `focus`: region of the first request.',
  endpoint: 'For `focus`: endpoint URL of an S3-compatible store that the operator allows. Default: AWS.',
  subscriptionIds:
    'For `azure`: ids of the subscriptions to list resources of, and to read costs of if no billing scope is given.',
  billingScope:
    'For `azure`: resource id of the billing account, profile or section, starting with `/providers/Microsoft.Billing/`.',
  storageAccount:
    'For `azure` and `focus`: storage account of the export. An `azure` account without a storage account is read from the Query API.',
  container: 'For `azure` and `focus`: Blob container of the export.',
  billingProject: 'For `gcp`: project that runs queries and is billed for them.',
  dataset: 'For `gcp`: BigQuery dataset of the billing export, as `dataset` or `project.dataset`.',
  table:
    'For `gcp`: table of the export. Default: the detailed usage table, else the FOCUS table, else the standard usage table.',
  location: 'For `gcp`: location of the dataset, such as `EU` or `europe-west3`.',
  scopes:
    'For `gcp`: organizations, folders or projects whose resources are listed, such as `organizations/123`. Without scopes there is no inventory.',
};

/** Descriptions of the credentials. */
export const credentialWords = {
  roleArn: 'For AWS: ARN of a role that trusts the organization’s external id.',
  accessKeyId: 'For AWS and S3-compatible stores: id of an access key, in place of a role.',
  secretAccessKey: 'For AWS and S3-compatible stores: secret access key.',
  sessionToken: 'Session token of temporary keys. Syncs fail after the keys expire.',
  tenantId: 'For Azure: directory (tenant) id.',
  clientId: 'For Azure: application (client) id of the service principal.',
  clientSecret: 'For Azure: value of one of its client secrets.',
  serviceAccountJson:
    'For Google Cloud: the JSON key file of a service account, as an object. The email, key and project are stored.',
} as const satisfies Record<keyof CredentialFields, string>;

const SourceEnum = wordEnum('AccountFileSource', 'Source of files other than a bucket, container or folder.', {
  uploads: 'Files that members upload.',
});

/** GraphQL types of the fields that are not text. */
const types: Readonly<Record<string, unknown>> = {
  source: SourceEnum,
  subscriptionIds: ['String'],
  scopes: ['String'],
  serviceAccountJson: 'JSON',
};

/** Returns the options of each field by name: its type, its description and the rules that its validation reads. */
export function fieldsOf(words: Readonly<Record<string, string>>, rules: Readonly<Record<string, Bounds>> = {}) {
  return Object.entries(words).map(
    ([name, description]) =>
      [name, { type: types[name] ?? 'String', description, ...(rules[name] && bounded(rules[name])) }] as const,
  );
}

export const Settings = builder.objectRef<SettingsFields>('AccountSettings').implement({
  description: 'Location of an account’s billing data. Fields of other providers are null.',
  fields: (t) =>
    Object.fromEntries(
      fieldsOf(settingWords).map(([name, field]) => [
        name,
        t.expose(name as 'path', { ...field, nullable: true } as never),
      ]),
    ),
});

export const SettingsInput = builder.inputRef<SettingsFields>('AccountSettingsInput').implement({
  description: 'Location of an account’s billing data. Fields of other providers are rejected.',
  fields: (t) =>
    Object.fromEntries(
      fieldsOf(settingWords, settingKeywords).map(([name, field]) => [name, t.field(field as never)]),
    ) as never,
});

export const CredentialsInput = builder.inputRef<CredentialFields>('AccountCredentialsInput').implement({
  description:
    'Credentials for reading the provider: for AWS a role or access keys, for Azure a service principal, for Google Cloud a service account key. Stored encrypted, decrypted only during a sync, never returned.',
  fields: (t) =>
    Object.fromEntries(
      fieldsOf(credentialWords, credentialKeywords).map(([name, field]) => [name, t.field(field as never)]),
    ) as never,
});
