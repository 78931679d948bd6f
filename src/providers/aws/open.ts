import { arg, fix, invalid, mention } from '../../kit/errors.ts';
import type { AccessCheck, Connection, InventorySource } from '../contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { checkCostExplorer, checkExport } from './check.ts';
import { costExplorerSource } from './cost-explorer/source.ts';
import { exportSource } from './data-export/source.ts';
import { exportPlace } from './data-export/place.ts';
import { partitionOfRegion } from './partition.ts';
import { type AwsSession, openSession } from './session.ts';

/** Opens an AWS account: its Data Export, or Cost Explorer where it has none, and its inventory.
 *  @throws {AppError} VALIDATION_ERROR when the settings name a bucket and no export, or a region where the account is not */
export function openAws(spec: Extract<ConnectionSpec, { provider: 'aws' }>, endpoints: CloudEndpoints): Connection {
  const { credentials, settings, trustExternalId } = spec;
  const { bucket, prefix, exportName, region } = settings;
  const session = openSession({ credentials, trustExternalId, region, endpoints });
  refuseForeignRegion(session, region);
  const inventory = inventoryOf(session, region);
  if (bucket === null) {
    if (session.partition.id === 'aws-us-gov')
      throw invalid`${arg('settings.bucket')} is missing: GovCloud has no Cost Explorer. Connect a Data Export, or the standard account that GovCloud is billed to`;
    const costs = costExplorerSource(session);
    return {
      costs,
      inventory,
      check: (signal) => checked(session, checkCostExplorer(session, signal), { region, signal }),
    };
  }
  if (exportName === null)
    throw invalid`${arg('settings.export_name')} is missing${fix}name the Data Export that delivers to ${mention('settings.bucket')}`;
  const place = exportPlace(bucket, prefix, exportName);
  const check = (signal: AbortSignal) => checked(session, checkExport(session, place, signal), { region, signal });
  return { costs: exportSource(session, place), inventory, check };
}

/** A role's ARN tells the partition, and no other part of AWS knows the role. */
function refuseForeignRegion({ partition }: AwsSession, region: string | null): void {
  if (region === null || partitionOfRegion(region).id === partition.id) return;
  throw invalid`${arg('settings.region', region)} is not in the partition "${partition.id}" of the account${fix}name a region such as "${partition.mainRegion}", or leave it out`;
}

/** Looks at the bills, and then which permissions the inventory lacks. */
async function checked(
  session: AwsSession,
  bills: Promise<AccessCheck>,
  { region, signal }: { region: string | null; signal: AbortSignal },
): Promise<AccessCheck> {
  const found = await bills;
  const { probeInventory } = await import('./inventory/probe.ts');
  return { ...found, warnings: [...found.warnings, ...(await probeInventory(session, region, signal))] };
}

/** Its clients take twice the time and memory of all others: they are loaded when it is listed, once a day. */
function inventoryOf(session: AwsSession, region: string | null): InventorySource {
  return {
    async list(keep, signal) {
      const { awsInventory } = await import('./inventory/source.ts');
      return awsInventory(session, region).list(keep, signal);
    },
  };
}
