import { invalid } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import { networkFault } from '../network.ts';
import type { Advice } from '../retry.ts';
import type { AzureCredentials } from '../spec.ts';

/** What Microsoft Entra ID says of a sign-in. */
interface Said {
  /** `7000215` of `AADSTS7000215`; empty where there is none. */
  readonly code: string;
  /** Null: no answer came. */
  readonly status: number | null;
}

// Of the codes that ask to try again: "Microsoft Entra authentication and authorization error codes".
const passing = new Set(['90033', '90006', '90012', '50196', '700023', '90055', '90100']);

/** Whether a failed sign-in may succeed by itself. */
export function signInTrouble(error: unknown): Advice | null {
  const { code, status } = saidBy(error);
  if (status === 429 || (status ?? 0) >= 500 || passing.has(code))
    return { reason: `Microsoft Entra ID does not answer for now (${codeName(code, status)})`, waitMs: null };
  if (code !== '' || status !== null) return null;
  const fault = networkFault(error, 'Microsoft Entra ID');
  if (fault instanceof TryLater) return { reason: fault.message, waitMs: null };
  return isTimeOut(error) ? { reason: 'Microsoft Entra ID did not answer in time', waitMs: null } : null;
}

/** A failed sign-in in words for the account's owner; nothing of the request survives. */
export function signInFault(error: unknown, credentials: AzureCredentials): Error {
  if (error instanceof TryLater) return new TryLater(error.message, { retryAfterMs: error.retryAfterMs });
  const { code, status } = saidBy(error);
  if (code === '' && status === null) {
    const fault = networkFault(error, 'Microsoft Entra ID');
    if (fault) return fault;
  }
  return invalid(`${wordsOf(code, credentials)} (${codeName(code, status)})`);
}

function codeName(code: string, status: number | null): string {
  return code ? `AADSTS${code}` : status === null ? 'no code' : `status ${status}`;
}

function isTimeOut(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

function saidBy(error: unknown): Said {
  if (!(error instanceof Error)) return { code: '', status: null };
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null;
  return { code: /AADSTS(\d+)/.exec(error.message)?.[1] ?? '', status };
}

function wordsOf(code: string, { tenantId, clientId }: AzureCredentials): string {
  switch (code) {
    case '7000215':
      return `credentials.client_secret is wrong for application "${clientId}": send the secret's value, not its id`;
    case '7000222':
      return `credentials.client_secret of application "${clientId}" has expired: make a new one and send its value`;
    case '700016':
      return `Application "${clientId}" is not in tenant "${tenantId}": correct credentials.client_id or credentials.tenant_id`;
    case '90002':
    case '900021':
    case '900023':
      return `Tenant "${tenantId}" does not exist: correct credentials.tenant_id`;
    case '7000112':
    case '500014':
      return `Application "${clientId}" is disabled: enable it in Microsoft Entra ID`;
    case '500011':
      return `Tenant "${tenantId}" does not know Azure's storage or management: it must have an Azure subscription`;
    case '53003':
    case '530003':
      return `A Conditional Access policy of tenant "${tenantId}" blocks application "${clientId}": exclude it`;
    case '7000229':
      return `Application "${clientId}" has no service principal in tenant "${tenantId}": make one (az ad sp create)`;
    default:
      return `Microsoft Entra ID refuses application "${clientId}" in tenant "${tenantId}": check the three credentials`;
  }
}
