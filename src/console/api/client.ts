import { Client, fetchExchange } from '@urql/core';
import { authExchange } from '@urql/exchange-auth';
import { keepingExchange } from './keeping.ts';
import { recoveringExchange } from './recovering.ts';
import { accessToken, isStale, refresh, sessionState } from './session.ts';

/** A client for one signed-in session: a new session, or another organization, gets a new one and sees nothing of this. */
export function openClient(): Client {
  const auth = authExchange(async ({ appendHeaders }) => ({
    addAuthToOperation: (operation) => {
      const token = accessToken();
      return token === null ? operation : appendHeaders(operation, { Authorization: `Bearer ${token}` });
    },
    willAuthError: () => isStale() && sessionState().at === 'in',
    didAuthError: ({ graphQLErrors }) => graphQLErrors.some(({ extensions }) => extensions['code'] === 'UNAUTHORIZED'),
    refreshAuth: async () => {
      await refresh();
    },
  }));
  return new Client({
    url: '/graphql',
    exchanges: [recoveringExchange(), keepingExchange(), auth, fetchExchange],
    preferGetMethod: false,
  });
}
