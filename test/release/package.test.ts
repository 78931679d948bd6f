import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readPage } from '../docs/pages.ts';
import { startS3, type FakeS3 } from '../support/clouds/s3.ts';
import { aLine, writeFocus } from '../support/focus.ts';
import { spawnServer, type SpawnedServer } from '../support/server.ts';
import { copyFiles, packedFiles, productionPackages, sizeOf } from './package.ts';

const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

const files = packedFiles();
const packages = productionPackages();

let base = '';
let program = '';
let server: SpawnedServer;
let s3: FakeS3;
let token = '';

/** Files and folders that a document links to, relative to the root. */
function linkedFrom(name: string): { readonly name: string; readonly to: string }[] {
  const targets = [...readPage(name).prose.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)].map(([, target = '']) => target);
  return targets.map((target) => ({ name, to: path.join(path.dirname(name), target) }));
}

/** No program of the development packages is in the path. */
const environment = () => ({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: base, DATA_DIR: path.join(base, 'data') });

async function call<Body>(method: string, at: string, body?: object): Promise<Body> {
  const response = await fetch(`${server.url}/api/v1${at}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${at} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

async function synced(id: string): Promise<void> {
  const options = { timeout: 50_000, interval: 200 };
  await vi.waitFor(async () => {
    expect(await call('GET', `/accounts/${id}`)).toMatchObject({ sync_status: 'succeeded', last_sync_error: null });
  }, options);
}

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-release-'));
  fs.chmodSync(base, 0o711); // root's database user must be able to pass through it
  const release = path.join(base, 'release');
  copyFiles([...files, ...packages], release);
  program = path.join(release, 'bin/costkeep');
  const lines = Array.from({ length: 70 }, (_, at) =>
    aLine({ day: dayBefore(at + 1), cost: '12.5', ResourceId: 'vm-1' }),
  );
  const bills = path.join(base, 'bills');
  await writeFocus(path.join(bills, 'aws/bill.csv'), lines);
  s3 = await startS3();
  await s3.upload('bills', bills);
  const limits = ['AUTH', 'READ', 'WRITE', 'REPORT'].map((name) => [`RATE_LIMIT_${name}`, '100000']);
  const env = { ...environment(), ...Object.fromEntries(limits), PORT: '0', LOG_LEVEL: 'error', FOCUS_ROOT: bills };
  server = await spawnServer({ ...env, FOCUS_ENDPOINTS: s3.url }, 'serve', [program]);
  const user = { email: 'ana@example.com', password: 'plum kite orbit', name: 'Ana', organization_name: 'Example' };
  ({ access_token: token } = await call<{ access_token: string }>('POST', '/auth/register', user));
}, 120_000);
afterAll(async () => {
  await server.stop();
  await s3.stop();
  fs.rmSync(base, { recursive: true, force: true });
});

describe('the tarball', () => {
  it('takes less than 450 MB with its packages, and contains no compiler or bundler', () => {
    expect(sizeOf([...files, ...packages])).toBeLessThan(450e6);
    expect(packages.filter((name) => /typescript|vite|rolldown|esbuild|prisma$|react/.test(name))).toEqual([]);
    expect(packages.length).toBeLessThan(40);
  });

  it('has the licenses of the packages that are bundled', () => {
    const text = fs.readFileSync(path.join(base, 'release/dist/server/licenses.md'), 'utf8');
    for (const name of ['graphql', 'express', '@prisma/client', '@aws-sdk/client-s3', '@azure/identity'])
      expect(text).toContain(`## ${name} `);
  });

  it('contains no source, test or local file', () => {
    expect(files.filter((name) => /^(src|test|\.)|\/\.|\.ts$/.test(name))).toEqual([]);
  });

  it('contains every file and folder that its documents link to', () => {
    const links = files.filter((name) => name.endsWith('.md') && !name.startsWith('dist/')).flatMap(linkedFrom);
    expect(links.length).toBeGreaterThan(50);
    const isPacked = (to: string) => files.some((name) => name === to || name.startsWith(`${to}/`));
    expect(links.filter(({ to }) => !isPacked(to))).toEqual([]);
  });
});

describe('the built server', () => {
  it('serves the console, the reference of the API and GraphiQL with their files', async () => {
    for (const at of ['/', '/docs', '/graphql']) {
      const response = await fetch(server.url + at, { headers: { accept: 'text/html' } });
      const html = await response.text();
      expect(response.status).toBe(200);
      const loaded = [...html.matchAll(/(?:src|href)="(\/[\w./-]+\.(?:js|css))"/g)].map(([, file]) => file ?? '');
      expect(loaded.length).toBeGreaterThan(0);
      for (const file of loaded) expect([file, (await fetch(server.url + file)).status]).toEqual([file, 200]);
    }
  });

  it('loads bills of a folder and a bucket, and answers from facts, with forecasts', async () => {
    const folder = { name: 'folder', provider: 'focus', settings: { path: 'aws' } };
    const { id } = await call<{ id: string }>('POST', '/accounts', folder);
    await synced(id);
    const credentials = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'x'.repeat(40) };
    const settings = { bucket: 'bills', prefix: 'aws/', endpoint: s3.url, region: 'us-east-1' };
    const bucket = await call<{ id: string }>('POST', '/accounts', {
      name: 'bucket',
      provider: 'focus',
      credentials,
      settings,
    });
    await synced(bucket.id);
    const range = `start_date=${dayBefore(70)}&end_date=${dayBefore(1)}&group_by=resource`;
    const costs = await call<{ rows: { cost: string }[] }>('GET', `/costs?${range}`);
    expect(costs.rows.map(({ cost }) => Number(cost))).toEqual([1750]);
    expect(await call('GET', '/forecast')).toMatchObject({ points: expect.any(Array) });
  });

  it('writes a report as PDF', async () => {
    const { id } = await call<{ id: string }>('POST', '/reports', { type: 'cost_by_service', format: 'pdf' });
    await vi.waitFor(async () => expect(await call('GET', `/reports/${id}`)).toMatchObject({ status: 'ready' }), {
      timeout: 50_000,
      interval: 200,
    });
    const file = await fetch(`${server.url}/api/v1/reports/${id}/download`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('reports its readiness to the health check of the image', () => {
    const { port } = new URL(server.url);
    expect(execFileSync(program, ['health'], { env: { ...environment(), PORT: port }, encoding: 'utf8' })).toContain(
      '"status":"ok"',
    );
    const { status, stderr } = spawnSync(program, ['health'], {
      env: { ...environment(), PORT: '1' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('127.0.0.1:1 is not ready');
  });
});

describe('the built MCP server', () => {
  it('offers its tools over standard input', async () => {
    const { token: secret } = await call<{ token: string }>('POST', '/auth/tokens', { name: 'assistant' });
    const client = new Client({ name: 'test', version: '1' });
    const env = { ...environment(), SVC_API_TOKEN: secret, SVC_API_URL: server.url };
    await client.connect(new StdioClientTransport({ command: program, args: ['mcp', '--stdio'], env }));
    expect((await client.listTools()).tools).toHaveLength(21);
    await client.close();
  });
});
