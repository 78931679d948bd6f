import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { serverCertPath, serverKeyPath } from './azure/certificates.ts';

/** A failure of a request. */
export type Fault =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The connection closes after this many bytes of the body, before its Content-Length. */
  | { readonly kind: 'cut'; readonly after: number }
  /** The body is truncated to this many bytes, with a matching Content-Length. */
  | { readonly kind: 'shorten'; readonly to: number }
  /** The body stalls after this many bytes, with the connection open. */
  | { readonly kind: 'stall'; readonly after: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'rewrite'; readonly body: (body: string) => string }
  /** Runs something first, then proceeds normally. */
  | { readonly kind: 'before'; readonly run: () => Promise<void> };

/** The requests that a fault affects. */
interface Rule {
  readonly when: RegExp;
  readonly fault: Fault;
  left: number;
}

/** A proxy on loopback that forwards requests, except for injected faults. */
export interface FaultyProxy {
  readonly url: string;
  /** All requests in order, as `GET /bucket/key?x=y`. */
  readonly log: string[];
  /** Injects a fault into requests whose log line matches `when`, `times` times or always by default. */
  fail(when: RegExp, fault: Fault, times?: number): void;
  /** Clears faults and log. */
  heal(): void;
  stop(): Promise<void>;
}

/** Starts a proxy for an emulator, with TLS and the test certificate if the emulator uses TLS. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const rules: Rule[] = [];
  const log: string[] = [];
  const handle: http.RequestListener = (request, response) => {
    const line = `${request.method} ${request.url}`;
    log.push(line);
    const rule = rules.find(({ when, left }) => left > 0 && when.test(line));
    if (rule) rule.left--;
    answer(target, rule?.fault ?? null, { request, response }).catch(() => response.destroy());
  };
  const isTls = target.startsWith('https:');
  const tls = isTls ? { cert: readFileSync(serverCertPath), key: readFileSync(serverKeyPath) } : {};
  const server = isTls ? https.createServer(tls, handle) : http.createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${isTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    fail: (when, fault, times = Infinity) => void rules.push({ when, fault, left: times }),
    heal() {
      rules.length = 0;
      log.length = 0;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

async function answer(target: string, fault: Fault | null, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  if (fault?.kind === 'hang') return;
  if (fault?.kind === 'answer') {
    response.writeHead(fault.status, fault.headers).end(request.method === 'HEAD' ? undefined : fault.body);
    return;
  }
  if (fault?.kind === 'before') await fault.run();
  const upstream = await handOn(target, request);
  const body = Buffer.concat(await Array.fromAsync(upstream));
  const headers = { ...upstream.headers };
  delete headers['transfer-encoding'];
  const sent = fault?.kind === 'rewrite' ? Buffer.from(fault.body(body.toString())) : body;
  if (request.method !== 'HEAD') headers['content-length'] = String(sent.length);
  await send({ status: upstream.statusCode ?? 502, headers, body: sent }, fault, response);
}

async function handOn(target: string, request: http.IncomingMessage): Promise<http.IncomingMessage> {
  const { request: open } = target.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const onward = open(target + request.url, { method: request.method, headers }, resolve);
    onward.on('error', reject);
    request.pipe(onward);
  });
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

async function send(
  { status, headers, body }: Answer,
  fault: Fault | null,
  response: http.ServerResponse,
): Promise<void> {
  if (fault?.kind === 'shorten') {
    const short = body.subarray(0, fault.to);
    response.writeHead(status, { ...headers, 'content-length': short.length }).end(short);
    return;
  }
  response.writeHead(status, headers);
  if (fault?.kind !== 'cut' && fault?.kind !== 'stall') {
    response.end(body);
    return;
  }
  await new Promise<void>((resolve) => response.write(body.subarray(0, fault.after), () => resolve()));
  if (fault.kind === 'cut') response.destroy();
}
