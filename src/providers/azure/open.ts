import type { Connection } from '../contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { blobStore } from '../storage/blob-store.ts';
import { checkAzure } from './check.ts';
import { readOnlyContainer } from './container.ts';
import { exportPlace, exportSource } from './export.ts';
import { azureInventory } from './inventory/list.ts';
import { type QueryPlace, querySource } from './query/source.ts';
import { azureManagement } from './request.ts';
import { servicePrincipal } from './sign-in.ts';

type AzureSpec = Extract<ConnectionSpec, { readonly provider: 'azure' }>;

/** Opens Azure with a service principal: bills from the FOCUS export in a container, or, where none is named, from the Query
 *  API; resources, reservations and savings plans from Azure Resource Manager. Nothing is asked yet.
 *  @throws {AppError} VALIDATION_ERROR naming the setting that cannot be used */
export function openAzure(
  { credentials, settings }: AzureSpec,
  endpoints: CloudEndpoints,
  now: () => Date = () => new Date(),
): Connection {
  const principal = servicePrincipal(credentials, endpoints);
  const management = azureManagement(principal, endpoints);
  const inventory = azureInventory(management, settings.subscriptionIds);
  const { storageAccount, container } = settings;
  if (storageAccount === null || container === null) {
    const query: QueryPlace = { management, settings, now };
    return {
      costs: querySource(query),
      inventory,
      check: (signal) => checkAzure({ management, settings, bills: { query } }, signal),
    };
  }
  const names = { storageAccount, container };
  const place = exportPlace(blobStore(readOnlyContainer(principal, endpoints, names), names), settings.prefix);
  return {
    costs: exportSource(place),
    inventory,
    check: (signal) => checkAzure({ management, settings, bills: { export: place } }, signal),
  };
}
