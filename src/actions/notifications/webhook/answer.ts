import type { Outcome } from '../outcome.ts';

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
