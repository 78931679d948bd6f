import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { hash, timingSafeEqual } from 'node:crypto';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { Settings } from '../settings.ts';

/** A request rejected before it reaches the protocol. */
export interface Refusal {
  readonly status: number;
  /** The problem and its remedy. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a rejection as a JSON-RPC error. Its id is null because the body was not read. */
export function refuse(res: ServerResponse, { status, message, headers = {} }: Refusal): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } });
  // Otherwise, the rest of the body would be parsed as the next request.
  res.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  res.end(body);
}

/** The request's bearer token; null if it is missing or uses another scheme. */
function bearerOf({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** An admitted request, with the token for the API. */
interface Entry {
  readonly token: string;
}

const challenge = { 'www-authenticate': 'Bearer realm="costkeep"' };

/** Admits or rejects a request by its headers only. */
export function admit(req: IncomingMessage, settings: Settings): Entry | Refusal {
  return hostRefusal(req, settings) ?? originRefusal(req, settings) ?? methodRefusal(req) ?? entryOf(req, settings);
}

/** Prevents DNS rebinding: a page of another site can resolve its own name to this machine, but its requests still
 *  carry that name. */
function hostRefusal({ headers }: IncomingMessage, { allowedHosts, host }: Settings): Refusal | null {
  const names = [...localhostAllowedHostnames(), ...allowedHosts, ...(isEverywhere(host) ? [] : [inUrl(host)])];
  // Other URL characters in the host, such as a user, would make the request's URL unparsable.
  if (/^[\w.:[\]-]+$/.test(headers.host ?? '') && validateHostHeader(headers.host, names).ok) return null;
  return { status: 403, message: `Host "${clip(headers.host)}" is not allowed: add it to MCP_ALLOWED_HOSTS` };
}

function originRefusal({ headers }: IncomingMessage, { allowedOrigins }: Settings): Refusal | null {
  if (isAllowedOrigin(headers.origin, allowedOrigins)) return null;
  return { status: 403, message: `Origin "${clip(headers.origin)}" is not allowed: add it to MCP_ALLOWED_ORIGINS` };
}

/** Only browsers send an Origin header. */
function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true;
  return URL.canParse(origin) && localhostAllowedHostnames().includes(new URL(origin).hostname);
}

/** The server is stateless: there is no stream to GET and no session to DELETE. */
function methodRefusal({ method }: IncomingMessage): Refusal | null {
  if (method === 'POST') return null;
  return {
    status: 405,
    message: `${method} is not supported: send each message with POST`,
    headers: { allow: 'POST' },
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
  // Otherwise, the request would run as another user.
  const message =
    'This server acts as the user of its SVC_API_TOKEN: send no token, or start the server with MCP_MODE=multi-tenant';
  return { status: 401, message, headers: challenge };
}

/** Constant-time comparison. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/** CORS headers that let pages of allowed origins read responses. */
export function corsOf(req: IncomingMessage, { allowedOrigins }: Settings): Record<string, string> {
  const { origin } = req.headers;
  if (origin === undefined || !isAllowedOrigin(origin, allowedOrigins)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'www-authenticate, retry-after, x-request-id',
    vary: 'Origin',
  };
}

/** Headers of CORS preflight responses. */
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
