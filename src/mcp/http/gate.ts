import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { hash, timingSafeEqual } from 'node:crypto';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Settings } from '../settings.ts';

/** A request that the protocol is not asked about. */
export interface Refusal {
  readonly status: number;
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a refusal in the protocol's form of errors, whose id is not known as the body is not read. */
export function refuse(res: ServerResponse, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  // What the client still sends would be read as its next request.
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  res.end(body);
}

/** The token that a request brings; null without one, or in another form than `Bearer`. */
function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** A way in: as whom the API is asked. */
interface Entry {
  readonly token: string;
}

const challenge = { 'www-authenticate': 'Bearer realm="costkeep"' };

/** Whether a request may speak to the protocol at all, judged by its headers alone. */
export function admit(req: IncomingMessage, settings: Settings): Entry | Refusal {
  return hostRefusal(req, settings) ?? originRefusal(req, settings) ?? methodRefusal(req) ?? entryOf(req, settings);
}

/** A page of another site can have its own name mean this machine: what it then sends still names that site. */
function hostRefusal({ headers }: IncomingMessage, { allowedHosts, host }: Settings): Refusal | null {
  const names = [...localhostAllowedHostnames(), ...allowedHosts, ...(isEverywhere(host) ? [] : [inUrl(host)])];
  // Whatever else a URL may have at its host, such as a user, would make a URL of the request that cannot be read.
  if (/^[\w.:[\]-]+$/.test(headers.host ?? '') && validateHostHeader(headers.host, names).ok) return null;
  return { status: 403, message: `Host "${clip(headers.host)}" is not allowed: add it to MCP_ALLOWED_HOSTS` };
}

function originRefusal({ headers }: IncomingMessage, { allowedOrigins }: Settings): Refusal | null {
  if (isAllowedOrigin(headers.origin, allowedOrigins)) return null;
  return { status: 403, message: `Origin "${clip(headers.origin)}" is not allowed: add it to MCP_ALLOWED_ORIGINS` };
}

/** Only browsers send one. */
function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && localhostAllowedHostnames().includes(new URL(origin).hostname);
}

/** Nothing is kept between requests: there is no stream to GET, and no session to DELETE. */
function methodRefusal({ method }: IncomingMessage): Refusal | null {
  if (method === 'POST') return null;
  return {
    status: 405,
    message: `${method} is not supported: send each message with POST`,
    headers: { allow: 'POST, OPTIONS' },
  };
}

function entryOf({ headers }: IncomingMessage, { token }: Settings): Entry | Refusal {
  const brought = bearerOf(headers);
  if (token === null) {
    if (brought?.startsWith('svc_')) return { token: brought };
    const message =
      'Send a Costkeep API token with each request, as "Authorization: Bearer svc_…"; create one with POST /api/v1/auth/tokens';
    return { status: 401, message, headers: challenge };
  }
  if (headers.authorization === undefined || (brought !== null && isSame(brought, token))) return { token };
  // It would be answered as somebody else.
  const message =
    'This server acts as the user of its SVC_API_TOKEN: send no token, or start the server with MCP_MODE=multi-tenant';
  return { status: 401, message, headers: challenge };
}

/** In a time that does not tell where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/** Headers that let pages of allowed origins read answers. */
export function corsOf(req: IncomingMessage, { allowedOrigins }: Settings): Record<string, string> {
  const { origin } = req.headers;
  if (origin === undefined || !isAllowedOrigin(origin, allowedOrigins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
    vary: 'Origin',
  };
}

/** What a browser asks before it sends. */
export const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-request-id',
  'access-control-max-age': '600',
};

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function clip(text: string | undefined): string {
  return (text ?? '').slice(0, 100);
}
