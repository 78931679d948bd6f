import { awsRules, azureRules } from '../../../kit/text/cloud-names.ts';
import type { Provider } from '../queries.ts';
import {
  bucket,
  container,
  guid,
  guided,
  keyFile,
  keys,
  prefix,
  principal,
  region,
  resourceGroup,
  role,
  setting,
  storageAccount,
  type Field,
  type Way,
} from './fields.ts';

const full = 'Full line items with resources, tags and commitments (recommended).';

const awsNames = [
  guided('awsAccountId', 'AWS account ID', {
    help: 'The payer account. Only for the commands below.',
    placeholder: '123456789012',
  }),
  guided('roleName', 'Role or user', { placeholder: 'costkeep' }),
];

const aws: readonly Way[] = [
  {
    key: 'export',
    label: 'Data Export',
    text: full,
    fields: [
      bucket,
      prefix,
      setting('exportName', 'Export name', { placeholder: 'costkeep', rule: awsRules.exportName }),
      region,
      ...awsNames,
      guided('kmsKey', 'KMS key ARN', {
        help: 'Only if the bucket is encrypted with a customer managed key.',
        placeholder: 'arn:aws:kms:us-east-1:123456789012:key/…',
      }),
    ],
    credentials: [role, keys],
  },
  {
    key: 'api',
    label: 'Cost Explorer',
    text: 'No export needed, but only costs by day, account and service; each request costs $0.01.',
    fields: [region, ...awsNames],
    withoutExport: true,
    credentials: [role, keys],
  },
];

const azureScope = [
  setting('subscriptionIds', 'Subscription IDs', {
    help: 'One per line, for resources. Required for costs without a billing scope.',
    placeholder: guid,
    kind: 'list',
    alternative: 'billingScope',
    rule: azureRules.subscriptionId,
  }),
  setting('billingScope', 'Billing scope', {
    help: 'Resource ID of a billing account, billing profile or invoice section. Required without subscriptions.',
    placeholder: '/providers/Microsoft.Billing/billingAccounts/…',
    alternative: 'subscriptionIds',
    rule: azureRules.billingScope,
  }),
];

const azure: readonly Way[] = [
  {
    key: 'export',
    label: 'FOCUS export',
    text: full,
    fields: [...azureScope, storageAccount, container, prefix, resourceGroup],
    credentials: [principal],
  },
  {
    key: 'api',
    label: 'Query API',
    text: 'No export needed, but only costs by day, subscription and service.',
    fields: azureScope,
    withoutExport: true,
    credentials: [principal],
  },
];

const gcp: readonly Way[] = [
  {
    key: 'export',
    label: 'BigQuery billing export',
    text: 'Full line items, read by queries in your project.',
    fields: [
      setting('billingProject', 'Project', {
        help: 'Queries run in this project and are billed to it.',
        placeholder: 'acme-billing',
      }),
      setting('dataset', 'Dataset', { help: 'dataset or project.dataset.', placeholder: 'billing_export' }),
      setting('location', 'Dataset location', { placeholder: 'EU' }),
      setting('table', 'Table', {
        help: 'Default: the detailed usage cost export, otherwise the FOCUS export, otherwise the standard usage cost export.',
        isOptional: true,
      }),
      setting('scopes', 'Inventory scopes', {
        help: 'One per line: organizations/…, folders/… or projects/…. Leave empty for no inventory.',
        placeholder: 'organizations/123456789012',
        kind: 'list',
        isOptional: true,
      }),
      guided('serviceAccount', 'Service account email', {
        help: 'Only for the commands below, if you already have one.',
        placeholder: 'costkeep@acme-billing.iam.gserviceaccount.com',
      }),
    ],
    credentials: [keyFile],
  },
];

const focus: readonly Way[] = [
  {
    key: 'folder',
    label: 'Folder',
    text: 'FOCUS files on the server, in the folder set as FOCUS_ROOT.',
    needs: 'settings.path',
    fields: [
      setting('path', 'Path', { help: 'A folder or a file, relative to FOCUS_ROOT.', placeholder: 'oracle/focus' }),
    ],
    credentials: [],
  },
  {
    key: 'uploads',
    label: 'Upload',
    text: 'FOCUS files that you upload on the account’s page or with the API.',
    source: 'UPLOADS',
    fields: [],
    credentials: [],
  },
  {
    key: 'bucket',
    label: 'Bucket',
    text: 'FOCUS files in Amazon S3 or S3-compatible storage.',
    assumed: { bucket: 'your-bucket' },
    fields: [
      bucket,
      prefix,
      region,
      setting('endpoint', 'Endpoint', {
        help: 'For S3-compatible storage: an endpoint that the server configuration allows.',
        placeholder: 'https://…',
        isOptional: true,
      }),
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
      guided('subscriptionIds', 'Subscription ID', { placeholder: guid }),
    ],
    credentials: [principal],
  },
];

/** Connection methods by provider, recommended first. */
export const ways = { AWS: aws, AZURE: azure, GCP: gcp, FOCUS: focus } as const satisfies Record<
  Provider,
  readonly Way[]
>;

/** All fields of a provider's methods. */
export function fieldsOf(provider: Provider): Field[] {
  return ways[provider].flatMap(({ fields, credentials }) => [
    ...fields,
    ...credentials.flatMap((kind) => kind.fields),
  ]);
}

/** Providers of accounts, in the order in which they are offered. */
export const providers: readonly Provider[] = Object.keys(ways).filter(isProvider);

function isProvider(text: string): text is Provider {
  return Object.hasOwn(ways, text);
}
