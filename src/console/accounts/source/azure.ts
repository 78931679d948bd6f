import { principal } from './credentials.ts';
import { container, guid, prefix, resourceGroup, storageAccount } from './shared.ts';
import type { Field, Way } from './way.ts';

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
export const azure: readonly Way[] = [
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
