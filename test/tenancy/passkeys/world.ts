import { SoftwareAuthenticator, type Behaviour } from '../../support/authenticator.ts';
import { password, serve, tenancyWorld } from '../support.ts';

export const publicUrl = 'https://costs.example.com';

type Ask = Awaited<ReturnType<typeof serve>>;

/** A server at `publicUrl`, with an HTTP client. */
export async function passkeyWorld() {
  const world = await tenancyWorld({ PUBLIC_URL: publicUrl, RATE_LIMIT_AUTH: '100000', RATE_LIMIT_WRITE: '100000' });
  const ask = await serve(world.deps);
  return { world, ask, ...clientOf(ask) };
}

/** A client that acts like a browser. */
function clientOf(ask: Ask) {
  const post = (path: string, body?: unknown, token?: string) =>
    ask('POST', `/api/v1/auth/${path}`, body, bearer(token));
  return {
    post,
    login: (email: string, more: object = {}) => post('login', { email, password, ...more }),
    /** Registers a passkey of the user, and returns its authenticator. */
    async addPasskey(token: string, name = 'Laptop', behaviour: Behaviour = {}) {
      const authenticator = new SoftwareAuthenticator(publicUrl);
      const { body } = await post('webauthn/register', undefined, token);
      const response = authenticator.create(body.options, behaviour);
      const answer = await post('webauthn/register', { name, response }, token);
      return { authenticator, answer };
    },
    /** Requests options and answers them. */
    async authenticate(authenticator: SoftwareAuthenticator, given: object = {}, behaviour: Behaviour = {}) {
      const { body } = await post('webauthn/authenticate', given);
      return post('webauthn/authenticate', { ...given, response: authenticator.get(body.options, behaviour) });
    },
  };
}

export function bearer(token?: string): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
