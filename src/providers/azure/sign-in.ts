import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AccessToken,
  ClientSecretCredential,
  type ClientSecretCredentialOptions,
  type TokenCredential,
} from '@azure/identity';
import { AppError, arg, fix, mention, message, type Statement } from '../../kit/errors/errors.ts';
import { type Advice, networkFault, retryAfterMs, TryLater, withRetries } from '../faults.ts';
import type { AzureCredentials, CloudEndpoints } from '../spec.ts';

/** Tokens of a service principal. */
export interface ServicePrincipal {
  /** For messages. */
  readonly clientId: string;
  /** Returns a bearer token, cached while it is valid.
   *  @param scope `https://storage.azure.com/.default`
   *  @throws {AppError} VALIDATION_ERROR naming the invalid credentials field
   *  @throws {TryLater} */
  token(scope: string, signal: AbortSignal): Promise<string>;
  /** Drops the cached tokens, because one was rejected early. */
  forget(): void;
  /** For the Blob Storage SDK. */
  readonly credential: TokenCredential;
}

type Policy = NonNullable<ClientSecretCredentialOptions['additionalPolicies']>[number]['policy'];

const signInMs = 30_000;
/** Milliseconds. A token is not used in its last minutes, because a long response may outlast it. */
const earlyMs = 5 * 60_000;

/** Captures status and wait of a failed sign-in, because the SDK's error contains neither. */
const hearing = new AsyncLocalStorage<Heard>();

const listen: Policy = {
  name: 'costkeepHearsSignIns',
  async sendRequest(request, next) {
    const heard = hearing.getStore();
    try {
      const response = await next(request);
      if (heard && response.status >= 400) {
        heard.status = response.status;
        heard.code = /AADSTS(\d+)/.exec(response.bodyAsText ?? '')?.[1] ?? '';
        heard.waitMs = retryAfterMs(response.headers.get('retry-after'), Date.now());
      }
      return response;
    } catch (error) {
      if (heard) heard.fault = networkFault(error, 'Microsoft Entra ID');
      throw error;
    }
  },
};

/** Returns a service principal that signs in when a token is first needed. */
export function servicePrincipal(credentials: AzureCredentials, endpoints: CloudEndpoints): ServicePrincipal {
  let credential = openCredential(credentials, endpoints);
  const atHand = new Map<string, AccessToken>();
  const forget = () => {
    credential = openCredential(credentials, endpoints);
    atHand.clear();
  };
  const get = async (scope: string, signal: AbortSignal) => {
    const held = atHand.get(scope);
    if (held && held.expiresOnTimestamp - Date.now() > earlyMs) return held;
    const token = await withRetries(signal, () => signIn(credential, scope, signal), signInTrouble).catch(
      (error: unknown) => {
        signal.throwIfAborted();
        throw signInFault(error, credentials);
      },
    );
    atHand.set(scope, token);
    return token;
  };
  return {
    clientId: credentials.clientId,
    token: async (scope, signal) => (await get(scope, signal)).token,
    forget,
    credential: {
      async getToken(scopes, options) {
        // The SDK passes a tenant when a token was rejected and it needs another.
        if (options?.tenantId) forget();
        const own = AbortSignal.timeout(2 * signInMs);
        const theirs: unknown = options?.abortSignal;
        return get([scopes].flat()[0] ?? '', theirs instanceof AbortSignal ? AbortSignal.any([own, theirs]) : own);
      },
    },
  };
}

function openCredential({ tenantId, clientId, clientSecret }: AzureCredentials, endpoints: CloudEndpoints) {
  return new ClientSecretCredential(tenantId, clientId, clientSecret, {
    authorityHost: endpoints.azureLoginEndpoint,
    // Discovery would ask the public cloud about the host that the operator configured.
    disableInstanceDiscovery: true,
    retryOptions: { maxRetries: 0 },
    additionalPolicies: [{ policy: listen, position: 'perRetry' }],
  });
}

async function signIn(credential: ClientSecretCredential, scope: string, signal: AbortSignal) {
  const heard: Heard = { status: null, code: '', waitMs: null, fault: null, isLate: false };
  const late = AbortSignal.timeout(signInMs);
  const abortSignal = AbortSignal.any([signal, late]);
  try {
    const token = hearing.run(heard, () => credential.getToken(scope, { abortSignal }));
    return await Promise.race([token, untilAborted(abortSignal)]);
  } catch {
    signal.throwIfAborted();
    // The SDK's error may contain its request, with the secret in the body.
    throw new SignInFailed({ ...heard, isLate: late.aborted });
  }
}

/** Rejects on abort, because the SDK does not always honor its signal. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Captured data of a failed sign-in. */
interface Heard {
  /** Null: no response. */
  status: number | null;
  /** `7000215` for `AADSTS7000215`; empty if there is none. */
  code: string;
  /** Wait requested by Microsoft Entra ID, in milliseconds. */
  waitMs: number | null;
  /** Network error with a message. */
  fault: Error | null;
  isLate: boolean;
}

class SignInFailed extends Error {
  readonly heard: Heard;

  constructor(heard: Heard) {
    super('Signing in failed');
    this.name = 'SignInFailed';
    this.heard = heard;
  }
}

// Temporary error codes from "Microsoft Entra authentication and authorization error codes".
const passing = new Set(['90033', '90006', '90012', '50196', '90055', '90100']);

/** Returns advice if a failed sign-in may succeed later, otherwise null. */
function signInTrouble(error: unknown): Advice | null {
  if (!(error instanceof SignInFailed)) return null;
  const { status, code, waitMs, fault, isLate } = error.heard;
  if (isLate) return { reason: 'Microsoft Entra ID did not respond in time', waitMs: null };
  if (fault instanceof TryLater) return { reason: fault.message, waitMs: null };
  if (status === 429 || (status ?? 0) >= 500 || passing.has(code))
    return { reason: `Microsoft Entra ID is temporarily unavailable (${nameOf(error.heard)})`, waitMs };
  return null;
}

/** Converts a sign-in error to a message for the account's owner. */
function signInFault(error: unknown, credentials: AzureCredentials): unknown {
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
  return status === null ? 'no response' : `status ${status}`;
}

function wordsOf(code: string, { tenantId, clientId }: AzureCredentials): Statement {
  switch (code) {
    case '7000215':
      return message`${arg('credentials.client_secret')} is wrong for application "${clientId}"${fix}send the secret's value, not its id`;
    case '7000222':
      return message`${arg('credentials.client_secret')} of application "${clientId}" has expired${fix}create a new one and send its value`;
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
      return message`Tenant "${tenantId}" has no access to Azure's storage or management${fix}it must have an Azure subscription`;
    case '53003':
    case '530003':
      return message`A Conditional Access policy of tenant "${tenantId}" blocks application "${clientId}"${fix}exclude it`;
    case '7000229':
      return message`Application "${clientId}" has no service principal in tenant "${tenantId}"${fix}create one (az ad sp create)`;
    default:
      return message`${arg('credentials')} are rejected by Microsoft Entra ID for application "${clientId}" in tenant "${tenantId}"${fix}check all three`;
  }
}
