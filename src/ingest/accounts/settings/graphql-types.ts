import { bounded } from '../../../graph/bounded.ts';
import { builder } from '../../../graph/builder.ts';
import type { SettingName, SettingsFields } from '../../../providers/fields.ts';
import { credentialKeywords, settingKeywords } from '../../../providers/input.ts';

/** Descriptions of the settings, shared by input and output types. */
const words: Readonly<Record<SettingName, string>> = {
  source: 'For `focus`: `uploads`, if members upload the files with `POST /accounts/{id}/files`.',
  path: 'For `focus`: folder or file of the export, relative to FOCUS_ROOT.',
  bucket:
    'For `aws` and `focus`: S3 bucket of the Data Export or FOCUS files. An `aws` account without a bucket is read from Cost Explorer.',
  prefix:
    'For `aws`, `azure` and `focus`: folder in the bucket or container, as in the export’s settings; empty for none.',
  exportName: 'For `aws`: name of the Data Export.',
  region: 'For `aws` and `focus`: AWS region of the first request.',
  endpoint: 'For `focus`: address of an S3-compatible store that the operator allows. Default: AWS.',
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

const SourceEnum = builder.enumType('AccountFileSource', {
  description: 'Source of files that has no address.',
  values: { UPLOADS: { value: 'uploads', description: 'Files that members upload.' } },
});

export const Settings = builder.objectRef<SettingsFields>('AccountSettings').implement({
  description: 'Location of an account’s billing data. Fields of other providers are null.',
  fields: (t) => {
    const text = (name: Exclude<SettingName, 'source' | 'subscriptionIds' | 'scopes'>) =>
      t.string({ nullable: true, description: words[name], resolve: (settings) => settings[name] });
    const texts = (name: 'subscriptionIds' | 'scopes') =>
      t.stringList({ nullable: true, description: words[name], resolve: (settings) => settings[name] });
    return {
      source: t.expose('source', { type: SourceEnum, nullable: true, description: words.source }),
      path: text('path'),
      bucket: text('bucket'),
      prefix: text('prefix'),
      exportName: text('exportName'),
      region: text('region'),
      endpoint: text('endpoint'),
      subscriptionIds: texts('subscriptionIds'),
      billingScope: text('billingScope'),
      storageAccount: text('storageAccount'),
      container: text('container'),
      billingProject: text('billingProject'),
      dataset: text('dataset'),
      table: text('table'),
      location: text('location'),
      scopes: texts('scopes'),
    };
  },
});

export const SettingsInput = builder.inputType('AccountSettingsInput', {
  description: 'Location of an account’s billing data. Fields of other providers are rejected.',
  fields: (t) => ({
    source: t.field({ type: SourceEnum, description: words.source }),
    path: t.string({ description: words.path }),
    bucket: t.string({ ...bounded(settingKeywords.bucket), description: words.bucket }),
    prefix: t.string({ ...bounded(settingKeywords.prefix), description: words.prefix }),
    exportName: t.string({ ...bounded(settingKeywords.exportName), description: words.exportName }),
    region: t.string({ ...bounded(settingKeywords.region), description: words.region }),
    endpoint: t.string({ description: words.endpoint }),
    subscriptionIds: t.stringList({ ...bounded(settingKeywords.subscriptionIds), description: words.subscriptionIds }),
    billingScope: t.string({ ...bounded(settingKeywords.billingScope), description: words.billingScope }),
    storageAccount: t.string({ ...bounded(settingKeywords.storageAccount), description: words.storageAccount }),
    container: t.string({ ...bounded(settingKeywords.container), description: words.container }),
    billingProject: t.string({ ...bounded(settingKeywords.billingProject), description: words.billingProject }),
    dataset: t.string({ ...bounded(settingKeywords.dataset), description: words.dataset }),
    table: t.string({ ...bounded(settingKeywords.table), description: words.table }),
    location: t.string({ ...bounded(settingKeywords.location), description: words.location }),
    scopes: t.stringList({ ...bounded(settingKeywords.scopes), description: words.scopes }),
  }),
});

export const CredentialsInput = builder.inputType('AccountCredentialsInput', {
  description:
    'Credentials for reading the provider: for AWS a role or access keys, for Azure a service principal, for Google Cloud a service account key. Stored encrypted, decrypted only during a sync, never returned.',
  fields: (t) => ({
    roleArn: t.string({
      ...bounded(credentialKeywords.roleArn),
      description: 'For AWS: ARN of a role that trusts the organization’s external id.',
    }),
    accessKeyId: t.string({
      ...bounded(credentialKeywords.accessKeyId),
      description: 'For AWS and S3-compatible stores: id of an access key, in place of a role.',
    }),
    secretAccessKey: t.string({
      ...bounded(credentialKeywords.secretAccessKey),
      description: 'For AWS and S3-compatible stores: secret access key.',
    }),
    sessionToken: t.string({
      ...bounded(credentialKeywords.sessionToken),
      description: 'Session token of temporary keys. Syncs fail after the keys expire.',
    }),
    tenantId: t.string({ ...bounded(credentialKeywords.tenantId), description: 'For Azure: directory (tenant) id.' }),
    clientId: t.string({
      ...bounded(credentialKeywords.clientId),
      description: 'For Azure: application (client) id of the service principal.',
    }),
    clientSecret: t.string({
      ...bounded(credentialKeywords.clientSecret),
      description: 'For Azure: value of one of its client secrets.',
    }),
    serviceAccountJson: t.field({
      type: 'JSON',
      description:
        'For Google Cloud: the JSON key file of a service account, as an object. The email, key and project are stored.',
    }),
  }),
});
