import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitBody } from '../../../src/surfaces/http/slow-body.ts';

const limitMs = 100;

/** Sends a body that never ends, one byte at a time.
 *  @returns whether the server has closed the connection after five times the limit */
async function isClosed(path: string, answer: RequestListener): Promise<boolean> {
  const server = createServer(answer).prependListener('request', limitBody(limitMs));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server listens nowhere');
  const socket = connect(address.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
  const drip = setInterval(() => socket.write('x'), 10);
  onTestFinished(() => {
    clearInterval(drip);
    socket.destroy();
    server.close();
  });
  let closed = false;
  socket.resume().once('close', () => (closed = true));
  await sleep(5 * limitMs);
  return closed;
}

const refuse: RequestListener = (req, res) => {
  req.resume();
  res.writeHead(401).end();
};
const receive: RequestListener = (req) => void req.resume();
const upload = '/api/v1/accounts/0190a1b2/files';

describe('a body that never ends', () => {
  it.each([
    ['is cut off after the limit', '/api/v1/budgets', receive, true],
    ['is cut off after an answer', '/api/v1/budgets', refuse, true],
    ['is received while it is uploaded', upload, receive, false],
    ['is cut off after the answer to an upload', upload, refuse, true],
  ])('%s', async (_name, path, answer, expected) => expect(await isClosed(path, answer)).toBe(expected));
});
