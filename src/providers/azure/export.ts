import {
  ContainerClient,
  newPipeline,
  type RequestPolicyFactory,
  type StoragePipelineOptions,
  type WebResource,
} from '@azure/storage-blob';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import type { CostSource } from '../contract.ts';
import { checkStorage, type StoragePlace, storageSource } from '../focus/storage.ts';
import { planAzureExports } from '../layouts/azure-export.ts';
import type { ListedFile, ReadText } from '../layouts/listing.ts';
import type { CloudEndpoints } from '../spec.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { ServicePrincipal } from './sign-in.ts';

/** Returns the location of Cost Management exports: a folder of a container.
 *  @param prefix without leading or trailing slashes; '' for the whole container */
export function exportPlace(store: ObjectStore, prefix: string): StoragePlace {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  return { store, prefix: folder === '' ? '' : `${folder}/`, plan: (listing, read) => plan(store.name, listing, read) };
}

/** Reads the Cost Management exports in a container, by their manifests. Apart from sign-in, one listing detects changes. */
export function exportSource(place: StoragePlace): CostSource {
  return storageSource(place);
}

/** Checks whether the export can be listed and read, without reading its manifests: there may be hundreds.
 *  @throws as `CostSource.list` */
export async function checkExport(place: StoragePlace, signal: AbortSignal): Promise<void> {
  await checkStorage(place, signal);
  refuseWithoutManifest(place.store.name, await place.store.list(place.prefix, signal));
}

/** Plans a live container, which is written to while it is listed: files without a manifest yet come with a later sync, and
 *  files that no manifest names are not bills. */
async function plan(name: string, listing: readonly ListedFile[], readText: ReadText) {
  refuseWithoutManifest(name, listing);
  const { files, warnings, emptied } = await planAzureExports(listing, readText, 'wait');
  return { files: files.toSorted((a, b) => (a.key < b.key ? -1 : 1)), warnings, emptied };
}

function refuseWithoutManifest(name: string, listing: readonly ListedFile[]): void {
  if (listing.some(({ key }) => /(^|\/)manifest\.json$/i.test(key))) return;
  throw invalid`${arg('settings.prefix')} matches no manifest.json in ${name}${fix}correct the prefix, wait for the export's first run, or turn on its file partitioning`;
}

/** Returns a read-only client of one container: anything but GET and HEAD, or to another place, is rejected before the network.
 *  @param storageAccount lowercase letters and digits: it becomes part of the host name
 *  @throws {AppError} VALIDATION_ERROR when the name could lead elsewhere */
export function readOnlyContainer(
  principal: ServicePrincipal,
  endpoints: CloudEndpoints,
  { storageAccount, container }: { readonly storageAccount: string; readonly container: string },
): ContainerClient {
  if (!/^[a-z0-9]{3,24}$/.test(storageAccount))
    throw invalid`${arg('settings.storage_account')} must be the name of a storage account: 3 to 24 lowercase letters and digits`;
  if (!/^[a-z0-9$][a-z0-9-]{0,62}$/.test(container))
    throw invalid`${arg('settings.container')} must be the name of a container: lowercase letters, digits and hyphens`;
  const url = `${endpoints.azureBlobEndpoint.replace('{account}', storageAccount)}/${container}`;
  const options: StoragePipelineOptions & { redirectOptions: object } = {
    retryOptions: { maxTries: 4, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 },
    // A bearer token must not follow a redirect to another host.
    redirectOptions: { maxRetries: 0 },
    keepAliveOptions: { enable: true },
  };
  const pipeline = newPipeline(principal.credential, options);
  pipeline.factories.push(readOnly(url));
  return new ContainerClient(url, pipeline);
}

function readOnly(container: string): RequestPolicyFactory {
  const base = new URL(container);
  const check = (request: WebResource) => {
    const url = new URL(request.url);
    const isInside = url.origin === base.origin && `${url.pathname}/`.startsWith(`${base.pathname}/`);
    if ((request.method === 'GET' || request.method === 'HEAD') && isInside) return;
    throw invalid`Refused "${request.method} ${url.pathname}": Costkeep only reads its container`;
  };
  return {
    create: (next) => ({
      sendRequest(request) {
        check(request);
        return next.sendRequest(request);
      },
    }),
  };
}
