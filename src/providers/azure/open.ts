import type { AccessCheck, Connection } from '../contract.ts';
import type { StoragePlace } from '../focus/storage.ts';
import type { AzureSettings, CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { blobStore } from '../storage/blob-store.ts';
import { checkExport, exportPlace, exportSource, readOnlyContainer } from './export.ts';
import { azureIdentity } from './input.ts';
import { reservations, savingsPlans } from './inventory/commitments.ts';
import { azureInventory } from './inventory/list.ts';
import { probeGraph } from './inventory/resource-graph.ts';
import { probeQuery, type QueryPlace, querySource } from './query/source.ts';
import { azureManagement, type AzureManagement, isDenied, subscriptionNames } from './request.ts';
import { servicePrincipal } from './sign-in.ts';

type AzureSpec = Extract<ConnectionSpec, { readonly provider: 'azure' }>;

/** Opens Azure with a service principal: bills from the FOCUS export in a container or, without one, from the Query API;
 *  resources, reservations and savings plans from Azure Resource Manager. Sends no request yet.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting */
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

/** Parameters of an access check. */
interface AzureAccess {
  readonly management: AzureManagement;
  readonly settings: AzureSettings;
  /** Source of the bills. */
  readonly bills: { readonly export: StoragePlace } | { readonly query: QueryPlace };
}

/** Checks whether the bills can be read, and what the inventory will lack.
 *  @throws {AppError} VALIDATION_ERROR naming field, container, or role and scope; {TryLater} */
async function checkAzure({ management, settings, bills }: AzureAccess, signal: AbortSignal): Promise<AccessCheck> {
  if ('export' in bills) await checkExport(bills.export, signal);
  else await probeQuery(bills.query, signal);
  return { externalId: azureIdentity(settings), warnings: await inventoryWarnings(management, settings, signal) };
}

async function inventoryWarnings(
  management: AzureManagement,
  { subscriptionIds }: AzureSettings,
  signal: AbortSignal,
): Promise<string[]> {
  const warnings: string[] = [];
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      return await work();
    } catch (error) {
      if (!isDenied(error)) throw error;
      warnings.push(`The inventory will be incomplete: ${error.message}`);
      return null;
    }
  };
  await attempt(async () => {
    const names = await subscriptionNames(management, signal);
    for (const id of subscriptionIds.filter((each) => !names.has(each.toLowerCase())))
      warnings.push(
        `Subscription "${id}" cannot be read, so the inventory will lack it: assign role "Reader" on it to the service principal`,
      );
    await probeGraph(management, subscriptionIds, signal);
  });
  await attempt(() => reservations(management, signal));
  await attempt(() => savingsPlans(management, signal));
  return warnings;
}
