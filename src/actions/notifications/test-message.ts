import type { Viewer } from '../../tenancy/auth/scope.ts';
import type { SlackContent } from './slack.ts';

/** Builds the test message for a webhook or channel.
 *  @param selected where its messages are selected */
export function testContent({ name }: Pick<Viewer, 'name'>, selected: string): SlackContent {
  return {
    label: 'Test',
    tone: 'good',
    title: 'Costkeep can post to this channel',
    lead: 'This is a test. Budget alerts, cost anomalies, alert rules and reports will look like this.',
    facts: [
      { label: 'Requested by', value: name },
      { label: 'Messages', value: selected },
    ],
    paragraphs: [],
    action: { label: 'Open Costkeep', path: '/' },
    reason: `${name} requested a test message.`,
  };
}
