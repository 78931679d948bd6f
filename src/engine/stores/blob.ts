import { DefaultAzureCredential } from '@azure/identity';
import { ContainerClient, RestError, StorageSharedKeyCredential } from '@azure/storage-blob';
import { mapConcurrently } from '../../kit/process/limiter.ts';
import { type Bucket, MissingObject, withPrefix } from './bucket.ts';

/** Connection settings of an Azure Blob Storage container. */
interface BlobPlace {
  readonly account: string;
  readonly container: string;
  readonly prefix: string;
  /** Contains the placeholder `{account}` for the account name. */
  readonly endpoint: string;
  /** Microsoft Entra ID endpoint. */
  readonly authorityHost: string;
  /** Null: the default Azure credential. */
  readonly key: string | null;
}

const removalsAtOnce = 8;

/** A container of Azure Blob Storage. */
export function blobBucket({ account, container, prefix, endpoint, authorityHost, key }: BlobPlace): Bucket {
  const credential =
    key === null ? new DefaultAzureCredential({ authorityHost }) : new StorageSharedKeyCredential(account, key);
  const client = new ContainerClient(`${endpoint.replace('{account}', account)}/${container}`, credential, {
    retryOptions: { maxTries: 4, retryDelayInMs: 500, maxRetryDelayInMs: 8000 },
  });
  const blobOf = (name: string) => client.getBlockBlobClient(withPrefix(prefix, name));
  return {
    name: `Blob container "${container}" of "${account}"`,
    upload: async (name, file) => void (await blobOf(name).uploadFile(file)),
    async download(name, file) {
      try {
        await blobOf(name).downloadToFile(file);
      } catch (error) {
        if (error instanceof RestError && error.statusCode === 404) throw new MissingObject(name, { cause: error });
        throw error;
      }
    },
    remove: async (names) =>
      void (await mapConcurrently(names, removalsAtOnce, (name) => blobOf(name).deleteIfExists())),
    async *list() {
      const below = withPrefix(prefix, '');
      for await (const { name, properties } of client.listBlobsFlat({ prefix: below }))
        yield { key: name.slice(below.length), modifiedAt: properties.lastModified };
    },
  };
}
