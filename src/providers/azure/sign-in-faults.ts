import { AppError, arg, fix, mention, message, type Statement } from '../../kit/errors.ts';
import { TryLater } from '../faults.ts';
import type { Advice } from '../retry.ts';
import type { AzureCredentials } from '../spec.ts';

/** What was heard of a sign-in that failed. */
export interface Heard {
  /** Null: no answer came. */
  status: number | null;
  /** `7000215` of `AADSTS7000215`; empty where there is none. */
  code: string;
  /** What Microsoft Entra ID asks to wait. */
  waitMs: number | null;
  /** A fault of the network, in words. */
  fault: Error | null;
  isLate: boolean;
}

/** A sign-in failed. */
export class SignInFailed extends Error {
  readonly heard: Heard;

  constructor(heard: Heard) {
    super('Signing in failed');
    this.name = 'SignInFailed';
    this.heard = heard;
  }
}

// Of the codes that ask to try again: "Microsoft Entra authentication and authorization error codes".
const passing = new Set(['90033', '90006', '90012', '50196', '90055', '90100']);

/** Whether a failed sign-in may succeed by itself. */
export function signInTrouble(error: unknown): Advice | null {
  if (!(error instanceof SignInFailed)) return null;
  const { status, code, waitMs, fault, isLate } = error.heard;
  if (isLate) return { reason: 'Microsoft Entra ID did not answer in time', waitMs: null };
  if (fault instanceof TryLater) return { reason: fault.message, waitMs: null };
  if (status === 429 || (status ?? 0) >= 500 || passing.has(code))
    return { reason: `Microsoft Entra ID is temporarily unavailable (${nameOf(error.heard)})`, waitMs };
  return null;
}

/** A failed sign-in in words for the account's owner. */
export function signInFault(error: unknown, credentials: AzureCredentials): unknown {
  if (error instanceof TryLater) return new TryLater(error.message, { retryAfterMs: error.retryAfterMs });
  if (!(error instanceof SignInFailed)) return error;
  return error.heard.fault ?? refusedBy(error.heard, credentials);
}

function refusedBy(heard: Heard, credentials: AzureCredentials): AppError {
  const statement = wordsOf(heard.code, credentials);
  return new AppError('VALIDATION_ERROR', { ...statement, reason: [...statement.reason, ` (${nameOf(heard)})`] });
}

function nameOf({ code, status }: Heard): string {
  if (code) return `AADSTS${code}`;
  return status === null ? 'no answer' : `status ${status}`;
}

function wordsOf(code: string, { tenantId, clientId }: AzureCredentials): Statement {
  switch (code) {
    case '7000215':
      return message`${arg('credentials.client_secret')} is wrong for application "${clientId}"${fix}send the secret's value, not its id`;
    case '7000222':
      return message`${arg('credentials.client_secret')} of application "${clientId}" has expired${fix}make a new one and send its value`;
    case '700016':
      return message`${arg('credentials.client_id', clientId)} is not in tenant "${tenantId}"${fix}correct it or ${mention('credentials.tenant_id')}`;
    case '90002':
    case '900021':
    case '900023':
      return message`${arg('credentials.tenant_id', tenantId)} does not exist${fix}correct it`;
    case '7000112':
    case '500014':
      return message`Application "${clientId}" is disabled${fix}enable it in Microsoft Entra ID`;
    case '500011':
      return message`Tenant "${tenantId}" does not know Azure's storage or management${fix}it must have an Azure subscription`;
    case '53003':
    case '530003':
      return message`A Conditional Access policy of tenant "${tenantId}" blocks application "${clientId}"${fix}exclude it`;
    case '7000229':
      return message`Application "${clientId}" has no service principal in tenant "${tenantId}"${fix}make one (az ad sp create)`;
    default:
      return message`${arg('credentials')} are refused by Microsoft Entra ID for application "${clientId}" in tenant "${tenantId}"${fix}check all three`;
  }
}
