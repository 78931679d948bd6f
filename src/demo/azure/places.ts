import type { Region, Resource, Service, SubAccount } from '../bill/line-item.ts';
import { guidOf } from '../random.ts';

const subscription = (name: string): SubAccount => ({ id: guidOf(name), name, type: 'Subscription' });

/** The Azure subscriptions of the sample organization. */
export const subscriptions = {
  retail: subscription('Retail Production'),
  development: subscription('Retail Development'),
  corporate: subscription('Corporate IT'),
} as const satisfies Record<string, SubAccount>;

const westEurope: Region = { id: 'westeurope', name: 'West Europe' };
const sweden: Region = { id: 'swedencentral', name: 'Sweden Central' };

/** Subscription and region pairs that meters refer to. */
export const places = {
  retail: { subAccount: subscriptions.retail, region: westEurope },
  development: { subAccount: subscriptions.development, region: westEurope },
  corporate: { subAccount: subscriptions.corporate, region: westEurope },
  ai: { subAccount: subscriptions.retail, region: sweden },
} as const;

/** A subscription and region of the Azure sample. */
export type Place = (typeof places)[keyof typeof places];

/** A resource identified by its ARM path, in lower case as in cost exports.
 *  @param type provider and type, such as `microsoft.compute/disks` */
export function armResource(place: Place, group: string, type: string, name: string): Resource {
  return { id: `/subscriptions/${place.subAccount.id}/resourcegroups/${group}/providers/${type}/${name}`, name, type };
}

/** The Azure services of the sample, with the names that Azure uses in FOCUS. */
export const services = {
  vm: { name: 'Virtual Machines', category: 'Compute', subcategory: 'Virtual Machines', code: 'Virtual Machines' },
  storage: { name: 'Storage Accounts', category: 'Storage', subcategory: 'Object Storage', code: 'Storage' },
  disk: { name: 'Azure Disk Storage', category: 'Storage', subcategory: 'Block Storage', code: 'Storage' },
  sql: { name: 'Azure SQL Database', category: 'Databases', subcategory: 'Relational Databases', code: 'SQL Database' },
  aks: {
    name: 'Azure Kubernetes Service',
    category: 'Compute',
    subcategory: 'Containers',
    code: 'Azure Kubernetes Service',
  },
  appService: {
    name: 'Azure App Service',
    category: 'Web',
    subcategory: 'Application Platforms',
    code: 'Azure App Service',
  },
  openAi: {
    name: 'Azure OpenAI',
    category: 'AI and Machine Learning',
    subcategory: 'Generative AI',
    code: 'Cognitive Services',
  },
  network: {
    name: 'Virtual Network',
    category: 'Networking',
    subcategory: 'Network Infrastructure',
    code: 'Virtual Network',
  },
  gateway: {
    name: 'Application Gateway',
    category: 'Networking',
    subcategory: 'Application Networking',
    code: 'Application Gateway',
  },
  bandwidth: { name: 'Bandwidth', category: 'Networking', subcategory: 'Network Connectivity', code: 'Bandwidth' },
  logs: {
    name: 'Log Analytics',
    category: 'Management and Governance',
    subcategory: 'Observability',
    code: 'Log Analytics',
  },
  backup: { name: 'Azure Backup', category: 'Storage', subcategory: 'Backup Storage', code: 'Backup' },
  vault: { name: 'Key Vault', category: 'Security', subcategory: 'Secret Management', code: 'Key Vault' },
  support: { name: 'Azure Support', category: 'Other', subcategory: 'Other (Other)', code: 'Support' },
  marketplace: { name: 'SendGrid Email', category: 'Integration', subcategory: 'Messaging', code: 'SaaS' },
} as const satisfies Record<string, Service>;
