import { keys, principal, role } from './credentials.ts';
import { bucket, container, guid, prefix, region, resourceGroup, storageAccount } from './shared.ts';
import type { Way } from './way.ts';

/** How FOCUS files of any vendor are connected. */
export const focus: readonly Way[] = [
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
