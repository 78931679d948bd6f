/** An allowed request to Google. */
interface Operation {
  readonly method: 'GET' | 'POST';
  /** Host without `.googleapis.com`. */
  readonly service: 'oauth2' | 'bigquery' | 'cloudasset' | 'compute';
  readonly path: RegExp;
  /** Required permissions: see `permissions.ts`. Signing in needs none. */
  readonly permissions: readonly string[];
}

const project = '[a-z0-9.:-]+';
const get = (service: Operation['service'], path: string, ...permissions: readonly string[]): Operation => ({
  method: 'GET',
  service,
  path: new RegExp(`^${path}$`),
  permissions,
});

const bigQuery = `/bigquery/v2/projects/${project}`;
const aggregated = ['instances', 'disks', 'addresses', 'commitments', 'reservations'];

/** All allowed requests to Google. */
export const allowedOperations: readonly Operation[] = [
  { ...get('oauth2', '/token'), method: 'POST' },
  get('bigquery', `${bigQuery}/datasets/\\w+/tables`, 'bigquery.tables.list'),
  get('bigquery', `${bigQuery}/datasets/\\w+/tables/[\\w-]+`, 'bigquery.tables.get'),
  // A query is a job; `assertReading` checks its content.
  { ...get('bigquery', `${bigQuery}/jobs`, 'bigquery.jobs.create', 'bigquery.tables.getData'), method: 'POST' },
  get('bigquery', `${bigQuery}/queries/[\\w-]+`, 'bigquery.jobs.create'),
  get(
    'cloudasset',
    `/v1/(projects|folders|organizations)/${project}:searchAllResources`,
    'cloudasset.assets.searchAllResources',
    'serviceusage.services.use',
  ),
  ...aggregated.map((kind) =>
    get('compute', `/compute/v1/projects/${project}/aggregated/${kind}`, `compute.${kind}.list`),
  ),
  get('compute', `/compute/v1/projects/${project}/global/snapshots`, 'compute.snapshots.list'),
];

/** Rejects a request before it reaches the network.
 *  @param url with Google's host, whatever endpoint replaces it
 *  @throws {Error} when it is not allowed */
export function assertAllowed(method: string, url: URL): void {
  const [, service] = /^([a-z0-9]+)\.googleapis\.com$/.exec(url.hostname) ?? [];
  const isAllowed =
    url.protocol === 'https:' &&
    url.port === '' &&
    allowedOperations.some(
      (each) => each.method === method && each.service === service && each.path.test(decodeURIComponent(url.pathname)),
    );
  if (!isAllowed)
    throw new Error(`Refused ${method} ${url.hostname}${url.pathname}: not on the list of allowed operations`);
}

const jobParts = new Set(['configuration', 'jobReference']);
const configurationParts = new Set(['query', 'jobTimeoutMs', 'dryRun', 'labels']);
const queryParts = new Set([
  'query',
  'useLegacySql',
  'parameterMode',
  'queryParameters',
  'maximumBytesBilled',
  'useQueryCache',
]);

/** Rejects any job other than one SELECT into its own temporary result, with a cost limit.
 *  @throws {Error} naming the forbidden part */
export function assertReading(job: unknown): void {
  const body = partsOf(job, jobParts);
  const configuration = partsOf(body['configuration'], configurationParts);
  const query = partsOf(configuration['query'], queryParts);
  const sql = String(query['query']);
  if (!/^(SELECT|WITH)\s/.test(sql) || sql.includes(';'))
    throw new Error('Refused a BigQuery job: it is not one SELECT statement');
  if (query['useLegacySql'] !== false) throw new Error('Refused a BigQuery job: it does not use GoogleSQL');
  if (!/^\d+$/.test(String(query['maximumBytesBilled'])))
    throw new Error('Refused a BigQuery job: maximumBytesBilled is not set');
}

function partsOf(value: unknown, known: ReadonlySet<string>): Record<string, unknown> {
  const parts: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  const other = Object.keys(parts).find((key) => !known.has(key));
  if (other !== undefined) throw new Error(`Refused a BigQuery job: it sets "${other}"`);
  return parts;
}
