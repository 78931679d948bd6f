import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Agent, request as Request } from 'undici';
import type { Clock } from '../../../kit/time/clock.ts';
import { AddressRefusedError, checkedLookup, checkLiteral, type Reach } from '../../../kit/network/reach.ts';

/** Timeout of a complete request, in ms. */
const timeoutMs = 10_000;
/** Maximum bytes read of a response; Slack answers just `ok`. */
const answerBytes = 16_384;

/** How requests are made. */
interface PostOptions {
  readonly clock: Clock;
  readonly allowsPrivate: boolean;
  /** 10 seconds by default. */
  readonly timeoutMs?: number;
}

/** Posts a message to a Slack webhook, once. Redirects are not followed. The outcome never contains the webhook's URL.
 *  @param url https; plain http only with `allowsPrivate`, and to private addresses */
export function postToWebhook(
  url: string,
  message: IncomingWebhookSendArguments,
  options: PostOptions,
): Promise<Outcome> {
  return exchange(url, options, async ({ fetch, ms }) => {
    // Loaded on demand, because servers without webhooks do not need it.
    const { IncomingWebhook } = await import('@slack/webhook');
    await new IncomingWebhook(url, { timeout: ms, fetch }).send(message);
  });
}

/** Posts JSON to a webhook, once, as `postToWebhook` does. */
export function postJson(
  url: string,
  { body, headers }: { readonly body: string; readonly headers?: Readonly<Record<string, string>> },
  options: PostOptions,
): Promise<Outcome> {
  return exchange(url, options, async ({ fetch, ms }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ms),
    });
    if (!response.ok) throw new Error('The message was not accepted');
  });
}

/** Makes one request through a new agent.
 *  @param send throws if the message was not accepted */
async function exchange(
  url: string,
  options: PostOptions,
  send: (through: { fetch: typeof globalThis.fetch; ms: number }) => Promise<void>,
): Promise<Outcome> {
  const { protocol, hostname } = new URL(url);
  const reach: Reach = { allowsPrivate: options.allowsPrivate, isEncrypted: protocol === 'https:' };
  const ms = options.timeoutMs ?? timeoutMs;
  // Loaded on demand: about 30 MiB that servers without webhooks do not need.
  const undici = await import('undici');
  const agent = agentFor(undici.Agent, { reach, ms });
  const answer: { last: WebhookAnswer | null } = { last: null };
  try {
    checkLiteral(hostname, reach);
    await send({ fetch: fetchThrough(undici.request, { agent, answer }), ms });
    return { kind: 'sent' };
  } catch (error) {
    return answer.last ? outcomeOfAnswer(answer.last, options.clock.now()) : outcomeOfFailure(error);
  } finally {
    // Connections that are still open belong to a server that did not answer.
    await agent.destroy();
  }
}

function agentFor(Kind: typeof Agent, { reach, ms }: { reach: Reach; ms: number }): Agent {
  const connect = { lookup: checkedLookup(reach), timeout: ms };
  return new Kind({ connect, headersTimeout: ms, bodyTimeout: ms, maxResponseSize: answerBytes, pipelining: 0 });
}

/** Creates a fetch that uses our agent, and records the response details that Slack's client does not expose. Bodies stay
 *  compressed, because a few bytes could expand to gigabytes, and redirects are not followed. */
function fetchThrough(
  request: typeof Request,
  { agent, answer }: { agent: Agent; answer: { last: WebhookAnswer | null } },
): typeof globalThis.fetch {
  return async (input, init) => {
    const { headers, body, signal } = init ?? {};
    const response = await request(String(input), {
      method: 'POST',
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : null,
      signal: signal ?? null,
      dispatcher: agent,
    });
    const { statusCode: status, headers: answered } = response;
    if (status >= 200 && status < 300) {
      response.body.on('error', () => {}).destroy();
      return new Response('ok');
    }
    const header = answered['retry-after'];
    const retryAfter = typeof header === 'string' ? header : null;
    answer.last = { status, retryAfter, text: '' };
    const text = await response.body.text().catch(() => '');
    answer.last = { status, retryAfter, text };
    return new Response(text, { status: status < 400 || status > 599 ? 502 : status });
  };
}

/** Maps a failed request to an outcome. */
function outcomeOfFailure(error: unknown): Outcome {
  const causes = chain(error);
  const refused = causes.find((cause) => cause instanceof AddressRefusedError);
  if (refused) return { kind: 'refused', reason: `The webhook was rejected: ${refused.message}`, isWebhookGone: true };
  return { kind: 'later', reason: reasonOf(causes), notBefore: null };
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The host name of the chat server does not exist',
  EAI_AGAIN: 'The host name of the chat server could not be resolved',
  ECONNREFUSED: 'The chat server refused the connection',
  ECONNRESET: 'The chat server closed the connection',
  EHOSTUNREACH: 'The chat server cannot be reached',
  ENETUNREACH: 'The chat server cannot be reached',
  ETIMEDOUT: 'The chat server did not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'The chat server did not respond in time',
  UND_ERR_HEADERS_TIMEOUT: 'The chat server did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'The chat server did not respond in time',
  UND_ERR_SOCKET: 'The chat server closed the connection',
};

function reasonOf(causes: readonly Error[]): string {
  if (causes.some(({ name }) => name === 'TimeoutError')) return 'The chat server did not respond in time';
  const codes = causes.map((cause) => ('code' in cause ? String(cause.code) : ''));
  const known = codes.map((code) => reasons[code]).find((reason) => reason !== undefined);
  if (known) return known;
  if (codes.some((code) => /CERT|TLS|SSL|SELF_SIGNED|EPROTO/.test(code)))
    return 'The certificate of the chat server cannot be trusted';
  return 'The connection to the chat server failed';
}

function chain(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at: unknown = error; at instanceof Error && found.length < 10; at = at.cause) {
    found.push(at);
    // If several addresses of a name failed.
    if (at instanceof AggregateError) found.push(...at.errors.filter((one) => one instanceof Error));
  }
  return found;
}

/** A chat server's response other than success. */
export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const msPerSecond = 1000;
/** Maximum wait that a server can request, in ms: one day. */
const longestWaitMs = 86_400_000;

/** Slack's error codes for a webhook that rejects every message. */
const goneWords: ReadonlySet<string> = new Set([
  'no_service',
  'no_team',
  'team_disabled',
  'invalid_token',
  'channel_not_found',
  'channel_is_archived',
  'user_not_found',
  'action_prohibited',
  'posting_to_general_channel_denied',
]);

/** Maps a rejection to an outcome: 408, 429 and 5xx are retried, after the requested delay if given. Redirects are retried too:
 *  they are not followed, but usually come from a temporary proxy or login page. All others are final. */
export function outcomeOfAnswer({ status, retryAfter, text }: WebhookAnswer, now: Date): Outcome {
  // Repeats only what is certainly a Slack error code: another server's HTML page does not help the owner.
  const word = /^[a-z_]{2,60}$/.test(text.trim()) ? text.trim() : null;
  const answered = `The chat server returned ${status}${word ? ` (${word})` : ''}`;
  if (status >= 300 && status < 400)
    return { kind: 'later', reason: `${answered}: redirects are not followed`, notBefore: null, isWebhookGone: true };
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'later', reason: answered, notBefore: parseRetryAfter(retryAfter, now) };
  const isGone = status === 401 || status === 403 || status === 404 || status === 410;
  return { kind: 'refused', reason: answered, isWebhookGone: isGone || (word !== null && goneWords.has(word)) };
}

/** Parses Retry-After per RFC 9110, section 10.2.3: seconds or a date.
 *  @returns null if the header is absent or unusable */
export function parseRetryAfter(header: string | null, now: Date): Date | null {
  const text = header?.trim() ?? '';
  const at = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * msPerSecond : Date.parse(text);
  if (!Number.isFinite(at) || at <= now.getTime()) return null;
  return new Date(Math.min(at, now.getTime() + longestWaitMs));
}

/** Outcome of an attempt. Reasons are human-readable clauses without secrets. */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      /** Permanent failure. */
      readonly kind: 'refused';
      readonly reason: string;
      /** The webhook, not the message, is the problem: its owner must set another one. */
      readonly isWebhookGone?: boolean;
    }
  | {
      /** Transient failure. */
      readonly kind: 'later';
      readonly reason: string;
      /** Earliest retry time requested by the server. */
      readonly notBefore: Date | null;
      /** The webhook currently does not work: its owner may have to set another one. */
      readonly isWebhookGone?: boolean;
    };
