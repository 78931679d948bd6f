import type { Cloud } from '../bill/cloud.ts';
import { readCommitments } from '../bill/commitment.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';
import { readCharges } from '../bill/monthly.ts';
import { guidOf } from '../random.ts';

const subscription = (name: string): SubAccount => ({ id: guidOf(name), name, type: 'Subscription' });

const subscriptions = {
  retail: subscription('Retail Production'),
  development: subscription('Retail Development'),
  corporate: subscription('Corporate IT'),
};

const westEurope: Region = { id: 'westeurope', name: 'West Europe' };
const sweden: Region = { id: 'swedencentral', name: 'Sweden Central' };

/** Subscription and region pairs that meters refer to. */
const places = {
  retail: { subAccount: subscriptions.retail, region: westEurope },
  development: { subAccount: subscriptions.development, region: westEurope },
  corporate: { subAccount: subscriptions.corporate, region: westEurope },
  ai: { subAccount: subscriptions.retail, region: sweden },
};

/** The services of the sample, with the names that Azure uses in FOCUS. */
const services = {
  vm: service('Virtual Machines', 'Compute', 'Virtual Machines', 'Virtual Machines'),
  storage: service('Storage Accounts', 'Storage', 'Object Storage', 'Storage'),
  disk: service('Azure Disk Storage', 'Storage', 'Block Storage', 'Storage'),
  sql: service('Azure SQL Database', 'Databases', 'Relational Databases', 'SQL Database'),
  aks: service('Azure Kubernetes Service', 'Compute', 'Containers', 'Azure Kubernetes Service'),
  appService: service('Azure App Service', 'Web', 'Application Platforms', 'Azure App Service'),
  openAi: service('Azure OpenAI', 'AI and Machine Learning', 'Generative AI', 'Cognitive Services'),
  network: service('Virtual Network', 'Networking', 'Network Infrastructure', 'Virtual Network'),
  gateway: service('Application Gateway', 'Networking', 'Application Networking', 'Application Gateway'),
  bandwidth: service('Bandwidth', 'Networking', 'Network Connectivity', 'Bandwidth'),
  logs: service('Log Analytics', 'Management and Governance', 'Observability', 'Log Analytics'),
  backup: service('Azure Backup', 'Storage', 'Backup Storage', 'Backup'),
  vault: service('Key Vault', 'Security', 'Secret Management', 'Key Vault'),
  support: service('Azure Support', 'Other', 'Other (Other)', 'Support'),
  marketplace: service('SendGrid Email', 'Integration', 'Messaging', 'SaaS'),
};

/** Microsoft Azure as the sample organization uses it. */
export const azure: Cloud = {
  provider: 'azure',
  providerName: 'Microsoft',
  invoiceIssuer: 'Microsoft',
  currency: 'EUR',
  billingAccount: {
    id: '/providers/microsoft.billing/billingaccounts/81204417',
    name: 'Brightwater Outfitters',
    type: 'Billing Account',
  },
  payer: subscriptions.corporate,
  meters: readMeters(new URL('meters.tsv', import.meta.url), places, services),
  commitments: readCommitments(new URL('commitments.tsv', import.meta.url), places, services),
  monthly: readCharges(new URL('charges.tsv', import.meta.url), subscriptions, services),
  discount: 930,
};
