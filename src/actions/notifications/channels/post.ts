import type { Deps } from '../../../kit/deps.ts';
import { slackMessage } from '../slack.ts';
import { mayBePrivate } from '../webhook/address.ts';
import { postJson, postToWebhook, type Outcome } from '../webhook/post.ts';
import { addressRowId, secretRowId } from './channel.ts';
import { webhookPayload, type ChannelMessage } from './payload.ts';
import { signatureHeaders } from './sign.ts';
import type { ChannelState, ChannelToPost } from './store.ts';
import { teamsMessage } from './teams.ts';

/** Posts a message to a channel, once, in the form that its kind expects. */
export async function postToChannel(
  { config, clock, secrets }: Pick<Deps, 'config' | 'clock' | 'secrets'>,
  channel: ChannelToPost,
  message: ChannelMessage,
): Promise<Outcome> {
  const url = secrets.decrypt(channel.url, addressRowId(channel.id));
  const options = { clock, allowsPrivate: mayBePrivate(new URL(url), config) };
  const { content, file } = message;
  switch (channel.kind) {
    case 'slack':
      return postToWebhook(url, slackMessage(config, content, file), options);
    case 'teams':
      return postJson(url, { body: JSON.stringify(teamsMessage(config, content, file)) }, options);
    case 'webhook': {
      const body = JSON.stringify(webhookPayload(config, message));
      return ofWebhook(await postJson(url, { body, headers: signed(channel, body) }, options));
    }
    default:
      return channel.kind satisfies never;
  }

  function signed({ id, secret }: ChannelToPost, body: string): Record<string, string> {
    if (secret === null) throw new Error(`Channel ${id} has no signing secret`);
    return signatureHeaders(secrets.decrypt(secret, secretRowId(id)), { id: message.id, body, at: clock.now() });
  }
}

/** Rewords the reason of an outcome for a receiver that is not a chat server. */
function ofWebhook(outcome: Outcome): Outcome {
  return outcome.kind === 'sent' ? outcome : { ...outcome, reason: outcome.reason.replace('chat server', 'receiver') };
}

/** Returns the state of a channel after an attempt. */
export function stateAfter(outcome: Outcome, now: Date): ChannelState {
  const attempt = { lastAttemptAt: now, pausedUntil: null };
  switch (outcome.kind) {
    case 'sent':
      return { ...attempt, lastStatus: 'sent', lastError: null };
    case 'refused':
      return { ...attempt, lastStatus: 'failed', lastError: outcome.reason };
    case 'later':
      return { ...attempt, lastStatus: 'pending', lastError: outcome.reason, pausedUntil: outcome.notBefore };
  }
}
