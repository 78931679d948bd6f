import { keyFile } from './credentials.ts';
import type { Way } from './way.ts';

/** How Google Cloud is connected. */
export const gcp: readonly Way[] = [
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
