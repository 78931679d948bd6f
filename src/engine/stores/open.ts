import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlaceError, type Config } from '../../kit/config/config.ts';
import type { FactStore } from './fact-store.ts';
import type { Bucket } from './bucket.ts';
import { cachedStore } from './cached.ts';
import { folderStore } from './folder.ts';

type StoreConfig = Pick<Config, 'dataDir' | 'facts' | 'clouds' | 'connectorEnvironment'>;

const bytesPerMiB = 2 ** 20;

/** Opens the store of FACTS_URL and tests it: writes, reads and deletes a small object.
 *  @throws {PlaceError} when it cannot be reached or written to, with the reason */
export async function openFactStore(config: StoreConfig): Promise<FactStore> {
  const { place, cacheMiB } = config.facts;
  try {
    if (place.kind === 'folder') {
      await tryFolder(place.folder);
      return folderStore(place.folder);
    }
    const bucket = await openBucket(config);
    await tryBucket(bucket);
    return await cachedStore(bucket, path.join(config.dataDir, 'facts-cache'), cacheMiB * bytesPerMiB);
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new PlaceError([
      `FACTS_URL: ${JSON.stringify(urlOf(config))} cannot be used (${reason}); set it to an existing location in which the server can read, write and delete`,
    ]);
  }
}

function urlOf({ facts: { place } }: StoreConfig): string {
  if (place.kind === 'folder') return place.folder;
  const parts = place.kind === 's3' ? [place.bucket, place.prefix] : [place.account, place.container, place.prefix];
  return `${place.kind}://${parts.filter((part) => part !== '').join('/')}`;
}

/** Imports only the SDK that is needed. */
async function openBucket({ facts, clouds, connectorEnvironment }: StoreConfig): Promise<Bucket> {
  const { place, azureStorageKey } = facts;
  if (place.kind === 's3') {
    const { s3Bucket } = await import('./s3.ts');
    const region = connectorEnvironment['AWS_REGION'] ?? 'us-east-1';
    return s3Bucket({ ...place, endpoint: clouds.s3Endpoint, region });
  }
  if (place.kind === 'folder') throw new Error('a folder is not a bucket');
  const { blobBucket } = await import('./blob.ts');
  const { azureBlobEndpoint: endpoint, azureLoginEndpoint: authorityHost } = clouds;
  return blobBucket({ ...place, endpoint, authorityHost, key: azureStorageKey });
}

async function tryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `probe-${randomUUID()}`);
  await writeFile(file, file);
  await rm(file);
}

async function tryBucket(bucket: Bucket): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'costkeep-probe-'));
  const key = `probe-${randomUUID()}`;
  const [sent, received] = [path.join(folder, 'sent'), path.join(folder, 'received')];
  try {
    await writeFile(sent, key);
    await bucket.upload(key, sent);
    await bucket.download(key, received);
    await bucket.remove([key]);
    if ((await readFile(received, 'utf8')) !== key) throw new Error('it returns different content than was written');
  } finally {
    await rm(folder, { recursive: true });
  }
}
