import type { Connection } from '../contract.ts';
import type { CloudEndpoints, ConnectionSpec } from '../spec.ts';
import { checkAccess } from './check.ts';
import { bigQueryCosts } from './bills/costs.ts';
import { cloudAssets } from './inventory/inventory.ts';
import { openSession } from './session.ts';

/** Opens a Google Cloud billing export, and the inventory of the scopes. Nothing is asked yet.
 *  @throws {AppError} VALIDATION_ERROR naming the setting that cannot be used */
export async function openGcp(
  spec: Extract<ConnectionSpec, { provider: 'gcp' }>,
  endpoints: CloudEndpoints,
): Promise<Connection> {
  const { credentials, settings } = spec;
  const session = openSession(credentials, settings.billingProject, endpoints.googleEndpoint);
  return {
    costs: bigQueryCosts(session, settings),
    inventory: settings.scopes.length === 0 ? null : cloudAssets(session, settings.scopes),
    check: (signal) => checkAccess(session, settings, signal),
  };
}
