import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { performSync } from '../../../src/ingest/sync/perform.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { orgScope, type OrgScope } from '../../../src/tenancy/auth/scope.ts';
import { startAzurite } from '../../support/clouds/azure/azurite.ts';
import { caPath } from '../../support/clouds/azure/certificates.ts';
import { startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../support/clouds/faulty.ts';
import { refuseWrites, startS3 } from '../../support/clouds/s3.ts';
import { aLine, csvOf } from '../../support/focus.ts';
import { worldOfFile } from '../../support/world.ts';
import type { AccountBody } from '../accounts/world.ts';
import { monthsOf } from '../world.ts';

// Each fault hits a delivery that costs one dollar more than the last one, through the real sync with its processes:
// either the new delivery is loaded, or the last good one stays and the account shows the error.

const [s3, azurite, azure] = await Promise.all([startS3(), startAzurite(), startFakeAzure()]);
const blobs = await startFaultyProxy(new URL(azurite.endpoint).origin);
const anyKey = Buffer.alloc(32).toString('base64');
const clouds = {
  ...readConfig({ JWT_KEY: anyKey, ENCRYPTION_KEY: anyKey }).clouds,
  s3Endpoint: s3.url,
  azureLoginEndpoint: azure.url,
  azureBlobEndpoint: `${blobs.url}/{account}`,
};
const world = worldOfFile({
  config: { clouds, connectorEnvironment: { NODE_EXTRA_CA_CERTS: caPath }, syncCron: null },
});
afterAll(() => Promise.all([s3.stop(), azurite.stop(), azure.stop(), blobs.stop()]));

let token = '';
let scope: OrgScope;

beforeAll(async () => {
  ({ token } = await world().register());
  const { id } = await world().deps.db.organization.findFirstOrThrow();
  scope = orgScope(id, null);
});
beforeEach(() => {
  s3.proxy.heal();
  blobs.heal();
});

/** A delivery for May: a gzip file long enough to be truncated. */
function delivery(cost: number): Uint8Array {
  const lines = Array.from({ length: 200 }, (_, at) =>
    aLine({ day: '2026-05-03', cost: at === 0 ? String(cost) : '0', ResourceId: `vm-${at}-${Math.random()}` }),
  );
  return gzipSync(csvOf(lines));
}

async function connect(source: object): Promise<string> {
  const body = { name: 'Bills', provider: 'focus', ...source };
  const answer = await world().rest<AccountBody>('POST', '/accounts', { token, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.id;
}

interface Stand {
  readonly status: string;
  readonly error: string;
  /** Billed cost of May. */
  readonly cost: string | undefined;
}

/** Syncs an account to the end and returns its state. */
async function sync(accountId: string): Promise<Stand> {
  const { deps } = world();
  await deps.db.accountSync.updateMany({ where: { accountId }, data: { status: 'queued', cancelRequested: false } });
  await performSync(deps, scope, accountId, new AbortController().signal);
  const { body } = await world().rest<AccountBody>('GET', `/accounts/${accountId}`, { token });
  return { status: body.sync_status, error: body.last_sync_error ?? '', cost: await costOf(accountId) };
}

async function costOf(accountId: string): Promise<string | undefined> {
  return (await monthsOf({ deps: world().deps, accountId }))['2026-05'];
}

/** A fault, the requests that it affects, and how often. */
type Trouble = readonly [when: RegExp, fault: Fault, times?: number];

function meet(proxy: FaultyProxy, troubles: readonly Trouble[]): void {
  for (const [when, fault, times] of troubles) proxy.fail(when, fault, times);
}

const s3Error = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers,
  body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const blobError = (status: number, code: string, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'x-ms-error-code': code, 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
});
const list = /list-type=2|comp=list/;
const object = /05\.csv\.gz/;

describe('bucket', () => {
  let id = '';
  let cost = 1;
  const deliver = (content = delivery(++cost)): Promise<void> => s3.put('bills', 'may/05.csv.gz', content);

  beforeAll(async () => {
    await s3.put('bills', 'may/05.csv.gz', delivery(cost));
    const credentials = {
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'x'.repeat(40),
      session_token: 'token',
    };
    id = await connect({ credentials, settings: { bucket: 'bills', prefix: 'may' } });
    await sync(id);
  });

  it('is read despite transient errors', async () => {
    await deliver();
    meet(s3.proxy, [
      [list, s3Error(503, 'SlowDown', { 'retry-after': '1' }), 1],
      [list, s3Error(403, 'RequestTimeTooSkewed', { date: new Date(Date.now() - 3_600_000).toUTCString() }), 1],
      [object, s3Error(503, 'SlowDown'), 1],
      [object, s3Error(500, 'InternalError'), 1],
      [object, { kind: 'cut', after: 700 }, 2],
    ]);
    expect(await sync(id)).toEqual({ status: 'succeeded', error: '', cost: String(cost) });
    refuseWrites(s3.proxy.log);
  });

  it.each<[string, Trouble, Pick<Stand, 'status'> & { error: RegExp }]>([
    [
      'denies listing',
      [list, s3Error(403, 'AccessDenied')],
      { status: 'failed', error: /permission s3:ListBucket is missing/ },
    ],
    [
      'denies reading',
      [object, s3Error(403, 'AccessDenied')],
      { status: 'failed', error: /permission s3:GetObject is missing for "may\/05\.csv\.gz"/ },
    ],
    [
      'requests a long wait',
      [list, s3Error(503, 'SlowDown', { 'retry-after': '1800' })],
      { status: 'queued', error: /limits the request rate.*retried at/ },
    ],
    [
      'sends less than listed',
      [object, { kind: 'shorten', to: 500 }],
      { status: 'failed', error: /unlike its listing/ },
    ],
    [
      'changes while it is read',
      [object, { kind: 'before', run: () => deliver() }, 1],
      { status: 'failed', error: /changed while it was being read; sync again/ },
    ],
    [
      'rejects an expired session',
      [object, s3Error(400, 'ExpiredToken')],
      { status: 'failed', error: /session_token has expired/ },
    ],
    ['reports a clock error', [list, s3Error(403, 'RequestTimeTooSkewed')], { status: 'failed', error: /clock/ }],
    ['has endless pages', [list, { kind: 'rewrite', body: endless }], { status: 'failed', error: /endless paging/ }],
  ])('that %s keeps the last good load and says why', async (_what, trouble, expected) => {
    const before = await costOf(id);
    await deliver();
    meet(s3.proxy, [trouble]);
    const { error, ...stand } = expected;
    expect(await sync(id)).toEqual({ ...stand, error: expect.stringMatching(error), cost: before });
    refuseWrites(s3.proxy.log);
  });

  it('with half a file keeps the last good load and names the file, then loads the whole file', async () => {
    s3.proxy.heal();
    const before = await costOf(id);
    await deliver(delivery(99).subarray(0, 1_000));
    expect(await sync(id)).toEqual({ status: 'failed', error: expect.stringContaining('05.csv.gz'), cost: before });
    await deliver();
    expect(await sync(id)).toEqual({ status: 'succeeded', error: '', cost: String(cost) });
  });
});

function endless(body: string): string {
  const more = '<NextContinuationToken>same</NextContinuationToken></ListBucketResult>';
  return body.replace(/<IsTruncated>\w+</, '<IsTruncated>true<').replace('</ListBucketResult>', more);
}

describe('Blob container', () => {
  let id = '';
  let cost = 1;
  const deliver = async (): Promise<void> => {
    const container = await azurite.container('bills');
    await container.getBlockBlobClient('may/05.csv.gz').uploadData(delivery(++cost));
  };

  beforeAll(async () => {
    await deliver();
    const { tenantId: tenant_id, clientId: client_id, clientSecret: client_secret } = azure;
    const settings = { storage_account: azurite.account, container: 'bills', prefix: 'may' };
    id = await connect({ credentials: { tenant_id, client_id, client_secret }, settings });
    await sync(id);
  });

  it('is read despite transient errors', async () => {
    await deliver();
    const challenge = `Bearer authorization_uri=${azure.url}/${azure.tenantId}/oauth2/authorize resource_id=https://storage.azure.com`;
    meet(blobs, [
      [list, blobError(401, 'InvalidAuthenticationInfo', { 'www-authenticate': challenge }), 1],
      [list, blobError(503, 'ServerBusy', { 'retry-after': '1' }), 1],
      [object, blobError(500, 'InternalError'), 1],
      [object, { kind: 'cut', after: 700 }, 2],
    ]);
    expect(await sync(id)).toEqual({ status: 'succeeded', error: '', cost: String(cost) });
    refuseWrites(blobs.log);
  });

  it.each<[string, Trouble, RegExp]>([
    [
      'denies reading',
      [object, blobError(403, 'AuthorizationPermissionMismatch')],
      /Role "Storage Blob Data Reader" is missing/,
    ],
    [
      'changes while it is read',
      [object, { kind: 'before', run: deliver }, 1],
      /changed while it was being read; sync again/,
    ],
  ])('that %s keeps the last good load and says why', async (_what, trouble, error) => {
    const before = await costOf(id);
    await deliver();
    meet(blobs, [trouble]);
    expect(await sync(id)).toEqual({ status: 'failed', error: expect.stringMatching(error), cost: before });
    refuseWrites(blobs.log);
  });
});
