import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request, as AWS would read it. */
export interface AwsCall {
  /** Of the SigV4 scope: `sts`, `ce`, `ec2`. */
  readonly service: string;
  readonly region: string;
  /** `GetCostAndUsage` */
  readonly operation: string;
  /** Parsed JSON, or the form's fields. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly accessKeyId: string;
  readonly sessionToken: string | null;
}

/** What a fake answers: JSON or XML, 200 unless it says otherwise. */
export interface AwsAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly xml?: string;
}

/** Answers of a service's operations, by `service.Operation`. */
export type AwsAnswers = Readonly<Record<string, (call: AwsCall) => AwsAnswer | Promise<AwsAnswer>>>;

/** Everything of AWS but S3, at one address. */
export interface FakeAws {
  readonly url: string;
  /** Everything that was asked, in order. */
  readonly log: AwsCall[];
  /** Adds answers, or replaces them. */
  answer(answers: AwsAnswers): void;
  /** The log since the last call, as `service.Operation region`. */
  asked(): string[];
  stop(): Promise<void>;
}

/** Starts one. What it has no answer for is answered 501, which no client takes for success, and stands in the log. */
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
  let told = 0;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    log,
    answer: (more) => Object.entries(more).forEach(([name, each]) => answers.set(name, each)),
    asked() {
      const since = log.slice(told);
      told = log.length;
      return since.map((call) => `${call.service}.${call.operation} ${call.region}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** @throws {Error} when a log holds an operation that could change something. */
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
  // OpenSearch alone has paths that do not name their operation.
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
