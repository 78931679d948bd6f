import type { InventoryItem } from '../../contract.ts';
import { type GoogleFault, signInFault } from '../faults.ts';
import type { GoogleSession } from '../session.ts';

// Cloud Asset Inventory's search: names, locations and labels of resources, but none of their contents.
// https://cloud.google.com/asset-inventory/docs/reference/rest/v1/TopLevel/searchAllResources

/** Fields of each resource. Never add `versionedResources`, which is the whole configuration. */
const readMask = 'name,assetType,project,displayName,location,labels,tags,createTime,state';

/** Services whose resources are listed: service name in bills, by the host of a resource's type. */
const services: Readonly<Record<string, string>> = {
  aiplatform: 'Vertex AI',
  alloydb: 'AlloyDB',
  appengine: 'App Engine',
  artifactregistry: 'Artifact Registry',
  bigquery: 'BigQuery',
  bigtableadmin: 'Cloud Bigtable',
  cloudfunctions: 'Cloud Run Functions',
  cloudkms: 'Cloud Key Management Service (KMS)',
  composer: 'Cloud Composer',
  compute: 'Compute Engine',
  container: 'Kubernetes Engine',
  dataflow: 'Cloud Dataflow',
  dataproc: 'Cloud Dataproc',
  datafusion: 'Cloud Data Fusion',
  dns: 'Cloud DNS',
  file: 'Cloud Filestore',
  firestore: 'Cloud Firestore',
  logging: 'Cloud Logging',
  memcache: 'Cloud Memorystore for Memcached',
  netapp: 'NetApp Volumes',
  notebooks: 'Notebooks',
  pubsub: 'Cloud Pub/Sub',
  redis: 'Cloud Memorystore for Redis',
  run: 'Cloud Run',
  secretmanager: 'Secret Manager',
  spanner: 'Cloud Spanner',
  sqladmin: 'Cloud SQL',
  storage: 'Cloud Storage',
  tpu: 'Cloud TPU',
  vmwareengine: 'VMware Engine',
  vpcaccess: 'Networking',
  workstations: 'Cloud Workstations',
};

/** Types that are not independent resources, or change by the minute. */
const skipped =
  /\/(Route|Firewall|Subnetwork|Network|InstanceTemplate|Revision|Execution|Job|Task|SecretVersion|CryptoKeyVersion|DockerImage|Version|ModelEvaluation|Image|RegionOperation|Project|ServiceAttachment|TargetHttpProxy|UrlMap|HealthCheck|SslCertificate)$/;

/** A page of search results. */
export interface SearchPage {
  results?: SearchResult[];
  nextPageToken?: string;
}

export interface SearchResult {
  name?: string;
  assetType?: string;
  /** `projects/` and the project number. */
  project?: string;
  displayName?: string;
  location?: string;
  labels?: Record<string, string>;
  tags?: { tagKey?: string; tagValue?: string }[];
  createTime?: string;
  state?: string;
}

/** Returns the search URL of a scope.
 *  @param pageSize at most 500 */
export function searchUrl(scope: string, pageSize: number): URL {
  const url = new URL(`https://cloudasset.googleapis.com/v1/${scope}:searchAllResources`);
  url.searchParams.set('pageSize', String(pageSize));
  url.searchParams.set('readMask', readMask);
  for (const service of Object.keys(services)) url.searchParams.append('assetTypes', `${service}.googleapis.com.*`);
  return url;
}

/** Returns the inventory item of a search result; null if it is not kept. */
export function itemOf(result: SearchResult): InventoryItem | null {
  const { name = '', assetType = '', project = '', labels = {}, tags = [] } = result;
  const [host = ''] = assetType.split('.');
  const service = services[host];
  if (service === undefined || skipped.test(assetType) || !name.startsWith('//')) return null;
  return {
    provider: 'gcp',
    nativeId: name,
    aliases: aliasesOf(name, lastPartOf(project)),
    name: result.displayName || lastPartOf(name),
    resourceType: assetType,
    service,
    region: regionOf(result.location ?? ''),
    tags: { ...Object.fromEntries(tags.flatMap(tagOf)), ...labels },
    metadata: {
      ...(result.state && { state: result.state }),
      ...(result.createTime && { createdAt: result.createTime }),
    },
  };
}

/** Shortens full tag names, `123456789/env` and `123456789/env/prod`, as in bills. */
function tagOf({ tagKey, tagValue }: { tagKey?: string; tagValue?: string }): [string, string][] {
  return tagKey === undefined ? [] : [[lastPartOf(tagKey), lastPartOf(tagValue ?? '')]];
}

/** Returns other names of a resource in bills, which use the project number instead of the id.
 *  @param id numeric id of the resource, if any: bills use it instead of the name */
export function aliasesOf(name: string, projectNumber: string, id?: string): string[] {
  const numbered = /^\d+$/.test(projectNumber)
    ? name.replace(/\/projects\/[^/]+\//, `/projects/${projectNumber}/`)
    : name;
  const byId = (each: string) => (id === undefined ? [] : [`${each.slice(0, each.lastIndexOf('/') + 1)}${id}`]);
  const all = [...byId(name), numbered, ...byId(numbered)];
  return [...new Set(all)].filter((each) => each !== name);
}

/** Returns the region of a location; zones are `europe-west1-b`. */
export function regionOf(location: string): string {
  return location.toLowerCase().replace(/^([a-z]+-[a-z]+\d+)-[a-z]$/, '$1') || 'global';
}

/** Returns the type of a resource by its full name, as in Cloud Asset Inventory: `compute.googleapis.com/Disk` for
 *  `//compute.googleapis.com/projects/p/zones/z/disks/d`. Empty if the name does not contain it.
 *  https://cloud.google.com/asset-inventory/docs/resource-name-format */
export function resourceTypeOf(name: string): string {
  const [, host, path] = /^\/\/([a-z0-9.-]+\.googleapis\.com)\/(.+)$/.exec(name) ?? [];
  const collection = path?.split('/').at(-2) ?? (host === 'storage.googleapis.com' ? 'buckets' : undefined);
  if (host === undefined || collection === undefined || !/^[a-zA-Z]+$/.test(collection)) return '';
  const one = singular(collection);
  return `${host}/${one.charAt(0).toUpperCase()}${one.slice(1)}`;
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, '');
}

/** Returns the last part of a full name or URL. */
export function lastPartOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Returns a warning for a scope whose resources cannot be listed. */
export function deniedSearch(fault: GoogleFault, session: GoogleSession, scope: string): string {
  const known = signInFault(fault, session);
  if (known) return `No inventory of ${scope}: ${known.message}`;
  if (!fault.isDenied) return `No inventory of ${scope}: Cloud Asset Inventory rejected the request (${fault.message})`;
  return `No inventory of ${scope}: service account ${session.clientEmail} lacks cloudasset.assets.searchAllResources or serviceusage.services.use there. Grant it a custom role with the first, and roles/serviceusage.serviceUsageConsumer`;
}
