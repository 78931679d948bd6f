import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';

/** Messages that were sent or are to be sent, newest first. */
export const NotificationsQuery = graphql(operations.notifications, [graphql(operations.NotificationFields)]);

/** Message to one recipient, as returned by the API. */
export type Notification = RecordOf<typeof NotificationsQuery>;

/** Labels of the subjects. */
export const notificationKinds = {
  BUDGET_ALERT: 'Budget alert',
  ANOMALY_ALERT: 'Anomaly',
  ALERT_RULE: 'Alert rule',
  REPORT: 'Report',
} as const;

/** Labels of the ways in which messages are sent. */
export const notificationChannels = {
  EMAIL: 'Email',
  SLACK: 'Slack',
  TEAMS: 'Microsoft Teams',
  WEBHOOK: 'Webhook',
} as const;

/** Describes the recipient of a message. */
export function recipientText({ channel, recipient }: Pick<Notification, 'channel' | 'recipient'>): string {
  if (recipient === null) return `Deleted channel (${notificationChannels[channel]})`;
  return channel === 'EMAIL' ? recipient : `${recipient} (${notificationChannels[channel]})`;
}
