import type { Region, Resource, Service, SubAccount } from '../bill/line-item.ts';

const project = (id: string, name: string): SubAccount => ({ id, name, type: 'Project' });

/** The Google Cloud projects of the sample organization. */
export const projects = {
  analytics: project('bw-analytics-prod', 'Analytics'),
  ml: project('bw-ml-prod', 'Machine Learning'),
  apps: project('bw-apps-prod', 'Mobile Apps'),
  dev: project('bw-dev', 'Development'),
} as const satisfies Record<string, SubAccount>;

const belgium: Region = { id: 'europe-west1', name: 'Belgium (europe-west1)' };
const iowa: Region = { id: 'us-central1', name: 'Iowa (us-central1)' };

/** Project and region pairs that meters refer to. */
export const places = {
  analytics: { subAccount: projects.analytics, region: belgium },
  ml: { subAccount: projects.ml, region: iowa },
  apps: { subAccount: projects.apps, region: belgium },
  dev: { subAccount: projects.dev, region: belgium },
} as const;

/** A project and region of the Google sample. */
export type Place = (typeof places)[keyof typeof places];

/** A resource identified by its full name.
 *  @param path starting after the project, such as `zones/europe-west1-b/disks/x` */
export function fullResource(place: Place, service: string, path: string, type: string): Resource {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { id: `//${service}.googleapis.com/projects/${place.subAccount.id}/${path}`, name, type };
}

/** The Google services of the sample. */
export const services = {
  compute: { name: 'Compute Engine', category: 'Compute', subcategory: 'Virtual Machines', code: '6F81-5844-456A' },
  gke: { name: 'Kubernetes Engine', category: 'Compute', subcategory: 'Containers', code: 'CCD8-9BF1-090E' },
  run: { name: 'Cloud Run', category: 'Compute', subcategory: 'Serverless Compute', code: '152E-C115-5142' },
  bigQuery: { name: 'BigQuery', category: 'Analytics', subcategory: 'Data Warehouses', code: '24E6-581D-38E5' },
  storage: { name: 'Cloud Storage', category: 'Storage', subcategory: 'Object Storage', code: '95FF-2EF5-5EA1' },
  sql: { name: 'Cloud SQL', category: 'Databases', subcategory: 'Relational Databases', code: '9662-B51E-5089' },
  pubsub: { name: 'Cloud Pub/Sub', category: 'Integration', subcategory: 'Messaging', code: 'A1E8-BE35-7EBC' },
  vertex: {
    name: 'Vertex AI',
    category: 'AI and Machine Learning',
    subcategory: 'Machine Learning',
    code: 'C7E2-9256-1C43',
  },
  network: { name: 'Networking', category: 'Networking', subcategory: 'Network Connectivity', code: 'E505-1604-58F8' },
  logging: {
    name: 'Cloud Logging',
    category: 'Management and Governance',
    subcategory: 'Observability',
    code: '5490-F7B7-8DF6',
  },
  support: { name: 'Support', category: 'Other', subcategory: 'Other (Other)', code: '2062-016F-44A2' },
} as const satisfies Record<string, Service>;
