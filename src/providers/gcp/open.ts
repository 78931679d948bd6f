import type { AccessCheck, Connection } from '../contract.ts';
import type { CloudEndpoints, ConnectionSpec, GcpSettings } from '../spec.ts';
import { chargesQuery } from './bills/write-month.ts';
import { bigQueryCosts, lacksOf } from './bills/costs.ts';
import { openTable } from './bills/months.ts';
import { explain, GoogleFault } from './faults.ts';
import { datasetOf, gcpIdentity } from './input.ts';
import { cloudAssets } from './inventory/inventory.ts';
import { deniedSearch, searchUrl } from './inventory/search.ts';
import { dryRun } from './query.ts';
import { getJson, type GoogleSession, openSession } from './session.ts';

/** Opens a Google Cloud billing export, and the inventory of the scopes. Sends no request yet.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting */
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

/** Checks, at no cost, whether the export can be read, and what the inventory lacks.
 *  @throws {AppError} VALIDATION_ERROR naming the setting, dataset, table, location or permission that is wrong
 *  @throws {TryLater} */
async function checkAccess(session: GoogleSession, settings: GcpSettings, signal: AbortSignal): Promise<AccessCheck> {
  const dataset = datasetOf(settings);
  const { location } = settings;
  const state = await openTable(session, { dataset, table: settings.table, lastTable: null, location }, signal);
  // Any month works: BigQuery checks permissions, location and columns before it runs anything.
  const month = { month: '2000-01', first: null, last: null, settled: null, recent: null };
  try {
    await dryRun(session, chargesQuery(state, month, location), signal);
  } catch (error) {
    throw explain(error, { session, dataset, table: state.ref.table, location });
  }
  const warnings = [...lacksOf(state)];
  if (settings.scopes.length === 0)
    warnings.push('No inventory: settings.scopes names no project, folder or organization');
  for (const scope of settings.scopes) warnings.push(...(await missingIn(session, scope, signal)));
  return { externalId: gcpIdentity(settings, state.ref.table), warnings };
}

async function missingIn(session: GoogleSession, scope: string, signal: AbortSignal): Promise<string[]> {
  try {
    await getJson(session, searchUrl(scope, 1), signal);
    return [];
  } catch (error) {
    if (!(error instanceof GoogleFault)) throw error;
    return [deniedSearch(error, session, scope)];
  }
}
