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
    title: 'Costkeep can post here',
    lead: 'This is a test. Budget alerts, cost anomalies, alert rules and reports will look like this.',
    facts: [
      { label: 'Asked for by', value: name },
      { label: 'What is posted', value: 'What you choose under Notifications' },
    ],
    paragraphs: [],
    action: { label: 'Open Costkeep', path: '/' },
    reason: `${name} asked for a test message.`,
  });
}
