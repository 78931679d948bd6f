import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { allowedOperations } from '../../../src/providers/gcp/operations.ts';
import { gcpPermissions } from '../../../src/providers/gcp/permissions.ts';
import { listExports } from '../../../src/providers/gcp/bills/table.ts';
import { faultOf } from '../../../src/providers/gcp/faults.ts';
import { rowsOfQuery } from '../../../src/providers/gcp/query.ts';
import { type GoogleSession, openSession } from '../../../src/providers/gcp/session.ts';
import type { GcpSettings } from '../../../src/providers/spec.ts';
import { refusal, type GoogleAnswer } from '../../support/clouds/google/call.ts';
import { detailedFields } from '../../support/clouds/google/tables.ts';
import { aGoogleCloud, aLine, detailedTable, signal, type GoogleWorld } from './world.ts';

const account = 'costkeep@billing-123.iam.gserviceaccount.com';

async function aCloudWithExport(): Promise<GoogleWorld> {
  const world = await aGoogleCloud();
  await world.google.bigQuery.put({
    name: detailedTable,
    fields: detailedFields,
    rows: [aLine()],
    isPartitioned: true,
  });
  return world;
}

async function refusedBy(world: GoogleWorld, settings: Partial<GcpSettings> = {}): Promise<string> {
  const connection = await world.connect(settings);
  const error: unknown = await connection.check(signal).catch((each: unknown) => each);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
  return error instanceof Error ? error.message : '';
}

it('checks without a query, returns the billing account, and warns about missing inventory permissions', async () => {
  const world = await aCloudWithExport();
  const connection = await world.connect({ scopes: ['projects/shop-prod'] });
  expect(await connection.check(signal)).toEqual({ externalId: '010101-F0FFF0-61C528', warnings: [] });
  expect(world.google.bigQuery.queries).toEqual([]);
  const bare = await world.connect();
  expect((await bare.check(signal)).warnings).toEqual([
    'No inventory: settings.scopes names no project, folder or organization',
  ]);
  world.google.denied.add('cloudasset.assets.searchAllResources');
  const { warnings } = await connection.check(signal);
  expect(warnings).toEqual([
    `No inventory of projects/shop-prod: service account ${account} lacks cloudasset.assets.searchAllResources or serviceusage.services.use there. Grant it a custom role with the first, and roles/serviceusage.serviceUsageConsumer`,
  ]);
});

it('names the one problem: permission, dataset, table, location or key', async () => {
  const world = await aCloudWithExport();
  const { denied } = world.google;
  for (const [permission, role, where] of [
    ['bigquery.tables.list', 'roles/bigquery.dataViewer', 'dataset billing-123.billing'],
    ['bigquery.tables.get', 'roles/bigquery.dataViewer', 'dataset billing-123.billing'],
    ['bigquery.tables.getData', 'roles/bigquery.dataViewer', 'dataset billing-123.billing'],
    ['bigquery.jobs.create', 'roles/bigquery.jobUser', 'project billing-123'],
  ] as const) {
    denied.add(permission);
    expect(await refusedBy(world)).toContain(`it lacks ${permission}. Grant it ${role} on ${where}`);
    denied.clear();
  }
  expect(await refusedBy(world, { dataset: 'bills' })).toContain(
    'BigQuery has no dataset billing-123.bills in location EU',
  );
  expect(await refusedBy(world, { table: 'gone' })).toContain(
    'BigQuery has no table billing-123.billing.gone in location EU',
  );
  expect(await refusedBy(world, { location: 'US' })).toBe(
    'settings.location "US" is not the location of dataset billing-123.billing, which is in EU: BigQuery reads it only from there',
  );
  const other = detailedTable.replace('010101', '020202');
  await world.google.bigQuery.put({ name: other, fields: detailedFields, rows: [] });
  expect(await refusedBy(world)).toContain('has exports of several billing accounts; set it to one of');
  await world.google.bigQuery.put({
    name: 'billing-123.other.sales',
    fields: [{ name: 'x', type: 'STRING' }],
    rows: [],
  });
  expect(await refusedBy(world, { dataset: 'other' })).toContain(
    'settings.dataset names BigQuery dataset billing-123.other, which has no billing export',
  );
  expect(await refusedBy(world, { dataset: 'other', table: 'sales' })).toContain('is not a Cloud Billing export');
});

it('distinguishes a rejected key from a wrong clock, without revealing the key', async () => {
  const world = await aCloudWithExport();
  const stranger = world.google.tokens.account('stranger');
  const mixed = { ...world.credentials, privateKey: stranger.privateKey };
  const connection = await world.connect({}, mixed);
  const error: unknown = await connection.check(signal).catch((each: unknown) => each);
  expect(error).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: `credentials have a key of service account ${account} that Google rejects (invalid_grant: Invalid JWT Signature.); check that the account exists and is enabled, create a new key, and replace the credentials`,
  });
  const shown = inspect(error, { depth: 20, showHidden: true });
  expect(shown).not.toContain('PRIVATE KEY');
  expect(shown).not.toContain('assertion');
  expect(shown).not.toContain('ya29');
  const skewed: GoogleAnswer = {
    status: 400,
    json: { error: 'invalid_grant', error_description: 'Invalid JWT: Check your iat and exp values in the JWT claim.' },
  };
  world.google.failNext(/^\/token$/, { status: 404, json: '<html>hunter2</html>' });
  expect(await refusedBy(world)).toMatch(/^Google returned no token for service account \S+ \(status 404, [^<]*$/);
  world.google.failNext(/^\/token$/, skewed);
  expect(await refusedBy(world)).toContain('Google rejects the time of the server');
});

it('requests a new token when one expires in the middle', async () => {
  const world = await aCloudWithExport();
  const connection = await world.connect();
  await connection.costs.list(null, signal);
  world.google.tokens.revoke();
  world.google.asked();
  const [row] = await world.rowsOf(connection, '2026-05');
  expect(row).toMatchObject({ BilledCost: '1' });
  expect(world.google.asked().filter((each) => each === 'POST /token')).toHaveLength(1);
});

it('retries throttling and Google errors, but postpones long waits and repeated failures', async () => {
  const world = await aCloudWithExport();
  const connection = await world.connect();
  const slow = refusal(403, 'rateLimitExceeded', 'Exceeded rate limits', { 'retry-after': '0' });
  world.google.failNext(/\/tables\//, slow);
  world.google.failNext(/\/jobs$/, refusal(503, 'backendError', 'Try again'));
  world.google.failNext(/\/queries\//, 'cut');
  await expect(connection.costs.list(null, signal)).resolves.toMatchObject({ files: [{ month: '2026-05' }] });
  world.google.failNext(/\/tables/, refusal(429, 'rateLimitExceeded', 'Later', { 'retry-after': '3600' }));
  await expect(connection.costs.list(null, signal)).rejects.toMatchObject({
    name: 'TryLater',
    message: 'Google Cloud limits the request rate (429 rateLimitExceeded)',
    retryAfterMs: 3_600_000,
  });
});

it('postpones a sync when Google does not respond in time', () => {
  const timedOut = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  expect(faultOf(timedOut, 0)).toMatchObject({
    name: 'TryLater',
    message: 'Google Cloud cannot be reached (TimeoutError)',
  });
});

it('does not follow redirects when it signs in', async () => {
  const world = await aCloudWithExport();
  const elsewhere = await aGoogleCloud();
  const location = `${elsewhere.google.url}/token`;
  world.google.failNext(/^\/token$/, { status: 307, headers: { location }, json: {} });
  const connection = await world.connect();
  await expect(connection.check(signal)).rejects.toThrow(/^uri requested responds with a redirect/);
  expect(elsewhere.google.log).toEqual([]);
});

it('rejects endless paging of lists and query results', async () => {
  let page = 0;
  const next = () => ({ pageToken: String(page++) });
  const session = { use: async () => (page === 0 ? [{ id: 'job', ...next() }] : [[], next()]) };
  const endless = session as unknown as GoogleSession;
  const query = { sql: 'SELECT 1', params: {}, location: 'EU' };
  await expect(rowsOfQuery(endless, query, signal)).rejects.toThrow(
    'BigQuery did not complete the result of a query (endless paging)',
  );
  await expect(listExports(endless, { project: 'p', dataset: 'd' }, signal)).rejects.toThrow(
    'BigQuery returned pages of the tables of dataset p.d without end (endless paging)',
  );
});

it('reports a query rejected by BigQuery because it would read too much', async () => {
  const world = await aCloudWithExport();
  const refused = refusal(400, 'bytesBilledLimitExceeded', 'Query exceeded limit for bytes billed: 536870912000.');
  world.google.failNext(/\/jobs$/, refused);
  await expect((await world.connect()).costs.list(null, signal)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('BigQuery would read more than 500 GiB for one query'),
  });
  await world.rowsOf(await world.connect(), '2026-05');
  for (const { body } of world.google.log.filter(({ path }) => path.endsWith('/jobs')))
    expect(body).toMatchObject({ configuration: { query: { maximumBytesBilled: '536870912000' } } });
});

it('stops waiting as soon as a sync is cancelled', async () => {
  const world = await aCloudWithExport();
  const connection = await world.connect();
  world.google.failNext(/\/tables/, 'hang');
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  await expect(connection.costs.list(null, controller.signal)).rejects.toThrow(/abort/i);
});

it('rejects operations that are not on the list before the network', async () => {
  const world = await aCloudWithExport();
  const session = openSession(world.credentials, 'billing-123', world.google.url);
  const refused = (work: Parameters<typeof session.use>[1]) =>
    expect(session.use(signal, work)).rejects.toThrow(/^Refused /);
  const sql = { maximumBytesBilled: '1000', location: 'EU' };
  await refused(({ bigquery }) => bigquery.dataset('billing').delete({ force: true }));
  await refused(({ bigquery }) =>
    bigquery
      .dataset('billing')
      .table('t')
      .insert([{ a: 1 }]),
  );
  await refused(({ bigquery }) => bigquery.createDataset('mine'));
  await refused(({ bigquery }) => bigquery.createQueryJob({ ...sql, query: 'DELETE FROM billing.t WHERE true' }));
  await refused(({ bigquery }) => bigquery.createQueryJob({ ...sql, query: 'SELECT 1; DROP TABLE billing.t' }));
  await refused(({ bigquery }) => bigquery.createQueryJob({ query: 'SELECT 1', location: 'EU' }));
  const destination = (table: string) => ({ ...sql, query: 'SELECT 1', writeDisposition: 'WRITE_TRUNCATE', table });
  await refused(({ bigquery }) => bigquery.createQueryJob(destination('t')));
  await refused(({ bigquery }) => bigquery.dataset('billing').table('t').getRows());
  for (const [method, url] of [
    ['POST', 'https://compute.googleapis.com/compute/v1/projects/shop/zones/z/instances/i/stop'],
    ['DELETE', 'https://compute.googleapis.com/compute/v1/projects/shop/zones/z/disks/d'],
    ['GET', 'https://secretmanager.googleapis.com/v1/projects/shop/secrets/s/versions/latest:access'],
    ['GET', 'https://storage.googleapis.com/storage/v1/b/bucket/o/object'],
    ['GET', 'http://169.254.169.254/computeMetadata/v1/instance/service-accounts/default/token'],
    ['POST', 'https://cloudasset.googleapis.com/v1/projects/shop-prod:exportAssets'],
  ] as const)
    await refused(({ jwt }) => jwt.request({ url, method }));
  expect(world.google.log.filter(({ path }) => path !== '/token')).toEqual([]);
});

it('requests exactly the permissions that its operations need', () => {
  const asked = new Set(gcpPermissions.map(({ permission }) => permission));
  const taken = new Set(allowedOperations.flatMap(({ permissions }) => permissions));
  expect(taken).toEqual(asked);
  for (const permission of taken) expect(permission).toMatch(/\.(get|list|getData|create|searchAllResources|use)$/);
  expect([...taken].filter((each) => each.endsWith('.create'))).toEqual(['bigquery.jobs.create']);
});

it('rejects names that could change a query or a path when the connection is opened', async () => {
  const world = await aGoogleCloud();
  for (const settings of [
    { dataset: 'billing`; DROP' },
    { dataset: '../x' },
    { table: 'a`b' },
    { billingProject: 'p/../../q' },
    { location: 'EU&x=1' },
    { scopes: ['projects/../organizations/1'] },
  ])
    await expect(world.connect(settings)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
