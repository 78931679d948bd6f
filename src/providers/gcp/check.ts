import type { AccessCheck } from '../contract.ts';
import type { GcpSettings } from '../spec.ts';
import { chargesQuery } from './bills/charges-query.ts';
import { explain, signInFault } from './explain.ts';
import { openTable } from './bills/export-table.ts';
import { GoogleFault } from './faults.ts';
import { datasetOf } from './identifiers.ts';
import { gcpIdentity } from './input.ts';
import { lacksOf } from './bills/lacks.ts';
import { dryRun } from './query.ts';
import { getJson } from './request.ts';
import { searchUrl } from './inventory/search.ts';
import type { GoogleSession } from './session.ts';

/** Looks whether the export can be read, at no cost, and what the inventory lacks.
 *  @throws {AppError} VALIDATION_ERROR naming the setting, dataset, table, location or permission that is wrong
 *  @throws {TryLater} */
export async function checkAccess(
  session: GoogleSession,
  settings: GcpSettings,
  signal: AbortSignal,
): Promise<AccessCheck> {
  const dataset = datasetOf(settings);
  const { location } = settings;
  const state = await openTable(session, { dataset, table: settings.table, lastTable: null, location }, signal);
  // Any month will do: BigQuery looks at permissions, location and columns before it runs anything.
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

/** A warning of a scope whose resources may not be listed. */
export function deniedSearch(fault: GoogleFault, session: GoogleSession, scope: string): string {
  const known = signInFault(fault, session);
  if (known) return `No inventory of ${scope}: ${known.message}`;
  if (!fault.isDenied) return `No inventory of ${scope}: Cloud Asset Inventory refuses it (${fault.message})`;
  return `No inventory of ${scope}: service account ${session.clientEmail} lacks cloudasset.assets.searchAllResources or serviceusage.services.use there. Grant it a custom role with the first, and roles/serviceusage.serviceUsageConsumer`;
}
