import type { Cloud, MonthlyCharge } from '../bill/cloud.ts';
import type { Commitment } from '../bill/commitment.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';
import { tagsOf } from '../inventory/tags.ts';
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

const commitments: readonly Commitment[] = [
  {
    key: 'vm-reservation',
    // Four machines are reserved, three are running.
    named: {
      id: `/providers/microsoft.capacity/reservationorders/${guidOf('order')}/reservations/${guidOf('reservation')}`,
      name: 'pos-2026',
      category: 'Usage',
      type: 'Reservation',
    },
    service: services.vm,
    region: places.retail.region,
    perDay: '13.9104',
    rate: 630,
    payment: 'monthly',
    endsInMonths: 8,
    description: 'Reserved VM Instance, Standard_D4s_v5, EU West, 1 Year',
  },
  {
    key: 'vm-savings-plan',
    named: {
      id: `/providers/microsoft.billingbenefits/savingsplanorders/${guidOf('plan-order')}/savingsplans/${guidOf('plan')}`,
      name: 'compute-savings-plan',
      category: 'Spend',
      type: 'SavingsPlan',
    },
    service: services.vm,
    region: null,
    perDay: '16.8',
    rate: 700,
    payment: 'daily',
    endsInMonths: 5,
    description: 'Compute Savings Plan, 1 Year',
  },
];

const monthly: readonly MonthlyCharge[] = [
  {
    name: 'support',
    on: 1,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '920',
    subAccount: subscriptions.corporate,
    service: services.support,
    description: 'Azure Standard Support',
  },
  ...Object.values(subscriptions).map((subAccount): MonthlyCharge => ({
    name: `tax ${subAccount.id}`,
    on: 'last',
    every: 1,
    chargeCategory: 'Tax',
    amount: { ofBilled: 60 },
    subAccount,
    service: services.vm,
    description: 'Tax',
  })),
  {
    name: 'sendgrid',
    on: 4,
    every: 1,
    chargeCategory: 'Purchase',
    amount: '249',
    subAccount: subscriptions.retail,
    service: services.marketplace,
    resource: {
      id: `/subscriptions/${subscriptions.retail.id}/resourcegroups/mail/providers/microsoft.saas/resources/order-mail`,
      name: 'order-mail',
      type: 'microsoft.saas/resources',
    },
    tags: tagsOf('orders', 'prod'),
    publisher: 'Twilio SendGrid',
    description: 'SendGrid Email, monthly plan',
  },
  {
    name: 'credit',
    on: 3,
    every: 2,
    chargeCategory: 'Credit',
    amount: '-450',
    subAccount: subscriptions.development,
    service: services.vm,
    description: 'Azure sponsorship credit',
  },
  {
    name: 'correction',
    on: 5,
    every: 4,
    chargeCategory: 'Usage',
    amount: '-96.41',
    corrects: true,
    subAccount: subscriptions.retail,
    service: services.logs,
    description: 'Correction of ingestion billed twice',
  },
];

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
  commitments,
  monthly,
  discount: 930,
};
