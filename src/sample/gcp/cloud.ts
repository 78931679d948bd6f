import type { Cloud } from '../bill/cloud.ts';
import { readCommitments } from '../bill/commitment.ts';
import { service, type Region, type SubAccount } from '../bill/line-item.ts';
import { readMeters } from '../bill/meter.ts';
import { readCharges } from '../bill/monthly.ts';

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
  commitments: readCommitments(new URL('commitments.tsv', import.meta.url), places, services),
  monthly: readCharges(new URL('charges.tsv', import.meta.url), projects, services),
  discount: 1000,
};
