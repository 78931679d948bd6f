import { keys, role } from './credentials.ts';
import { bucket, prefix, region } from './shared.ts';
import type { Field, Way } from './way.ts';

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
export const aws: readonly Way[] = [
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
