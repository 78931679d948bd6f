import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ContainerClient } from '@azure/storage-blob';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../../src/kit/config/config.ts';
import { readOnlyContainer } from '../../../src/providers/azure/export.ts';
import { servicePrincipal } from '../../../src/providers/azure/sign-in.ts';
import { openFocusStorage } from '../../../src/providers/focus/open.ts';
import type { ListedFile } from '../../../src/providers/layouts/listing.ts';
import { blobStore } from '../../../src/providers/storage/blob-store.ts';
import type { ObjectStore } from '../../../src/providers/storage/object-store.ts';
import { type Azurite, startAzurite } from '../../support/clouds/azure/azurite.ts';
import { type FakeAzure, startFakeAzure } from '../../support/clouds/azure/cloud.ts';
import { type FaultyProxy, startFaultyProxy } from '../../support/clouds/faulty.ts';
import { refuseWrites } from '../../support/clouds/s3.ts';

const signal = new AbortController().signal;
let azurite: Azurite;
let azure: FakeAzure;
let proxy: FaultyProxy;
let bills: ContainerClient;
let folder = '';

beforeAll(async () => {
  [azurite, azure] = await Promise.all([startAzurite(), startFakeAzure()]);
  proxy = await startFaultyProxy(new URL(azurite.endpoint).origin);
  bills = await azurite.container('bills');
  await put('a/b.csv', 'some bytes');
});
afterAll(() => Promise.all([azurite.stop(), azure.stop(), proxy.stop()]));
beforeEach(async () => {
  proxy.heal();
  folder = await mkdtemp(path.join(tmpdir(), 'costkeep-blob-'));
});
afterEach(async () => {
  refuseWrites(proxy.log);
  await rm(folder, { recursive: true });
});

async function put(key: string, content: string | Buffer, contentEncoding?: string): Promise<void> {
  const blobHTTPHeaders = contentEncoding ? { blobContentEncoding: contentEncoding } : {};
  await bills.getBlockBlobClient(key).uploadData(Buffer.from(content), { blobHTTPHeaders });
}

function endpoints() {
  const clouds = readConfig({ DATA_DIR: folder }).clouds;
  return { ...clouds, azureLoginEndpoint: azure.url, azureBlobEndpoint: `${proxy.url}/{account}` };
}

function storeOf(container: string): ObjectStore {
  const names = { storageAccount: azurite.account, container };
  return blobStore(readOnlyContainer(servicePrincipal(azure, endpoints()), endpoints(), names), names);
}

async function only(key: string): Promise<ListedFile> {
  const found = (await storeOf('bills').list(key, signal)).find((file) => file.key === key);
  if (!found) throw new Error(`${key} is not there`);
  return found;
}

async function downloaded(file: ListedFile): Promise<Buffer> {
  const target = path.join(folder, 'file');
  await rm(target, { force: true });
  await storeOf('bills').download(file, target, signal);
  return readFile(target);
}

const refused = (message: RegExp): object => ({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });
const later = (message: RegExp): object => ({ name: 'TryLater', message: expect.stringMatching(message) });
const failure = (status: number, code: string, headers: Record<string, string> = {}) =>
  ({
    kind: 'answer',
    status,
    headers: { 'x-ms-error-code': code, 'content-type': 'application/xml', ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`,
  }) as const;

describe('listing', () => {
  it('contains the blobs of the prefix, ordered', async () => {
    await put('p/2.csv', 'xy');
    await put('p/1.csv', 'x');
    const files = await storeOf('bills').list('p/', signal);
    expect(files).toMatchObject([
      { key: 'p/1.csv', sizeBytes: 1 },
      { key: 'p/2.csv', sizeBytes: 2 },
    ]);
    expect(files[0]?.token).toMatch(/^0x[0-9A-F]+$/);
    expect(files[0]?.modifiedAt).toBeInstanceOf(Date);
    expect(proxy.log).toHaveLength(1);
  });

  it.each(['<html><body>Sign in to the network</body></html>', 'offline'])(
    'is postponed if a proxy returns %j',
    async (body) => {
      proxy.fail(/comp=list/, { kind: 'answer', status: 200, body });
      await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(
        later(/^Blob container "bills" of .* returned an unreadable response$/),
      );
    },
  );

  it.each(['many', '-5', '1e30'])('accepts no content of a blob whose size is "%s"', async (size) => {
    const body = (listing: string) => listing.replace(/<Content-Length>\d+/g, `<Content-Length>${size}`);
    proxy.fail(/comp=list/, { kind: 'rewrite', body });
    const file = await only('a/b.csv');
    await expect(downloaded(file)).rejects.toMatchObject(refused(/^Blob "a\/b\.csv" of .* returned 10 /));
  });

  it('is rejected if its pages repeat', async () => {
    const again = (body: string): string =>
      body.replace(/<NextMarker ?\/>|<NextMarker>.*<\/NextMarker>/, '<NextMarker>same</NextMarker>');
    proxy.fail(/comp=list/, { kind: 'rewrite', body: again });
    await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(refused(/endless paging/));
    expect(proxy.log).toHaveLength(2);
  });
});

describe('blob', () => {
  it('is downloaded as stored, despite its content encoding', async () => {
    const content = gzipSync('a,b\n1,2\n');
    await put('z.csv.gz', content, 'gzip');
    expect((await downloaded(await only('z.csv.gz'))).equals(content)).toBe(true);
  });

  it('can be empty', async () => {
    await put('none.csv', '');
    expect(await downloaded(await only('none.csv'))).toHaveLength(0);
  });

  it('is resumed where a transfer was interrupted', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    await put('cut.csv', content);
    const file = await only('cut.csv');
    proxy.heal();
    proxy.fail(/cut\.csv/, { kind: 'cut', after: 100_000 }, 2);
    expect((await downloaded(file)).equals(content)).toBe(true);
    expect(proxy.log).toHaveLength(3);
  });

  it('is rejected if it changed since the listing, at the start or in the middle', async () => {
    await put('moving.csv', 'first version');
    const file = await only('moving.csv');
    proxy.fail(/moving/, { kind: 'cut', after: 5 }, 1);
    proxy.fail(/moving/, { kind: 'before', run: () => put('moving.csv', 'other version') }, 1);
    await expect(downloaded(file)).rejects.toMatchObject(
      refused(/"moving\.csv".* differs from the listed one: it changed/),
    );
    await expect(downloaded(file)).rejects.toMatchObject(refused(/differs from the listed one/));
    await bills.deleteBlob('moving.csv');
    await expect(downloaded(file)).rejects.toMatchObject(refused(/no longer exists|differs from/));
  });

  it('is rejected if its length differs from the listing', async () => {
    const file = await only('a/b.csv');
    proxy.fail(/b\.csv/, { kind: 'shorten', to: 4 });
    await expect(downloaded(file)).rejects.toMatchObject(
      refused(/returned 4 bytes from byte 0 on, unlike its listing/),
    );
  });

  it('can be read as text, and probed', async () => {
    const file = await only('a/b.csv');
    expect(await storeOf('bills').readText(file, signal)).toBe('some bytes');
    await storeOf('bills').probe(file, signal);
  });
});

describe('error', () => {
  it('names a missing container', async () => {
    await expect(storeOf('nowhere').list('', signal)).rejects.toMatchObject(
      refused(/^settings\.container "nowhere" does not exist in storage account "devaccount"; correct it/),
    );
  });

  it.each([
    ['AuthorizationPermissionMismatch', 403, /Role "Storage Blob Data Reader" is missing on container "bills"/],
    ['AuthorizationFailure', 403, /network settings/],
    ['InvalidAuthenticationInfo', 401, /credentials\.tenant_id/],
    ['AuthenticationFailed', 403, /credentials\.tenant_id/],
    ['AccountIsDisabled', 403, /is disabled/],
  ])('explains what a listing lacks: %s', async (code, status, message) => {
    proxy.fail(/./, failure(status, code));
    await expect(storeOf('bills').list('', signal)).rejects.toMatchObject(refused(message));
  });

  it.each([
    ['AuthorizationPermissionMismatch', 403, /Role "Storage Blob Data Reader" is missing/],
    ['BlobArchived', 409, /is archived/],
  ])('explains what a blob lacks: %s', async (code, status, message) => {
    const file = await only('a/b.csv');
    proxy.fail(/b\.csv/, failure(status, code));
    await expect(storeOf('bills').probe(file, signal)).rejects.toMatchObject(refused(message));
  });

  it('names an unknown storage account', async () => {
    const names = { storageAccount: 'nobody', container: 'bills' };
    const nowhere = { ...endpoints(), azureBlobEndpoint: 'https://{account}.blob.invalid' };
    const store = blobStore(readOnlyContainer(servicePrincipal(azure, endpoints()), nowhere, names), names);
    await expect(store.list('', signal)).rejects.toMatchObject(
      refused(/^settings\.storage_account "nobody" does not exist/),
    );
  }, 20_000);
});

describe('busy store', () => {
  it('is retried', async () => {
    proxy.fail(/./, failure(503, 'ServerBusy', { 'retry-after': '1' }), 1);
    expect(await storeOf('bills').list('a/', signal)).toHaveLength(1);
  });

  it('is postponed if it does not respond', async () => {
    await storeOf('bills').list('a/', signal);
    proxy.heal();
    proxy.fail(/./, { kind: 'hang' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = storeOf('bills')
      .list('', signal)
      .catch((reason: unknown) => reason);
    while (proxy.log.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(200_000);
    expect(await outcome).toMatchObject(later(/./));
  });

  it('is postponed if it requests a long wait', async () => {
    proxy.fail(/./, failure(503, 'ServerBusy', { 'retry-after': '60' }));
    const listing = storeOf('bills').list('', signal);
    await expect(listing).rejects.toMatchObject({ name: 'TryLater', retryAfterMs: 60_000 });
  }, 20_000);
});

it('keeps the token out of errors', async () => {
  proxy.fail(/./, failure(403, 'AuthorizationPermissionMismatch'));
  const error: unknown = await storeOf('bills')
    .list('', signal)
    .catch((reason: unknown) => reason);
  const { inspect } = await import('node:util');
  expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/authorization|bearer/i);
});

it('finds and checks FOCUS files in a container', async () => {
  await put('focus/05.csv', 'x');
  const { tenantId, clientId, clientSecret } = azure;
  const settings = { storageAccount: azurite.account, container: 'bills', prefix: 'focus' };
  const connection = await openFocusStorage(
    { provider: 'focus', credentials: { tenantId, clientId, clientSecret }, settings, trustExternalId: 'x' },
    endpoints(),
  );
  expect(await connection.check(signal)).toEqual({ externalId: `${proxy.url}/devaccount/bills/focus`, warnings: [] });
  expect((await connection.costs.list(null, signal)).files).toMatchObject([{ key: '05.csv', format: 'csv' }]);
});
