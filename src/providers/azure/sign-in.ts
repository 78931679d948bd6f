import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AccessToken,
  ClientSecretCredential,
  type ClientSecretCredentialOptions,
  type TokenCredential,
} from '@azure/identity';
import { networkFault } from '../network.ts';
import { retryAfterMs, withRetries } from '../retry.ts';
import type { AzureCredentials, CloudEndpoints } from '../spec.ts';
import { type Heard, SignInFailed, signInFault, signInTrouble } from './sign-in-faults.ts';

/** Tokens of one service principal. */
export interface ServicePrincipal {
  /** For messages. */
  readonly clientId: string;
  /** A bearer token; the one at hand while it holds.
   *  @param scope `https://storage.azure.com/.default`
   *  @throws {AppError} VALIDATION_ERROR naming the field of the credentials that is wrong
   *  @throws {TryLater} */
  token(scope: string, signal: AbortSignal): Promise<string>;
  /** Throws away the tokens at hand: one was refused before its time. */
  forget(): void;
  /** For the SDK of Blob Storage. */
  readonly credential: TokenCredential;
}

type Policy = NonNullable<ClientSecretCredentialOptions['additionalPolicies']>[number]['policy'];

const signInMs = 30_000;
/** A token is not used in its last minutes: a long answer begins with it and ends after it. */
const earlyMs = 5 * 60_000;

/** The SDK says neither status nor wait of a sign-in that failed: they are heard on the way. */
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

/** Signs a service principal in, when a token is first needed. */
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
        // The SDK names a tenant when a token was refused: it asks for another one.
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
    // It would ask the public cloud about the host that the operator has named.
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
    // The SDK's error may hold its request, with the secret in its body.
    throw new SignInFailed({ ...heard, isLate: late.aborted });
  }
}

/** The SDK does not always look at its signal. */
async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
