import type { AccessCheck } from '../contract.ts';
import type { StoragePlace } from '../focus/storage.ts';
import type { AzureSettings } from '../spec.ts';
import { checkExport } from './export.ts';
import { azureIdentity } from './input.ts';
import { reservations, savingsPlans } from './inventory/commitments.ts';
import { probeGraph } from './inventory/resource-graph.ts';
import { probeQuery, type QueryPlace } from './query/source.ts';
import { type AzureManagement, isDenied } from './request.ts';
import { subscriptionNames } from './subscriptions.ts';

/** What is checked of an account. */
export interface AzureAccess {
  readonly management: AzureManagement;
  readonly settings: AzureSettings;
  /** Where the bills come from. */
  readonly bills: { readonly export: StoragePlace } | { readonly query: QueryPlace };
}

/** Looks whether the bills can be read, and what the inventory will lack.
 *  @throws {AppError} VALIDATION_ERROR naming field, container, or role and scope; {TryLater} */
export async function checkAzure(
  { management, settings, bills }: AzureAccess,
  signal: AbortSignal,
): Promise<AccessCheck> {
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
      warnings.push(`The inventory will lack a part: ${error.message}`);
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
