import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { worldOfFile } from '../../support/world.ts';

const at = worldOfFile();

/** Sends the head of a request and some of its body, then waits for the server to answer and to close the connection. */
async function send(head: readonly string[], body: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(at().url);
  const bytes = `${[head[0], 'Host: localhost', ...head.slice(1)].join('\r\n')}\r\n\r\n${body}`;
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  let text = '';
  try {
    for await (const chunk of socket) text += String(chunk);
  } catch (error) {
    // Closed while this side was still sending.
    if (text === '') throw error;
  }
  return { status: Number(text.split(' ')[1]), text };
}

const json = 'Content-Type: application/json';
const huge = 'Content-Length: 5000000000';
const started = '{"name":"';
const chunk = `200000\r\n${'x'.repeat(0x200000)}\r\n`;

describe('a body above 1 MiB', () => {
  it.each([
    ['declared, in REST', 'POST /api/v1/budgets HTTP/1.1', huge, started],
    ['declared, in GraphQL', 'POST /graphql HTTP/1.1', huge, started],
    ['in chunks, in REST', 'POST /api/v1/budgets HTTP/1.1', 'Transfer-Encoding: chunked', chunk],
    ['in chunks, in GraphQL', 'POST /graphql HTTP/1.1', 'Transfer-Encoding: chunked', chunk],
  ])('is refused before it has arrived, and the connection is closed: %s', async (_what, line, length, body) => {
    const { token } = await at().register();
    const { status, text } = await send([line, `Authorization: Bearer ${token}`, json, length], body);
    expect(status).toBe(413);
    expect(text).toMatch(/^Connection: close\r$/im);
    expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
    expect(text).toContain('The body is larger than 1 MiB');
  });

  it('is not read after another refusal either', async () => {
    const { token } = await at().register();
    const authorization = `Authorization: Bearer ${token}`;
    const refused = [
      await send(['POST /api/v1/budgets HTTP/1.1', json, huge], started),
      await send(['POST /api/v1/nothing HTTP/1.1', json, huge], started),
      await send(['DELETE /api/v1/budgets/x HTTP/1.1', authorization, json, huge], started),
      await send(['GET /api/v1/docs HTTP/1.1', authorization, json, huge], started),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 404, 400, 400]);
    for (const { text } of refused) expect(text).toMatch(/^Connection: close\r$/im);
  });
});
