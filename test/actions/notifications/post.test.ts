import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { outcomeOfAnswer, parseRetryAfter, postToWebhook } from '../../../src/actions/notifications/webhook/post.ts';
import { freePort } from '../../support/free-port.ts';
import { anSmtpServer } from '../../support/smtp.ts';
import { aChatServer, answers, breaks, hangs, type Behaviour } from './chat-server.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const options = { clock: { now: () => now }, allowsPrivate: true, timeoutMs: 400 };
const message = { text: 'Spend is up' };

async function outcomeWith(behaviour: Behaviour) {
  const server = await aChatServer(behaviour);
  const outcome = await postToWebhook(`${server.url}/secret`, message, options);
  expect(JSON.stringify(outcome)).not.toMatch(/secret|127\.0\.0\.1|hooks/);
  return outcome;
}

describe('a message to a chat server', () => {
  it('is posted to the webhook', async () => {
    const server = await aChatServer();
    expect(await postToWebhook(`${server.url}/secret`, message, options)).toEqual({ kind: 'sent' });
    expect(server.taken).toMatchObject([{ path: '/hooks/secret', body: message }]);
  });

  it.each([
    ['does not respond', hangs, 'The chat server did not respond in time'],
    ['breaks the connection', breaks, 'The chat server closed the connection'],
    ['returns 500', answers(500, 'stack at /srv/secret.js'), 'The chat server returned 500'],
    ['rate-limits', answers(429, 'rate_limited'), 'The chat server returned 429 (rate_limited)'],
  ])('is retried if the server %s', async (_name, behaviour, reason) => {
    expect(await outcomeWith(behaviour)).toEqual({ kind: 'later', reason, notBefore: null });
  });

  it('is retried if the server stalls in its response', async () => {
    const outcome = await outcomeWith((_request, response) => void response.writeHead(503).write('wait'));
    expect(outcome).toMatchObject({ kind: 'later', reason: 'The chat server returned 503' });
  });

  it('waits as long as the server requests', async () => {
    expect(await outcomeWith(answers(429, '', { 'retry-after': '90' }))).toMatchObject({
      kind: 'later',
      notBefore: new Date('2026-11-21T10:01:30.000Z'),
    });
  });

  it.each([
    ['does not know the webhook', answers(404, 'no_service'), 'returned 404 (no_service)', true],
    ['has deleted the webhook', answers(410, 'channel_is_archived'), 'returned 410 (channel_is_archived)', true],
    ['prohibits posting', answers(403, 'action_prohibited'), 'returned 403 (action_prohibited)', true],
    ['rejects the blocks', answers(400, 'invalid_blocks'), 'returned 400 (invalid_blocks)', false],
    ['returns an HTML page', answers(400, '<h1>secret</h1>'), 'returned 400', false],
  ])('is not retried if the server %s', async (_name, behaviour, reason, isWebhookGone) => {
    expect(await outcomeWith(behaviour)).toEqual({
      kind: 'refused',
      reason: `The chat server ${reason}`,
      isWebhookGone,
    });
  });

  it('does not follow a redirect, and is retried because the redirect may be temporary', async () => {
    const elsewhere = await aChatServer();
    expect(await outcomeWith(answers(307, '', { location: `${elsewhere.url}/secret` }))).toEqual({
      kind: 'later',
      reason: 'The chat server returned 307: redirects are not followed',
      notBefore: null,
      isWebhookGone: true,
    });
    expect(elsewhere.asked).toEqual([]);
  });

  it('is sent without reading an endless response', async () => {
    const flood: Behaviour = (_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', pour);
      };
      pour();
    };
    expect(await outcomeWith(flood)).toEqual({ kind: 'sent' });
  });

  it('does not decompress a response, which could expand to gigabytes', async () => {
    const squeezed: Behaviour = (_request, response) =>
      void response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync('rate_limited'));
    expect(await outcomeWith(squeezed)).toEqual({
      kind: 'later',
      reason: 'The chat server returned 500',
      notBefore: null,
    });
  });

  it('is retried if the connection is refused', async () => {
    const url = `http://127.0.0.1:${await freePort()}/secret`;
    const reason = 'The chat server refused the connection';
    expect(await postToWebhook(url, message, options)).toEqual({ kind: 'later', reason, notBefore: null });
  });

  it.each(['http://127.0.0.1', 'https://127.0.0.1', 'https://localhost', 'https://[::1]', 'https://169.254.169.254'])(
    'never reaches %s unless configured',
    async (origin) => {
      const server = await aChatServer();
      const outcome = await postToWebhook(`${origin}:${server.port}/secret`, message, {
        ...options,
        allowsPrivate: false,
      });
      expect(outcome).toEqual({
        kind: 'refused',
        reason: 'The webhook was rejected: its host resolves to an address that is not public',
        isWebhookGone: true,
      });
      expect(server.asked).toEqual([]);
    },
  );

  it('is not sent to a server with an untrusted certificate', async () => {
    // The TLS handshake fails before it matters that this server speaks SMTP.
    const { port } = await anSmtpServer({ secure: true });
    expect(await postToWebhook(`https://127.0.0.1:${port}/secret`, message, options)).toEqual({
      kind: 'later',
      reason: 'The certificate of the chat server cannot be trusted',
      notBefore: null,
    });
  });
});

describe('Retry-After', () => {
  it.each([
    ['seconds', '90', '2026-11-21T10:01:30.000Z'],
    ['a date', 'Sat, 21 Nov 2026 11:00:00 GMT', '2026-11-21T11:00:00.000Z'],
    ['more than a day, limited to one day', '9999999', '2026-11-22T10:00:00.000Z'],
  ])('is parsed from %s', (_name, header, at) => expect(parseRetryAfter(header, now)).toEqual(new Date(at)));

  it.each([null, '', '0', '-5', 'soon', 'Sat, 21 Nov 2026 09:00:00 GMT'])('is ignored for %s', (header) =>
    expect(parseRetryAfter(header, now)).toBeNull(),
  );

  it('is also honoured with status 503', () => {
    const answer = { status: 503, retryAfter: '30', text: '' };
    expect(outcomeOfAnswer(answer, now)).toMatchObject({ notBefore: new Date('2026-11-21T10:00:30.000Z') });
  });
});
