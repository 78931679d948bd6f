import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { buildImage, canBuild, configOf, openContainer, sizeOfImage, type Container } from './image.ts';

const uid = 10_001;
const limitMs = 15 * 60_000;
const isAsked = process.env['CI'] !== undefined;

let folder = '';
let image = '';
let container: Container;

/** A folder of this machine for /data. */
function dataFolder(name: string, owner: number): string {
  const data = path.join(folder, name);
  fs.mkdirSync(data, { mode: 0o700 });
  fs.chownSync(data, owner, owner);
  return data;
}

async function started(data: string): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const port = await freePort();
  const server = container.start(data, { PORT: String(port), SYNC_CRON: 'off' });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), {
    timeout: 60_000,
    interval: 200,
  });
  return { server, url };
}

/** Stops the server in the container: buildah passes no signals on. */
async function stopped(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit');
  spawnSync('pkill', ['-TERM', '-f', '/app/dist/server/main.js serve']);
  expect(await exited).toEqual([0, null]);
}

async function post(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

describe.skipIf(!canBuild || !isAsked)('the image (skipped without CI, root and buildah)', () => {
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-image-'));
    fs.chmodSync(folder, 0o711);
    image = buildImage();
    container = openContainer(image);
  }, limitMs);
  afterAll(() => {
    container.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('has less than 500 MB, a user without rights and a health check', () => {
    expect(sizeOfImage(image)).toBeLessThan(500e6);
    expect(configOf(image)).toMatchObject({
      User: '10001:10001',
      Healthcheck: { Test: ['CMD', '/app/bin/costkeep', 'health'] },
    });
  });

  it('serves, stops at SIGTERM, and has its data after a restart', async () => {
    const data = dataFolder('data', uid);
    const user = { email: 'ana@example.com', password: 'plum kite orbit' };
    const first = await started(data);
    const registration = { ...user, name: 'Ana', organization_name: 'Example' };
    expect(await post(`${first.url}/api/v1/auth/register`, registration)).toBe(201);
    expect((await fetch(first.url, { headers: { accept: 'text/html' } })).status).toBe(200);
    await stopped(first.server);
    const second = await started(data);
    expect(await post(`${second.url}/api/v1/auth/login`, user)).toBe(200);
    await stopped(second.server);
    expect(fs.statSync(path.join(data, 'encryption.key'))).toMatchObject({ uid, mode: 0o100600 });
  });
});
