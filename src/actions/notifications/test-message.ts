import type { IncomingWebhookSendArguments } from '@slack/webhook';
import type { Config } from '../../kit/config.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { slackMessage } from './slack.ts';

/** The message by which a member sees that their webhook works. */
export function testMessage(
  config: Pick<Config, 'publicUrl'>,
  { name }: Pick<Viewer, 'name'>,
): IncomingWebhookSendArguments {
  return slackMessage(config, {
    label: 'Test',
    tone: 'good',
    title: 'Costkeep can post to this channel',
    lead: 'This is a test. Budget alerts, cost anomalies, alert rules and reports will look like this.',
    facts: [
      { label: 'Requested by', value: name },
      { label: 'Messages', value: 'As selected under Notifications' },
    ],
    paragraphs: [],
    action: { label: 'Open Costkeep', path: '/' },
    reason: `${name} requested a test message.`,
  });
}
