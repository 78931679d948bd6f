import {
  ContainerClient,
  newPipeline,
  type RequestPolicyFactory,
  type StoragePipelineOptions,
  type WebResource,
} from '@azure/storage-blob';
import { arg, invalid } from '../../kit/errors.ts';
import type { CloudEndpoints } from '../spec.ts';
import type { ServicePrincipal } from './sign-in.ts';

/** A client of one container that can only read: what is neither GET nor HEAD, or goes elsewhere, is refused before the
 *  network.
 *  @param storageAccount of lower-case letters and digits: it becomes a part of the host's name
 *  @throws {AppError} VALIDATION_ERROR when the name could lead elsewhere */
export function readOnlyContainer(
  principal: ServicePrincipal,
  endpoints: CloudEndpoints,
  { storageAccount, container }: { readonly storageAccount: string; readonly container: string },
): ContainerClient {
  if (!/^[a-z0-9]{3,24}$/.test(storageAccount))
    throw invalid`${arg('settings.storage_account')} is the name of a storage account: 3 to 24 lower-case letters and digits`;
  if (!/^[a-z0-9$][a-z0-9-]{0,62}$/.test(container))
    throw invalid`${arg('settings.container')} is the name of a container: lower-case letters, digits and hyphens`;
  const url = `${endpoints.azureBlobEndpoint.replace('{account}', storageAccount)}/${container}`;
  const options: StoragePipelineOptions & { redirectOptions: object } = {
    retryOptions: { maxTries: 4, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 },
    // A bearer token must not follow a redirect to elsewhere.
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
    throw invalid`Blob Storage is not asked for "${request.method} ${url.pathname}": Costkeep only reads its container`;
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
