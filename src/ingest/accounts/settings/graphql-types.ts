import { builder } from '../../../graph/builder.ts';
import type { SettingName, SettingsFields } from '../../../providers/fields.ts';

/** What each setting is; the same words for what goes in and what comes out. */
const words: Readonly<Record<SettingName, string>> = {
  path: 'For `focus`: folder or file of the export, relative to FOCUS_ROOT.',
  bucket:
    'For `aws` and `focus`: S3 bucket of the Data Export, or of FOCUS files. An `aws` account without one is read from Cost Explorer.',
  prefix:
    'For `aws`, `azure` and `focus`: folder in the bucket or container, as the export’s settings have it; empty for none.',
  exportName: 'For `aws`: name of the Data Export.',
  region: 'For `aws` and `focus`: AWS region that is spoken to first.',
  endpoint: 'For `focus`: address of an S3-compatible store, one of those that the operator allows; AWS without it.',
  subscriptionIds:
    'For `azure`: ids of the subscriptions whose resources are listed, and whose costs are read where no billing scope is named.',
  billingScope:
    'For `azure`: resource id of the billing account, profile or section, from `/providers/Microsoft.Billing/` on.',
  storageAccount:
    'For `azure` and `focus`: storage account of the export. An `azure` account without one is read from the Query API.',
  container: 'For `azure` and `focus`: Blob container of the export.',
  billingProject: 'For `gcp`: project in which queries run, and which pays for them.',
  dataset: 'For `gcp`: BigQuery dataset of the billing export, as `dataset` or `project.dataset`.',
  table: 'For `gcp`: table of the export; without it the detailed one, else the FOCUS one, else the standard one.',
  location: 'For `gcp`: location of the dataset, such as `EU` or `europe-west3`.',
  scopes: 'For `gcp`: what resources are listed of, such as `organizations/123`; none: no inventory.',
};

export const Settings = builder.objectRef<SettingsFields>('AccountSettings').implement({
  description: 'Where the bills of an account lie. What does not apply to its provider is null.',
  fields: (t) => {
    const text = (name: Exclude<SettingName, 'subscriptionIds' | 'scopes'>) =>
      t.string({ nullable: true, description: words[name], resolve: (settings) => settings[name] });
    const texts = (name: 'subscriptionIds' | 'scopes') =>
      t.stringList({ nullable: true, description: words[name], resolve: (settings) => settings[name] });
    return {
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
  description: 'Where the bills of an account lie. Each provider takes its own; what another one has is refused.',
  fields: (t) => ({
    path: t.string({ description: words.path }),
    bucket: t.string({ description: words.bucket }),
    prefix: t.string({ description: words.prefix }),
    exportName: t.string({ description: words.exportName }),
    region: t.string({ description: words.region }),
    endpoint: t.string({ description: words.endpoint }),
    subscriptionIds: t.stringList({ description: words.subscriptionIds }),
    billingScope: t.string({ description: words.billingScope }),
    storageAccount: t.string({ description: words.storageAccount }),
    container: t.string({ description: words.container }),
    billingProject: t.string({ description: words.billingProject }),
    dataset: t.string({ description: words.dataset }),
    table: t.string({ description: words.table }),
    location: t.string({ description: words.location }),
    scopes: t.stringList({ description: words.scopes }),
  }),
});

export const CredentialsInput = builder.inputType('AccountCredentialsInput', {
  description:
    'What the provider needs to be read: for AWS a role or keys, for Azure a service principal, for Google Cloud a service account’s key. Encrypted where it is stored, decrypted only while a sync runs, and never answered.',
  fields: (t) => ({
    roleArn: t.string({ description: 'For AWS: ARN of a role that trusts the organization’s external id.' }),
    accessKeyId: t.string({
      description: 'For AWS and S3-compatible stores: id of an access key, in place of a role.',
    }),
    secretAccessKey: t.string({ description: 'The access key itself.' }),
    sessionToken: t.string({ description: 'Of temporary keys: their token. Syncs fail once they have expired.' }),
    tenantId: t.string({ description: 'For Azure: directory (tenant) id.' }),
    clientId: t.string({ description: 'For Azure: application (client) id of the service principal.' }),
    clientSecret: t.string({ description: 'For Azure: value of one of its client secrets.' }),
    serviceAccountJson: t.field({
      type: 'JSON',
      description:
        'For Google Cloud: the JSON key file of a service account, as an object. Its email, key and project are kept.',
    }),
  }),
});
