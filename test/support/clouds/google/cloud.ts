import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { refusal, type GoogleAnswer, type GoogleCall } from './call.ts';
import { openFakeBigQuery, type FakeBigQuery } from './bigquery.ts';
import { openFakeInventory, type FakeInventory } from './inventory.ts';
import { FakeTokens } from './tokens.ts';

/** All Google Cloud APIs that Costkeep uses, at one address. */
export interface FakeGoogle {
  readonly url: string;
  readonly tokens: FakeTokens;
  readonly bigQuery: FakeBigQuery;
  readonly inventory: FakeInventory;
  /** Permissions that the service account lacks. */
  readonly denied: Set<string>;
  /** All requests, in order. */
  readonly log: GoogleCall[];
  /** Uses this response for the next request with a matching path; each call adds one. */
  failNext(path: RegExp, answer: GoogleAnswer | 'cut' | 'hang'): void;
  /** The log since the last call, as `GET /path`. */
  asked(): string[];
  stop(): Promise<void>;
}

/** Starts a fake. Requests without a response get 501 and are logged. */
export async function startFakeGoogle(): Promise<FakeGoogle> {
  const tokens = new FakeTokens();
  const denied = new Set<string>();
  const bigQuery = await openFakeBigQuery(denied);
  const inventory = openFakeInventory(denied);
  const log: GoogleCall[] = [];
  const faults: { path: RegExp; answer: GoogleAnswer | 'cut' | 'hang' }[] = [];
  const answerTo = async (call: GoogleCall, request: IncomingMessage): Promise<GoogleAnswer> => {
    if (!tokens.knows(request.headers.authorization))
      return refusal(401, 'authError', 'Request had invalid authentication credentials.');
    const answer = (await bigQuery.answer(call)) ?? (await inventory.answer(call));
    return answer ?? refusal(501, 'notImplemented', `${call.method} ${call.path} is not known here`);
  };
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://google');
    const raw = await text(request);
    const isToken = url.pathname === '/token';
    const body: unknown = raw === '' || isToken ? null : JSON.parse(raw);
    const call = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      body,
    };
    log.push(call);
    const fault = faults.findIndex(({ path }) => path.test(call.path));
    const [failing] = fault < 0 ? [] : faults.splice(fault, 1);
    if (failing?.answer === 'hang') return;
    const answer = failing?.answer ?? (isToken ? tokens.answer(raw) : await answerTo(call, request));
    send(response, answer);
  };
  const server = createServer((request, response) => {
    void reply(request, response).catch((error: unknown) => {
      send(response, refusal(500, 'fakeError', String(error)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let seen = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    bigQuery,
    inventory,
    denied,
    log,
    failNext: (path, answer) => faults.push({ path, answer }),
    asked() {
      const since = log.slice(seen);
      seen = log.length;
      return since.map(({ method, path }) => `${method} ${path}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      bigQuery.close();
    },
  };
}

function send(response: ServerResponse, answer: GoogleAnswer | 'cut' | 'hang'): void {
  if (typeof answer === 'string') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('{"kind":"');
    response.socket?.destroy();
    return;
  }
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.json));
}
