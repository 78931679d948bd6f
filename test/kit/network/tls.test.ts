import { once } from 'node:events';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { serverTls } from '../../../src/kit/network/tls.ts';
import { answerUnreadable } from '../../../src/surfaces/http/unreadable.ts';
import { serverCertPath, serverKeyPath } from '../../support/clouds/azure/certificates.ts';

const server = https.createServer(serverTls({ certPath: serverCertPath, keyPath: serverKeyPath }));
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** The protocol and cipher suite that the server chooses for a client; null if it refuses. */
async function negotiate(options: tls.ConnectionOptions): Promise<string | null> {
  const { port } = server.address() as AddressInfo;
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
  try {
    await once(socket, 'secureConnect');
    return `${socket.getProtocol()} ${socket.getCipher().name}`;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

it('prefers TLS 1.3 and the strongest cipher suite', async () => {
  expect(await negotiate({})).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
});

it('accepts TLS 1.2 with forward secrecy and authenticated encryption', async () => {
  const older = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' } as const;
  expect(await negotiate(older)).toBe('TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256');
});

it.each([
  ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
  ['a cipher suite without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES256-GCM-SHA384' }],
  ['a cipher suite without authenticated encryption', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES256-SHA384' }],
] as const)('refuses %s', async (_what, options) => {
  expect(await negotiate(options)).toBeNull();
});

it('ends handshakes that are not finished within 10 seconds', async () => {
  const { handshakeTimeout = 0, ...options } = serverTls({ certPath: serverCertPath, keyPath: serverKeyPath });
  expect(handshakeTimeout).toBe(10_000);
  const slow = https.createServer({ ...options, handshakeTimeout: handshakeTimeout / 100 });
  answerUnreadable(slow, 'https://costs.example.com');
  slow.listen(0, '127.0.0.1');
  onTestFinished(() => void slow.close());
  await once(slow, 'listening');
  const socket = net.connect((slow.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket.resume(), 'close');
});
