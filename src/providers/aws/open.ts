import type { Connection, InventorySource } from '../contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { checkCostExplorer, checkExport } from './check.ts';
import { costExplorerSource } from './cost-explorer/source.ts';
import { exportSource } from './export.ts';
import { exportPlace } from './export-place.ts';
import { type AwsSession, openSession } from './session.ts';
import { invalid } from '../../kit/errors.ts';

/** Opens an AWS account: its Data Export, or Cost Explorer where it has none, and its inventory.
 *  @throws {AppError} VALIDATION_ERROR when the settings name a bucket and no export */
export function openAws(spec: Extract<ConnectionSpec, { provider: 'aws' }>, endpoints: CloudEndpoints): Connection {
  const { credentials, settings, trustExternalId } = spec;
  const { bucket, prefix, exportName, region } = settings;
  const session = openSession({ credentials, trustExternalId, region, endpoints });
  const inventory = inventoryOf(session, region);
  if (bucket === null) {
    const costs = costExplorerSource(session);
    return { costs, inventory, check: (signal) => checkCostExplorer(session, signal) };
  }
  if (exportName === null)
    throw invalid('settings.export_name is missing: name the Data Export that delivers to settings.bucket');
  const place = exportPlace(bucket, prefix, exportName);
  return { costs: exportSource(session, place), inventory, check: (signal) => checkExport(session, place, signal) };
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
