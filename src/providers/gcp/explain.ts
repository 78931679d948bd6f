import { arg, fix, invalid, mention, type AppError } from '../../kit/errors.ts';
import { GoogleFault } from './faults.ts';
import type { DatasetRef } from './identifiers.ts';
import { gcpPermissions } from './permissions.ts';
import type { GoogleSession } from './session.ts';

/** Where a request went, for messages. */
export interface Place {
  readonly session: GoogleSession;
  readonly dataset: DatasetRef;
  /** Null before one was found. */
  readonly table: string | null;
  readonly location: string;
}

/** Makes of Google's refusal what the owner of the account must do; other errors stay as they are.
 *  @returns an AppError VALIDATION_ERROR for a refusal */
export function explain(error: unknown, place: Place): unknown {
  return error instanceof GoogleFault ? (signInFault(error, place.session) ?? bigQueryFault(error, place)) : error;
}

/** A refusal of the service account itself; null of any other. */
export function signInFault(fault: GoogleFault, session: GoogleSession): AppError | null {
  const { reason, message } = fault;
  const said = `(${reason}: ${message.replace(`${reason}: `, '')})`;
  if (/iat|reasonable timeframe|clock/i.test(message) && reason === 'invalid_grant')
    return invalid`Google does not accept the time of the server ${said}${fix}ask its operator to set the clock; nothing is wrong with the account`;
  if (reason === 'invalid_grant' || reason === 'invalid_client' || reason === 'unauthorized_client')
    return invalid`${arg('credentials')} have a key of service account ${session.clientEmail} that Google does not accept ${said}${fix}see that the account exists and is enabled, create a new key, and replace the credentials`;
  if (message.startsWith('Could not refresh access token'))
    return invalid`Google gives service account ${session.clientEmail} no token (status ${fault.status}, in a form that is not Google's): where the server reaches Google by an address or proxy of its own, ask its operator whether that works`;
  if (fault.status === 401)
    return invalid`${arg('credentials')} are of service account ${session.clientEmail}, which Google does not accept ${said}${fix}replace them`;
  return disabledFault(fault);
}

function disabledFault({ reason, message }: GoogleFault): AppError | null {
  if (reason === 'SERVICE_DISABLED' || reason === 'accessNotConfigured')
    return invalid`A Google API is not enabled in the project: ${message}`;
  if (reason === 'billingNotEnabled')
    return invalid`${arg('settings.billing_project')} names a project without billing: ${message}`;
  return null;
}

function bigQueryFault(fault: GoogleFault, place: Place): AppError {
  const { project, dataset } = place.dataset;
  const { message } = fault;
  const whole = place.table === null ? `dataset ${project}.${dataset}` : `table ${project}.${dataset}.${place.table}`;
  if (fault.isDenied) return deniedFault(message, place, whole);
  if (fault.status === 404) {
    if (/\bproject\b/i.test(message) && !/dataset|table/i.test(message))
      return invalid`${arg('settings.billing_project')} names no project of Google Cloud (${message})${fix}correct it and ${mention('settings.dataset')}`;
    return invalid`${arg('settings.dataset')} is wrong: BigQuery has no ${whole} in location ${place.location} (${message})${fix}set it, ${mention('settings.table')} and ${mention('settings.location')} as the BigQuery console shows them`;
  }
  return invalid`BigQuery refuses to read ${whole}: ${message}`;
}

function deniedFault(message: string, { session, dataset }: Place, whole: string): AppError {
  // Of a query Google does not name the permission.
  const said = /permission to query table/i.test(message) ? 'bigquery.tables.getData' : message;
  const named = gcpPermissions.find(({ permission }) => new RegExp(`${permission}\\b`).test(said));
  const found = named ?? gcpPermissions.find(({ permission }) => permission === 'bigquery.tables.get');
  const { permission = '', role = '', on = 'dataset' } = found ?? {};
  const where =
    on === 'billingProject' ? `project ${session.billingProject}` : `dataset ${dataset.project}.${dataset.dataset}`;
  return invalid`Service account ${session.clientEmail} may not read BigQuery ${whole}: it lacks ${permission}. Grant it ${role} on ${where}`;
}
