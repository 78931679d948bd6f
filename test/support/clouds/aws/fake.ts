import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request as parsed by AWS. */
export interface AwsCall {
  /** Service of the SigV4 scope: `sts`, `ce`, `ec2`. */
  readonly service: string;
  readonly region: string;
  /** `GetCostAndUsage` */
  readonly operation: string;
  /** Parsed JSON, or form fields. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly accessKeyId: string;
  readonly sessionToken: string | null;
}

/** A response of the fake: JSON or XML, with status 200 by default. */
export interface AwsAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly xml?: string;
}

/** Responses by `service.Operation`. */
export type AwsAnswers = Readonly<Record<string, (call: AwsCall) => AwsAnswer | Promise<AwsAnswer>>>;

/** All of AWS except S3, at one address. */
export interface FakeAws {
  readonly url: string;
  /** All requests, in order. */
  readonly log: AwsCall[];
  /** Adds or replaces responses. */
  answer(answers: AwsAnswers): void;
  /** The log since the last call, as `service.Operation region`. */
  asked(): string[];
  stop(): Promise<void>;
}

/** Starts a fake. Requests without a response get 501, which no client treats as success, and are logged. */
export async function startFakeAws(first: AwsAnswers = {}): Promise<FakeAws> {
  const answers = new Map(Object.entries(first));
  const log: AwsCall[] = [];
  const server = createServer((request, response) => {
    void reply(request, response).catch(() => response.destroy());
  });
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request);
    log.push(call);
    const answer = answers.get(`${call.service}.${call.operation}`);
    send(
      response,
      answer ? await answer(call) : { status: 501, json: { __type: 'NotImplemented', message: 'unknown' } },
    );
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let seen = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    answer: (more) => Object.entries(more).forEach(([name, each]) => answers.set(name, each)),
    asked() {
      const since = log.slice(seen);
      seen = log.length;
      return since.map((call) => `${call.service}.${call.operation} ${call.region}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Throws if a log contains a write operation. */
export function refuseAwsWrites(log: readonly AwsCall[]): void {
  const writes = log.filter(({ operation }) => !/^(Describe|List|Get|Search|AssumeRole$)/.test(operation));
  if (writes.length > 0)
    throw new Error(`Something would be changed: ${writes.map((call) => call.operation).join(', ')}`);
}

async function readCall(request: IncomingMessage): Promise<AwsCall> {
  const scope = /Credential=([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '');
  const [, accessKeyId = '', region = '', service = ''] = scope ?? [];
  const body = await text(request);
  const token = request.headers['x-amz-security-token'];
  const sessionToken = typeof token === 'string' ? token : null;
  return { service, region, accessKeyId, sessionToken, ...operationOf(request, service, body) };
}

function operationOf(request: IncomingMessage, service: string, body: string): Pick<AwsCall, 'operation' | 'params'> {
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string') return { operation: target.split('.')[1] ?? '', params: json(body) };
  const url = new URL(request.url ?? '/', 'http://aws');
  if (url.pathname === '/') {
    const form = Object.fromEntries(new URLSearchParams(body));
    return { operation: form['Action'] ?? '', params: form };
  }
  const params = { ...Object.fromEntries(url.searchParams), ...json(body) };
  // Only OpenSearch has paths without the operation name.
  if (service === 'es' && url.pathname.endsWith('/opensearch/reservedInstances'))
    return { operation: 'DescribeReservedInstances', params };
  return { operation: url.pathname.slice(1), params };
}

function json(body: string): Record<string, unknown> {
  return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
}

function send(response: ServerResponse, answer: AwsAnswer): void {
  const type = answer.xml === undefined ? 'application/json' : 'text/xml';
  response.writeHead(answer.status ?? 200, { 'content-type': type, 'x-amzn-requestid': 'fake', ...answer.headers });
  response.end(answer.xml ?? JSON.stringify(answer.json ?? {}));
}
