import { ClientSecretCredential, type TokenCredential } from '@azure/identity';

import { withRetries } from '../retry.ts';
import type { AzureCredentials, CloudEndpoints } from '../spec.ts';
import { signInFault, signInTrouble } from './sign-in-faults.ts';

/** Tokens of one service principal. */
export interface ServicePrincipal {
  /** The service principal, for messages. */
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

const signInMs = 30_000;

/** Signs a service principal in, when a token is first needed. */
export function servicePrincipal(credentials: AzureCredentials, endpoints: CloudEndpoints): ServicePrincipal {
  const { tenantId, clientId, clientSecret } = credentials;
  const open = () =>
    new ClientSecretCredential(tenantId, clientId, clientSecret, {
      authorityHost: endpoints.azureLoginEndpoint,
      // It would ask the public cloud about the host that the operator has named.
      disableInstanceDiscovery: true,
      retryOptions: { maxRetries: 0 },
    });
  let credential = open();
  const get = (scope: string, signal: AbortSignal) =>
    withRetries(signal, () => signIn(credential, scope, signal), signInTrouble);
  const forget = () => {
    credential = open();
  };
  const tokenOf = async (scope: string, signal: AbortSignal) => {
    try {
      return await get(scope, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw signInFault(error, credentials);
    }
  };
  return {
    clientId,
    token: async (scope, signal) => (await tokenOf(scope, signal)).token,
    forget,
    credential: {
      async getToken(scopes, options) {
        // The SDK names a tenant when a token was refused: it asks for another one.
        if (options?.tenantId) forget();
        const signal = AbortSignal.any([AbortSignal.timeout(2 * signInMs), ...signalsOf(options?.abortSignal)]);
        return tokenOf([scopes].flat()[0] ?? '', signal);
      },
    },
  };
}

async function signIn(credential: ClientSecretCredential, scope: string, signal: AbortSignal) {
  return credential.getToken(scope, { abortSignal: AbortSignal.any([signal, AbortSignal.timeout(signInMs)]) });
}

/** The SDK's signal is of a type of its own. */
function signalsOf(signal: unknown): AbortSignal[] {
  return signal instanceof AbortSignal ? [signal] : [];
}
