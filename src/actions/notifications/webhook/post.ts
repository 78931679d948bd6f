import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Agent, fetch as Fetch } from 'undici';
import type { Clock } from '../../../kit/clock.ts';
import type { Outcome } from '../outcome.ts';
import { AddressRefusedError, checkedLookup, checkLiteral, type Reach } from './address.ts';
import { outcomeOfAnswer, type WebhookAnswer } from './answer.ts';

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
