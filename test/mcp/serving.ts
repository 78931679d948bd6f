import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import http from 'node:http';
import { onTestFinished } from 'vitest';
import { openLog } from '../../src/kit/log.ts';
import { serveHttp, type Limits } from '../../src/mcp/http/serve.ts';
import { readSettings } from '../../src/mcp/settings.ts';

/** Both generations of the protocol. */
export const eras = { '2026': { mode: 'auto' }, '2025': { mode: 'legacy' } } as const;
export type Era = keyof typeof eras;

/** An MCP server over HTTP, in this process. */
export interface Served {
  readonly url: string;
  /** The parsed log lines. */
  readonly log: Record<string, unknown>[];
  /** The complete log as text. */
  readonly logged: () => string;
  stop(): Promise<void>;
  /** Opens an SDK client, closed when the test ends. */
  client(token?: string, era?: Era): Promise<Client>;
  /** Sends a raw request. */
  raw(options: RawRequest): Promise<RawAnswer>;
}

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

/** Starts a server for a test.
 *  @param env its environment, except for a free port */
export async function aServedMcp(env: Record<string, string>, limits: Partial<Limits> = {}): Promise<Served> {
  let logged = '';
  const destination = { write: (line: string) => void (logged += line) };
  const settings = readSettings({ PORT: '0', ...env }, 'http');
  const { address, stop } = await serveHttp(settings, openLog('info', destination), { graceMs: 0, ...limits });
  onTestFinished(stop);
  return {
    url: address,
    get log() {
      const lines = logged.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    logged: () => logged,
    stop,
    client: (token, era) => clientOf(`${address}/mcp`, token, era),
    raw: (options) => send(address, options),
  };
}

async function clientOf(url: string, token?: string, era: Era = '2026'): Promise<Client> {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: eras[era] });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Without fetch, which does not allow setting the Host header. */
function send(address: string, { method = 'POST', path = '/mcp', headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const accept = 'application/json, text/event-stream';
  const all = { ...(body === undefined ? {} : { 'content-type': 'application/json', accept }), ...headers };
  const request = http.request(address + path, { method, headers: all }, (res) => {
    let text = '';
    res.setEncoding('utf8');
    res.on('data', (chunk: string) => (text += chunk));
    res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
    res.on('error', reject);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** The first message of a legacy (2025) client. */
export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A tool call as sent by a legacy (2025) client. */
export function toolCall(name: string, args: object = {}, id = 2): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
}
