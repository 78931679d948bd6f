import type { Provider } from '../queries.ts';
import {
  bucket,
  container,
  type Field,
  guid,
  keyFile,
  keys,
  prefix,
  principal,
  region,
  resourceGroup,
  role,
  storageAccount,
  type Way,
} from './fields.ts';

const awsNames: readonly Field[] = [
  {
    name: 'awsAccountId',
    part: 'guide',
    label: 'AWS account id',
    help: 'Of the payer account, where the role is made. Only for the commands below.',
    placeholder: '123456789012',
    isOptional: true,
  },
  {
    name: 'roleName',
    part: 'guide',
    label: 'Name of the role',
    help: 'Only for the commands below.',
    placeholder: 'costkeep',
    isOptional: true,
  },
];

/** How AWS is connected. */
const aws: readonly Way[] = [
  {
    key: 'export',
    label: 'Data Export',
    text: 'Every line of the bill, with resources, tags and commitments. The way to go.',
    fields: [
      bucket,
      prefix,
      { name: 'exportName', part: 'settings', label: 'Name of the export', placeholder: 'costkeep' },
      region,
      ...awsNames,
      {
        name: 'kmsKey',
        part: 'guide',
        label: 'ARN of the KMS key',
        help: 'Only where the bucket is encrypted with a key of your own.',
        placeholder: 'arn:aws:kms:us-east-1:123456789012:key/…',
        isOptional: true,
      },
    ],
    credentials: [role, keys],
  },
  {
    key: 'api',
    label: 'Cost Explorer',
    text: 'No export needed, but costs by day, account and service alone; each request costs $0.01.',
    fields: [region, ...awsNames],
    withoutExport: true,
    credentials: [role, keys],
  },
];

const azureScope: readonly Field[] = [
  {
    name: 'subscriptionIds',
    part: 'settings',
    label: 'Subscription ids',
    help: 'One a line. Their resources are listed; without a billing scope their costs are read.',
    placeholder: guid,
    kind: 'list',
    isOptional: true,
  },
  {
    name: 'billingScope',
    part: 'settings',
    label: 'Billing scope',
    help: 'Resource id of a billing account, profile or section. This or subscriptions.',
    placeholder: '/providers/Microsoft.Billing/billingAccounts/…',
    isOptional: true,
  },
];

/** How Azure is connected. */
const azure: readonly Way[] = [
  {
    key: 'export',
    label: 'FOCUS export',
    text: 'Every line of the bill, with resources, tags and commitments. The way to go.',
    fields: [...azureScope, storageAccount, container, prefix, resourceGroup],
    credentials: [principal],
  },
  {
    key: 'api',
    label: 'Query API',
    text: 'No export needed, but costs by day, subscription and service alone.',
    fields: [...azureScope],
    withoutExport: true,
    credentials: [principal],
  },
];

/** How Google Cloud is connected. */
const gcp: readonly Way[] = [
  {
    key: 'export',
    label: 'BigQuery billing export',
    text: 'Every line of the bill, read by queries in your project.',
    fields: [
      {
        name: 'billingProject',
        part: 'settings',
        label: 'Project',
        help: 'Queries run in it, and it pays for them.',
        placeholder: 'acme-billing',
      },
      {
        name: 'dataset',
        part: 'settings',
        label: 'Dataset',
        help: 'As dataset, or project.dataset.',
        placeholder: 'billing_export',
      },
      { name: 'location', part: 'settings', label: 'Location of the dataset', placeholder: 'EU' },
      {
        name: 'table',
        part: 'settings',
        label: 'Table',
        help: 'Empty: the detailed export, else the FOCUS one, else the standard one.',
        isOptional: true,
      },
      {
        name: 'scopes',
        part: 'settings',
        label: 'Inventory of',
        help: 'One a line: organizations/…, folders/… or projects/…. Empty: no inventory.',
        placeholder: 'organizations/123456789012',
        kind: 'list',
        isOptional: true,
      },
      {
        name: 'serviceAccount',
        part: 'guide',
        label: 'Email of the service account',
        help: 'Only for the commands below, where you have one already.',
        placeholder: 'costkeep@acme-billing.iam.gserviceaccount.com',
        isOptional: true,
      },
    ],
    credentials: [keyFile],
  },
];

/** How FOCUS files of any vendor are connected. */
const focus: readonly Way[] = [
  {
    key: 'folder',
    label: 'Folder',
    text: 'FOCUS files on the server, below the folder that its operator set as FOCUS_ROOT.',
    fields: [
      {
        name: 'path',
        part: 'settings',
        label: 'Path',
        help: 'A folder or a file, relative to FOCUS_ROOT.',
        placeholder: 'oracle/focus',
      },
    ],
    credentials: [],
  },
  {
    key: 'bucket',
    label: 'Bucket',
    text: 'FOCUS files in Amazon S3, or in a store that speaks its language.',
    assumed: { bucket: 'your-bucket' },
    fields: [
      bucket,
      prefix,
      region,
      {
        name: 'endpoint',
        part: 'settings',
        label: 'Endpoint',
        help: 'For stores of other vendors: one of the addresses that the operator allows.',
        placeholder: 'https://…',
        isOptional: true,
      },
    ],
    credentials: [keys, role],
  },
  {
    key: 'container',
    label: 'Blob container',
    text: 'FOCUS files in Azure Blob Storage.',
    assumed: { container: 'your-container' },
    fields: [
      storageAccount,
      container,
      prefix,
      resourceGroup,
      {
        name: 'subscriptionIds',
        part: 'guide',
        label: 'Subscription id',
        help: 'Only for the commands below.',
        placeholder: guid,
        isOptional: true,
      },
    ],
    credentials: [principal],
  },
];

/** The ways of connecting each provider, the best first. */
export const ways = { AWS: aws, AZURE: azure, GCP: gcp, FOCUS: focus } as const satisfies Record<
  Provider,
  readonly Way[]
>;
