import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { limitBody, limitIdle } from '../../../src/surfaces/http/slow-clients.ts';

const limitMs = 100;

/** Starts a server.
 *  @returns a connection to it */
async function reach(server: Server): Promise<Socket> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port');
  const socket = connect(address.port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return socket.on('error', () => {});
}

/** Sends a body that never ends, one byte at a time.
 *  @returns whether the server has closed the connection after five times the limit */
async function isClosed(path: string, answer: RequestListener): Promise<boolean> {
  const socket = await reach(createServer(answer).prependListener('request', limitBody(limitMs)));
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
  const drip = setInterval(() => socket.write('x'), 10);
  onTestFinished(() => clearInterval(drip));
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
    ['is aborted after the limit', '/api/v1/budgets', receive, true],
    ['is aborted after an answer', '/api/v1/budgets', refuse, true],
    ['is received while it is uploaded', upload, receive, false],
    ['is aborted after the answer to an upload', upload, refuse, true],
  ])('%s', async (_name, path, answer, expected) => expect(await isClosed(path, answer)).toBe(expected));
});

describe('a client that stops', () => {
  /** Sends a request, and reads nothing of the response. */
  async function stalled(request: string, answer: (res: ServerResponse) => void) {
    const server = createServer().on('request', limitIdle(limitMs));
    const closed = new Promise<string>((resolve) => {
      server.on('request', (_req, res) => {
        res.once('close', () => resolve(res.writableFinished ? 'answered' : 'disconnected'));
        answer(res);
      });
    });
    const socket = await reach(server);
    socket.pause().write(request);
    return { socket, closed };
  }
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const large = Buffer.alloc(2 ** 26);

  it('is disconnected when it reads nothing of the response', async () => {
    const { closed } = await stalled(get, (res) => res.end(large));
    expect(await closed).toBe('disconnected');
  });

  it('is disconnected when it reads nothing of a response that was not ready within the limit', async () => {
    const { closed } = await stalled(get, (res) => res.once('timeout', () => res.end(large)));
    expect(await closed).toBe('disconnected');
  });

  it('is disconnected when it sends nothing of the body', async () => {
    const { closed } = await stalled('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n', () => {});
    expect(await closed).toBe('disconnected');
  });

  it('gets a response that was not ready within the limit', async () => {
    const { socket, closed } = await stalled(get, (res) => res.once('timeout', () => res.end('ready')));
    const [answer] = (await once(socket.resume(), 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*ready/);
    expect(await closed).toBe('answered');
  });
});
