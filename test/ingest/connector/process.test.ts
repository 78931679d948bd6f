import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { checkAccess, openConnector } from '../../../src/ingest/connector/process.ts';
import { readConfig } from '../../../src/kit/config/config.ts';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import type { ConnectionSpec } from '../../../src/providers/spec.ts';
import { shareCodeCache } from '../../support/code-cache.ts';

// Real processes with a store that never responds.

const base = mkdtempSync(path.join(tmpdir(), 'costkeep-connector-'));
const secret = `sEcRet/${'k'.repeat(33)}`;
const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: secret, sessionToken: null };
const silent: Server = createServer(() => {});
let spec: ConnectionSpec;
let config: ReturnType<typeof readConfig>;

beforeAll(async () => {
  shareCodeCache(base);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  config = readConfig({
    DATA_DIR: base,
    FOCUS_ENDPOINTS: endpoint,
    AWS_SECRET_ACCESS_KEY: 'server-own',
    AWS_ENDPOINT: endpoint,
  });
  const settings = { bucket: 'bills', prefix: '', endpoint, region: 'us-east-1' };
  spec = { provider: 'focus', credentials, settings, trustExternalId: 'x' };
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
  rmSync(base, { recursive: true });
});

const isGone = (pid: number | undefined) => vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), 5_000);

it('stops on abort, and rejects pending requests with the reason', async () => {
  const stopped = new AbortController();
  const connector = await openConnector({ plain: spec }, { config, signal: stopped.signal });
  const listing = connector.ask('list', { memo: null });
  stopped.abort(new Error('cancelled'));
  await expect(listing).rejects.toThrow('cancelled');
  await isGone(connector.pid);
});

it('stops an access check that takes too long', async () => {
  await expect(checkAccess(config, spec, AbortSignal.timeout(700))).rejects.toThrow(/aborted due to timeout/);
});

it('ends at its memory limit when a response never ends', async () => {
  const piece = Buffer.alloc(2 ** 20, ' ');
  const endless = createServer((_request, response) => {
    const pour = () => {
      while (response.write(piece));
    };
    response.on('drain', pour);
    pour();
  }).listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const endpoint = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  const own = { ...config, clouds: { ...config.clouds, focusEndpoints: [endpoint] } };
  const there = { ...spec, settings: { ...spec.settings, endpoint } } as ConnectionSpec;
  const checked = checkAccess(own, there, new AbortController().signal);
  await expect(checked).rejects.toThrow(/^The responses of the provider need more memory than a sync may use; /);
  endless.closeAllConnections();
  endless.close();
}, 60_000);

it('reports only the kind and location of an internal error', async () => {
  const sealed = openSecrets(config.encryptionKeys).encrypt(`{"secret": "${secret}", `, 'row');
  const source = {
    provider: 'focus',
    settings: {},
    trustExternalId: 'x',
    sealed,
    rowId: 'row',
    keys: config.encryptionKeys,
  } as const;
  const { signal } = new AbortController();
  const error: unknown = await openConnector(source, { config, signal }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'connector process: SyntaxError' });
  expect((error as Error).stack).toMatch(/unsealSpec/);
  expect((error as Error).stack).not.toMatch(/sEcRet|Unexpected|JSON at/);
  const another = { ...source, rowId: 'another' };
  await expect(openConnector(another, { config, signal })).rejects.toThrow(
    /^The stored credentials cannot be decrypted/,
  );
});

it('stops with the server, however that ends', async () => {
  const modules = path.resolve(import.meta.dirname, '../../../src');
  const script = `
    import { openConnector } from '${modules}/ingest/connector/process.ts';
    import { readConfig } from '${modules}/kit/config/config.ts';
    const config = readConfig({ DATA_DIR: '${base}', FOCUS_ENDPOINTS: '${config.clouds.focusEndpoints[0]}' });
    const connector = await openConnector({ plain: ${JSON.stringify(spec)} }, { config, signal: new AbortController().signal });
    connector.ask('list', { memo: null }).catch(() => {});
    console.log(connector.pid);`;
  const parent = spawn(process.execPath, [
    '--input-type=module-typescript',
    '--disable-warning=ExperimentalWarning',
    '-e',
    script,
  ]);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  parent.kill('SIGKILL');
  await isGone(pid);
});

it('passes proxies, certificates and the server’s AWS identity from the environment', () => {
  const env = {
    DATA_DIR: base,
    HTTPS_PROXY: 'http://proxy:3128',
    no_proxy: 'a',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    PATH: '/bin',
  };
  const aws = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/x', AWS_ENDPOINT: 'http://127.0.0.1:1' };
  const { connectorEnvironment } = readConfig({ ...env, ...aws });
  expect(Object.keys(connectorEnvironment).sort()).toEqual([
    'AWS_ROLE_ARN',
    'HTTPS_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'no_proxy',
  ]);
});
