import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import { serverCertPath, serverKeyPath, trustTestCa } from './certificates.ts';

/** A request that reached the fake. */
export interface AzureCall {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A response of the fake: a JSON body, or raw text. */
export type AzureReply = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
};

/** Responds to one operation, such as `POST /providers/Microsoft.ResourceGraph/resources`. */
export type AzureRoute = (call: AzureCall) => AzureReply;

/** Microsoft Entra ID and Azure Resource Manager on loopback, over TLS. */
export interface FakeAzure {
  readonly url: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Handlers by lowercase method and path; other requests get 501 and fail the test through `unknown`. */
  readonly routes: Map<string, AzureRoute>;
  readonly calls: AzureCall[];
  /** Requests without a route. */
  readonly unknown: string[];
  /** Sign-ins by scope. */
  readonly signIns: string[];
  /** The response to every sign-in instead of a token. */
  refuseSignIn: AzureReply | null;
  /** Expires all tokens issued so far. */
  expireTokens(): void;
  /** Throws if there was a request without a route. */
  stop(): Promise<void>;
}

/** Starts it on a free port; from then on the process trusts its certificate. */
export async function startFakeAzure(): Promise<FakeAzure> {
  trustTestCa();
  const fake = {
    tenantId: '11111111-2222-3333-4444-555555555555',
    clientId: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    clientSecret: 'S3cret~of.the-test_principal',
    routes: new Map<string, AzureRoute>(),
    calls: [] as AzureCall[],
    unknown: [] as string[],
    signIns: [] as string[],
    refuseSignIn: null as AzureReply | null,
  };
  let generation = 1;
  const server = https.createServer({ cert: readFileSync(serverCertPath), key: readFileSync(serverKeyPath) });
  const url = await listening(server);
  server.on('request', (request, response) => void respond(request, response));

  async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { status, headers = {}, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  }

  async function answer(request: http.IncomingMessage): Promise<AzureReply> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8');
    if (pathname.endsWith('/.well-known/openid-configuration')) return discovery(pathname);
    if (pathname.endsWith('/oauth2/v2.0/token')) return signIn(new URLSearchParams(text));
    const call = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
    fake.calls.push(call);
    if (!holds(request.headers.authorization))
      return {
        status: 401,
        body: { error: { code: 'ExpiredAuthenticationToken', message: 'The access token expiry' } },
      };
    const route = fake.routes.get(`${call.method} ${pathname}`.toLowerCase());
    if (route) return route(call);
    fake.unknown.push(`${call.method} ${pathname}`);
    return { status: 501, body: { error: { code: 'NotImplemented', message: 'not known to the fake' } } };
  }

  function discovery(pathname: string): AzureReply {
    const tenant = pathname.split('/')[1] ?? '';
    if (fake.refuseSignIn) return fake.refuseSignIn;
    if (tenant !== fake.tenantId) return aadsts(400, 'invalid_tenant', `AADSTS90002: Tenant '${tenant}' not found.`);
    return { status: 200, body: openIdConfiguration(`${url}/${tenant}`) };
  }

  function signIn(form: URLSearchParams): AzureReply {
    const scope = form.get('scope') ?? '';
    fake.signIns.push(scope);
    if (fake.refuseSignIn) return fake.refuseSignIn;
    const refusal = refusalOf(form);
    if (refusal) return { status: refusal.status, body: refusal.body };
    const token = jwt({ aud: audienceOf(scope), iss: `https://sts.windows.net/${fake.tenantId}/`, generation });
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: token } };
  }

  function refusalOf(form: URLSearchParams): AzureReply | null {
    if (form.get('client_id') !== fake.clientId)
      return aadsts(400, 'unauthorized_client', `AADSTS700016: Application '${form.get('client_id')}' was not found.`);
    if (form.get('client_secret') === fake.clientSecret && form.get('grant_type') === 'client_credentials') return null;
    return aadsts(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.');
  }

  function holds(authorization: string | undefined): boolean {
    const payload = JSON.parse(Buffer.from((authorization ?? '').split('.')[1] ?? '', 'base64url').toString() || '{}');
    return payload.generation === generation && payload.aud === url;
  }

  return Object.assign(fake, {
    url,
    expireTokens: () => {
      generation++;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (fake.unknown.length > 0) throw new Error(`The fake of Azure has no route for ${fake.unknown.join(', ')}`);
    },
  });
}

/** The response of Microsoft Entra ID that rejects a sign-in. */
export function aadsts(status: number, error: string, description: string): AzureReply {
  const [, code] = /AADSTS(\d+)/.exec(description) ?? [];
  return { status, body: { error, error_description: description, error_codes: [Number(code)], trace_id: 'trace' } };
}

async function listening(server: https.Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

function openIdConfiguration(authority: string): object {
  return {
    issuer: `${authority}/v2.0`,
    token_endpoint: `${authority}/oauth2/v2.0/token`,
    authorization_endpoint: `${authority}/oauth2/v2.0/authorize`,
    end_session_endpoint: `${authority}/oauth2/v2.0/logout`,
    jwks_uri: `${authority}/discovery/v2.0/keys`,
  };
}

function audienceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '');
}

/** An unsigned token: Azurite, like the fake, only checks the claims. */
function jwt(claims: object): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ nbf: now - 60, iat: now - 60, exp: now + 3600, ...claims })}.AA`;
}
