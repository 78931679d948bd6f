import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Agent, fetch as Fetch } from 'undici';
import type { Clock } from '../../../kit/clock.ts';
import { AddressRefusedError, checkedLookup, checkLiteral, type Reach } from './address.ts';

/** A chat server has this long for all of a message; then it is taken for hanging. */
const timeoutMs = 10_000;
/** Slack answers `ok`. Whoever answers more is not listened to. */
const answerBytes = 16_384;

/** Posts a message to a webhook, once. Redirects are not followed. Nothing that it tells holds the webhook's address.
 *  @param url https; plain http only with `allowsPrivate`, and to private addresses
 *  @param options `timeoutMs`: 10 seconds by default */
export async function postToWebhook(
  url: string,
  message: IncomingWebhookSendArguments,
  options: { readonly clock: Clock; readonly allowsPrivate: boolean; readonly timeoutMs?: number },
): Promise<Outcome> {
  const { protocol, hostname } = new URL(url);
  const reach: Reach = { allowsPrivate: options.allowsPrivate, isEncrypted: protocol === 'https:' };
  const ms = options.timeoutMs ?? timeoutMs;
  // Some 30 MiB that a server without webhooks does without.
  const [{ IncomingWebhook }, undici] = await Promise.all([import('@slack/webhook'), import('undici')]);
  const agent = agentFor(undici.Agent, { reach, ms });
  const answer: { last: WebhookAnswer | null } = { last: null };
  try {
    checkLiteral(hostname, reach);
    const webhook = new IncomingWebhook(url, { timeout: ms, fetch: fetchThrough(undici.fetch, { agent, answer }) });
    await webhook.send(message);
    return { kind: 'sent' };
  } catch (error) {
    return answer.last ? outcomeOfAnswer(answer.last, options.clock.now()) : outcomeOfFailure(error);
  } finally {
    // What is still open belongs to a server that did not answer: nobody waits for it.
    await agent.destroy();
  }
}

function agentFor(Kind: typeof Agent, { reach, ms }: { reach: Reach; ms: number }): Agent {
  const connect = { lookup: checkedLookup(reach), timeout: ms };
  return new Kind({ connect, headersTimeout: ms, bodyTimeout: ms, maxResponseSize: answerBytes, pipelining: 0 });
}

/** The fetch that the client of Slack uses: through our agent, remembering what the client does not pass on. */
function fetchThrough(
  fetch: typeof Fetch,
  { agent, answer }: { agent: Agent; answer: { last: WebhookAnswer | null } },
): typeof globalThis.fetch {
  return async (input, init) => {
    const { method = 'POST', headers, body, signal } = init ?? {};
    const response = await fetch(String(input), {
      method,
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : null,
      signal: signal ?? null,
      // As an error it would tell no more than that something failed.
      redirect: 'manual',
      dispatcher: agent,
    });
    const { status, ok } = response;
    if (ok) {
      await response.body?.cancel();
      return new Response('ok');
    }
    const retryAfter = response.headers.get('retry-after');
    answer.last = { status, retryAfter, text: '' };
    const text = await response.text().catch(() => '');
    answer.last = { status, retryAfter, text };
    return new Response(text, { status: status < 400 ? 502 : status });
  };
}

/** What to make of a message that got no answer. */
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
  ECONNRESET: 'The chat server broke the connection',
  EHOSTUNREACH: 'The chat server cannot be reached',
  ENETUNREACH: 'The chat server cannot be reached',
  ETIMEDOUT: 'The chat server did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'The chat server did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'The chat server did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'The chat server did not answer in time',
  UND_ERR_SOCKET: 'The chat server broke the connection',
};

function reasonOf(causes: readonly Error[]): string {
  if (causes.some(({ name }) => name === 'TimeoutError')) return 'The chat server did not answer in time';
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
    // Where several addresses of a name failed.
    if (at instanceof AggregateError) found.push(...at.errors.filter((one) => one instanceof Error));
  }
  return found;
}

/** What a chat server answered, other than that all went well. */
export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

const msPerSecond = 1000;
/** Whoever asks for more is asked again after a day. */
const longestWaitMs = 86_400_000;

/** Slack's words for a webhook that takes nothing any more, whatever is sent to it. */
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

/** What to make of a refusal: 429 and 5xx are worth another attempt, when they say so after a time. A redirect is too: it is
 *  not followed, but a proxy or a login page that came in between goes away again. The rest are final. */
export function outcomeOfAnswer({ status, retryAfter, text }: WebhookAnswer, now: Date): Outcome {
  // Only what is certainly a word of Slack's is repeated: a page of somebody's server says nothing to the owner.
  const word = /^[a-z_]{2,60}$/.test(text.trim()) ? text.trim() : null;
  const said = `The chat server answered ${status}${word ? ` (${word})` : ''}`;
  if (status >= 300 && status < 400)
    return { kind: 'later', reason: `${said}: redirects are not followed`, notBefore: null, isWebhookGone: true };
  if (status === 408 || status === 429 || status >= 500)
    return { kind: 'later', reason: said, notBefore: parseRetryAfter(retryAfter, now) };
  const isGone = status === 401 || status === 403 || status === 404 || status === 410;
  return { kind: 'refused', reason: said, isWebhookGone: isGone || (word !== null && goneWords.has(word)) };
}

/** When to ask again, by RFC 9110, section 10.2.3: seconds, or a date.
 *  @returns null where the header is absent or says nothing that can be used */
export function parseRetryAfter(header: string | null, now: Date): Date | null {
  const text = header?.trim() ?? '';
  const at = /^\d{1,9}$/.test(text) ? now.getTime() + Number(text) * msPerSecond : Date.parse(text);
  if (!Number.isFinite(at) || at <= now.getTime()) return null;
  return new Date(Math.min(at, now.getTime() + longestWaitMs));
}

/** What became of one attempt. Reasons are whole clauses for people, without any secret. */
export type Outcome =
  | { readonly kind: 'sent' }
  | {
      /** No later attempt will go better. */
      readonly kind: 'refused';
      readonly reason: string;
      /** It is the webhook, not the message: its owner must set another one. */
      readonly isWebhookGone?: boolean;
    }
  | {
      /** A later attempt may go better. */
      readonly kind: 'later';
      readonly reason: string;
      /** When the server asked to be asked again at the earliest. */
      readonly notBefore: Date | null;
      /** It is the webhook that is wrong as things stand: its owner may have to set another one. */
      readonly isWebhookGone?: boolean;
    };
