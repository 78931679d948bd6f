import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import path from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { newToken } from '../../../src/tenancy/tokens/run.ts';
import { aLine, writeFocus } from '../../support/focus.ts';
import { freePort } from '../../support/free-port.ts';
import { anInstallation, callApi, runProgram } from '../../support/programs.ts';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** An OTLP/HTTP receiver. */
async function aReceiver() {
  const exports: Export[] = [];
  const headers: unknown[] = [];
  const port = await freePort();
  const server = createServer(async (req, res) => {
    exports.push((await json(req)) as Export);
    headers.push({ url: req.url, key: req.headers['x-key'] });
    res.end('{}');
  }).listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  const resources = () => exports.flatMap((one) => one.resourceSpans);
  return {
    url: `http://127.0.0.1:${port}`,
    headers,
    spans: () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () =>
      Object.fromEntries((resources()[0]?.resource.attributes ?? []).map(({ key, value }) => [key, value])),
  };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const callerId = 'b7ad6b7169203331';
const token = newToken();
const password = 'plum kite orbit';

let spans: SentSpan[] = [];
let receiver: Awaited<ReturnType<typeof aReceiver>> | null = null;
let log: Record<string, unknown>[] = [];

/** The names of the spans from a span up to the beginning of its trace. */
function lineage(span: SentSpan | undefined): string[] {
  if (span === undefined) return [];
  return [span.name, ...lineage(spans.find(({ spanId }) => spanId === span.parentSpanId))];
}

const lineages = () => spans.map((span) => lineage(span).join(' < '));

describe('traces of a server', () => {
  it('are sent at the latest when it stops', { timeout: 300_000 }, async () => {
    receiver = await aReceiver();
    const { env, folder } = await anInstallation(inject('postgres').template);
    await writeFocus(path.join(folder, 'bills/may.csv'), [aLine({ day: '2026-05-02', cost: '1234.5' })]);
    const server = runProgram(['serve'], {
      ...env,
      FOCUS_ROOT: folder,
      LOG_LEVEL: 'info',
      COSTKEEP_INIT_ORGANIZATION: 'Plum',
      COSTKEEP_INIT_EMAIL: 'ana@example.com',
      COSTKEEP_INIT_PASSWORD: password,
      COSTKEEP_INIT_TOKEN: token,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=k1',
      OTEL_SERVICE_NAME: 'costs-eu',
    });
    const url = await server.url;
    const body = { name: 'Secret bills', provider: 'focus', settings: { path: 'bills' } };
    const { id } = (await callApi(url, ['POST', '/accounts'], { token, body })).body;
    await vi.waitFor(
      async () => {
        const account = await callApi(url, ['GET', `/accounts/${String(id)}`], { token });
        expect(account.body).toMatchObject({ sync_status: 'succeeded' });
      },
      { timeout: 120_000, interval: 300 },
    );
    const headers = { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-${callerId}-01` };
    const range = 'start_date=2026-05-01&end_date=2026-05-31';
    const costs = await fetch(`${url}/api/v1/costs?${range}&group_by=resource&exclude_service=hunter2`, { headers });
    expect(costs.status).toBe(200);
    const query = '{ me { role } }';
    const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
    await fetch(`${url}/graphql`, { ...asked, body: JSON.stringify({ query }) });
    expect(await server.stop()).toBe(0);
    spans = receiver.spans();
    log = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(spans.length).toBeGreaterThan(10);
  });

  it('use the variables of OpenTelemetry', () => {
    expect(receiver?.resource()).toMatchObject({ 'service.name': { stringValue: 'costs-eu' } });
    expect(new Set(receiver?.headers.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ url: '/v1/traces', key: 'k1' })]),
    );
  });

  it('continue the trace of the caller, down to the engine and the database', () => {
    const request = spans.find(({ name }) => name === 'GET /costs');
    expect(request).toMatchObject({ traceId, parentSpanId: callerId, kind: 2 });
    const fields = Object.fromEntries((request?.attributes ?? []).map(({ key, value }) => [key, value]));
    expect(fields).toMatchObject({
      'http.route': { stringValue: '/costs' },
      'http.response.status_code': { intValue: 200 },
      'costkeep.request_id': { stringValue: expect.any(String) },
    });
    expect(lineages()).toContainEqual(expect.stringMatching(/^the engine process: run < facts [^<]+ < GET \/costs$/));
    expect(lineages()).toContainEqual(expect.stringMatching(/^db [^<]+ < GET \/costs$/));
    expect(lineages()).toContainEqual(expect.stringMatching(/^graphql < POST me$/));
  });

  it('have the steps of a sync', () => {
    expect(lineages()).toContainEqual(expect.stringMatching(/^the loader process: \w+ < sync bills < job sync$/));
    expect(lineages()).toContainEqual(expect.stringMatching(/^db [^<]+ < write month < sync bills < job sync$/));
    expect(lineages()).toContain('sync inventory < job sync');
  });

  it('begin with requests and jobs only', () => {
    const known = new Set(spans.map(({ spanId }) => spanId));
    const roots = spans.filter(({ parentSpanId }) => !parentSpanId || !known.has(parentSpanId));
    expect(roots.filter(({ name }) => !/^(job \w+|(GET|POST) .+)$/.test(name))).toEqual([]);
  });

  it('have no secret and no value of a query', () => {
    const sent = JSON.stringify(spans);
    for (const secret of [token, password, 'hunter2', '1234.5', 'Secret bills', 'ana@example.com'])
      expect(sent.includes(secret), secret).toBe(false);
  });

  it('have their id in log lines', () => {
    const lines = log.filter((line) => line['msg'] === 'request');
    expect(lines.find((line) => line['route'] === '/costs')).toMatchObject({ trace_id: traceId });
    expect(new Set(lines.map((line) => line['requestId'])).size).toBe(lines.length);
  });
});

describe('the code of OpenTelemetry', () => {
  let importers: string[] = [];
  const root = path.resolve(import.meta.dirname, '../../..');
  beforeAll(() => {
    const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
    const imports = (file: string) =>
      /from '(@opentelemetry\/|\.[./\w-]*\/opentelemetry\.ts)/.test(readFileSync(path.join(root, file), 'utf8'));
    importers = files.filter(imports);
  });

  it('is imported statically by one file, which is loaded only with an endpoint', () => {
    expect(importers).toEqual(['src/kit/tracing/opentelemetry.ts']);
  });
});
