import type { Cloud } from '../bill/cloud.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';

const project = (id: string, name: string): SubAccount => ({ id, name, type: 'Project' });

const projects = {
  analytics: project('bw-analytics-prod', 'Analytics'),
  ml: project('bw-ml-prod', 'Machine Learning'),
  apps: project('bw-apps-prod', 'Mobile Apps'),
  dev: project('bw-dev', 'Development'),
};

const belgium: Region = { id: 'europe-west1', name: 'Belgium (europe-west1)' };
const iowa: Region = { id: 'us-central1', name: 'Iowa (us-central1)' };

/** Project and region pairs that meters refer to. */
const places = {
  analytics: { subAccount: projects.analytics, region: belgium },
  ml: { subAccount: projects.ml, region: iowa },
  apps: { subAccount: projects.apps, region: belgium },
  dev: { subAccount: projects.dev, region: belgium },
};

const services = {
  compute: service('Compute Engine', 'Compute', 'Virtual Machines', '6F81-5844-456A'),
  gke: service('Kubernetes Engine', 'Compute', 'Containers', 'CCD8-9BF1-090E'),
  run: service('Cloud Run', 'Compute', 'Serverless Compute', '152E-C115-5142'),
  bigQuery: service('BigQuery', 'Analytics', 'Data Warehouses', '24E6-581D-38E5'),
  storage: service('Cloud Storage', 'Storage', 'Object Storage', '95FF-2EF5-5EA1'),
  sql: service('Cloud SQL', 'Databases', 'Relational Databases', '9662-B51E-5089'),
  pubsub: service('Cloud Pub/Sub', 'Integration', 'Messaging', 'A1E8-BE35-7EBC'),
  vertex: service('Vertex AI', 'AI and Machine Learning', 'Machine Learning', 'C7E2-9256-1C43'),
  network: service('Networking', 'Networking', 'Network Connectivity', 'E505-1604-58F8'),
  logging: service('Cloud Logging', 'Management and Governance', 'Observability', '5490-F7B7-8DF6'),
  support: service('Support', 'Other', 'Other (Other)', '2062-016F-44A2'),
};

/** Google Cloud as the sample organization uses it. */
export const gcp: Cloud = {
  provider: 'gcp',
  providerName: 'Google Cloud',
  invoiceIssuer: 'Google Cloud EMEA Limited',
  currency: 'USD',
  billingAccount: { id: '01A4C7-5E21B0-9D8F36', name: 'Brightwater Outfitters', type: 'Billing Account' },
  payer: projects.analytics,
  meters: readMeters(new URL('meters.tsv', import.meta.url), places, services),
  commitments: [
    {
      key: 'flex-cud',
      named: {
        id: 'projects/bw-analytics-prod/subscriptions/flex-2026',
        name: 'flex-2026',
        category: 'Spend',
        type: 'Compute flexible CUD',
      },
      service: services.compute,
      region: places.analytics.region,
      perDay: '28.5',
      rate: 720,
      payment: 'daily',
      endsInMonths: 4,
      description: 'Commitment - dollar based v1: Compute flexible 1 Year',
    },
  ],
  monthly: [
    {
      name: 'support',
      on: 1,
      every: 1,
      chargeCategory: 'Purchase',
      amount: '500',
      subAccount: projects.analytics,
      service: services.support,
      description: 'Enhanced Support',
    },
    {
      name: 'tax',
      on: 'last',
      every: 1,
      chargeCategory: 'Tax',
      amount: { ofBilled: 40 },
      subAccount: projects.analytics,
      service: services.compute,
      description: 'Tax',
    },
    {
      name: 'credit',
      on: 5,
      every: 1,
      chargeCategory: 'Credit',
      amount: '-350',
      subAccount: projects.ml,
      service: services.vertex,
      description: 'Google Cloud for Startups credit',
    },
    {
      name: 'rounding',
      on: 'last',
      every: 1,
      chargeCategory: 'Adjustment',
      amount: '-0.013742',
      subAccount: projects.analytics,
      service: services.compute,
      description: 'Rounding error',
    },
    {
      name: 'correction',
      on: 7,
      every: 5,
      chargeCategory: 'Usage',
      amount: '-64.9',
      corrects: true,
      subAccount: projects.analytics,
      service: services.bigQuery,
      description: 'Correction of a query billed after it was cancelled',
    },
  ],
  discount: 1000,
};
