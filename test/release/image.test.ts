import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { canRun, type Container, startService } from './container.ts';
import { buildImage, canBuild, configOf, sizeOfImage } from './image.ts';

const uid = 10_001;
const limitMs = 15 * 60_000;
const isAsked = process.env['CI'] !== undefined;
const unable = 'no image, or podman cannot run containers here';

let folder = '';
let image = '';
let isRunnable = false;

/** A folder of this machine for /data. */
function dataFolder(name: string, owner: number): string {
  const data = path.join(folder, name);
  fs.mkdirSync(data, { mode: 0o700 });
  fs.chownSync(data, owner, owner);
  return data;
}

function started(data: string, env: Readonly<Record<string, string>>): Container {
  const container = startService(image, data, { SYNC_CRON: 'off', ...env });
  onTestFinished(() => container.remove());
  return container;
}

async function untilReady(url: string, container: Container): Promise<void> {
  await vi.waitFor(
    async () => {
      const response = await fetch(`${url}/ready`).catch(() => null);
      expect(response?.status, container.logs()).toBe(200);
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

describe.skipIf(!canBuild || !isAsked)('the image (skipped without CI, root and buildah)', () => {
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-image-'));
    fs.chmodSync(folder, 0o711);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it(
    'is built from the committed source',
    () => {
      image = buildImage();
      isRunnable = canRun(image);
      expect(image).not.toBe('');
    },
    limitMs,
  );

  it('is smaller than 500 MB, and has an unprivileged user and a health check', () => {
    expect(sizeOfImage(image)).toBeLessThan(500e6);
    expect(configOf(image)).toMatchObject({
      User: '10001:10001',
      Healthcheck: { Test: ['CMD', '/app/bin/costkeep', 'health'] },
    });
  });

  it(
    'serves as compose.yaml starts it, stops on SIGTERM, and has its data after a restart',
    async ({ skip }) => {
      skip(!isRunnable, unable);
      const data = dataFolder('data', uid);
      const PORT = String(await freePort());
      const url = `http://127.0.0.1:${PORT}`;
      const user = { email: 'ana@example.com', password: 'plum kite orbit' };
      const first = started(data, { PORT });
      await untilReady(url, first);
      const registration = { ...user, name: 'Ana', organization_name: 'Example' };
      expect(await post(`${url}/api/v1/auth/register`, registration)).toBe(201);
      expect((await fetch(url, { headers: { accept: 'text/html' } })).status).toBe(200);
      expect(first.isHealthy(configOf(image).Healthcheck.Test.slice(1))).toBe(true);
      expect(first.stop(), first.logs()).toBe(0);
      const second = started(data, { PORT });
      await untilReady(url, second);
      expect(await post(`${url}/api/v1/auth/login`, user)).toBe(200);
      expect(second.stop(), second.logs()).toBe(0);
      expect(fs.statSync(path.join(data, 'encryption.key'))).toMatchObject({ uid, mode: 0o100600 });
    },
    limitMs,
  );

  it('ends at once with the reason if /data belongs to another user', async ({ skip }) => {
    skip(!isRunnable, unable);
    const container = started(dataFolder('foreign', 0), { PORT: String(await freePort()) });
    expect(container.ended(30_000), container.logs()).toBe(1);
    expect(container.logs()).toContain('DATA_DIR: /data belongs to user 0, not to 10001; run: chown 10001 /data;');
  });
});
