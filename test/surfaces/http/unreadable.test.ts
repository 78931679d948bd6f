import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerUnreadable } from '../../../src/surfaces/http/unreadable.ts';
import { essentials } from '../../support/essentials.ts';

/** Sends bytes to a server and reads its whole response. */
async function send(bytes: string): Promise<string> {
  const server = createServer((_req, res) => res.end('never'));
  answerUnreadable(server, 'https://costs.example.com');
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port');
  const socket = connect(address.port, '127.0.0.1', () => socket.write(bytes));
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

it('ignores an unknown expectation', async () => {
  const answer = await send('GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1.1 200 [^]*never/);
});

describe('an unreadable request', () => {
  it.each([
    [
      'a URL above 16 KiB',
      `GET /api/v1/costs/summary?service=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['an unknown HTTP method', 'FETCH /api/v1/org HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'VALIDATION_ERROR'],
    [
      'two lengths, as in request smuggling',
      'POST /api/v1/org HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'VALIDATION_ERROR',
    ],
    ['a request to a proxy', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['bytes that are not HTTP', '\u0016\u0003\u0001\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ])('is rejected with an error envelope, and the connection is closed: %s', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain('Connection: close');
    expect(head).toContain('X-Content-Type-Options: nosniff');
    expect(head).toContain("Content-Security-Policy: default-src 'none';");
    expect(head).toContain('Strict-Transport-Security: max-age=31536000; includeSubDomains');
    expect(essentials(JSON.parse(body))).toEqual({ error: { code, message: expect.any(String), status } });
  });
});
