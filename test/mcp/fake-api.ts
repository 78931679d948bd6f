import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A fake of the API. */
export interface FakeApi {
  /** The value for SVC_API_URL. */
  readonly base: string;
  /** The received requests, in order. */
  readonly asked: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a server with the given listener; closed when the test ends. */
export async function aFakeApi(answer: RequestListener): Promise<FakeApi> {
  const asked: IncomingMessage[] = [];
  const server = http.createServer((req, res) => {
    asked.push(req);
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`, asked, close };
}

/** Responds with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestListener {
  return (_req, res) => {
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(JSON.stringify(body));
  };
}

/** Responds with the API's error envelope. */
export function refusing(status: number, code: string, message: string, headers: Record<string, string> = {}) {
  return json(status, { error: { code, message } }, { 'x-request-id': 'req-12345678', ...headers });
}
