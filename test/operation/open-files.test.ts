import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkOpenFiles, connectionLimits } from '../../src/kit/process/open-files.ts';
import { spawnServer } from '../support/server.ts';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** Starts a server whose limit of open files is low. */
async function aServer(limit: number) {
  const base = mkdtempSync(path.join(tmpdir(), 'costkeep-files-'));
  chmodSync(base, 0o711); // root's database user must be able to pass through it
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: path.join(base, 'data'), PORT: '0', SYNC_CRON: 'off' };
  const shell = `ulimit -n ${limit}; exec "$0" "$@"`;
  const server = await spawnServer(env, 'serve', ['/bin/sh', '-c', shell, process.execPath, main]);
  onTestFinished(() => server.stop());
  return server;
}

/** A connection that sends nothing yet. */
async function connectTo(url: string): Promise<net.Socket> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

function ask(socket: net.Socket, route: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.once('close', () => resolve(text));
    socket.write(`GET ${route} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
}

describe('checkOpenFiles', () => {
  it('warns of a low limit, and refuses one with which a server cannot work', () => {
    expect([checkOpenFiles(null), checkOpenFiles(1_024)]).toEqual([null, null]);
    expect(checkOpenFiles(1_023)).toMatch(
      /^The limit of open files is 1023: only 863 clients are served at a time; raise /,
    );
    expect(checkOpenFiles(192)).toMatch(/only 32 clients/);
    expect(() => checkOpenFiles(191)).toThrow(
      /^The limit of open files is 191, and a server needs at least 192; raise it/,
    );
    expect(connectionLimits(null)).toEqual({ served: Infinity, accepted: Infinity });
  });
});

describe('a server with a low limit of open files', () => {
  it('does not start with a limit of 128, and says why', async () => {
    await expect(aServer(128)).rejects.toThrow(
      /The server ended with 1: The limit of open files is 128, and a server needs at least 192; raise it, for example with/,
    );
  });

  it('answers 503 with Retry-After above its limit of clients, and keeps files for the database', async () => {
    const { url } = await aServer(192);
    const idle = await Promise.all(Array.from({ length: 32 }, () => connectTo(url)));
    await sleep(200);
    const refused = await ask(await connectTo(url), '/ready');
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/^retry-after: 5\r$/im);
    expect(refused).toContain('"code":"SERVICE_UNAVAILABLE"');
    expect(refused).toContain('Too many clients are connected; try again in 5 seconds');
    // Accepted connections continue to work, and so does the database.
    const [first, ...others] = idle;
    if (!first) throw new Error('nothing connected');
    expect(await ask(first, '/ready')).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of others) socket.destroy();
    await sleep(200);
    expect((await fetch(`${url}/ready`)).status).toBe(200);
  });
});
