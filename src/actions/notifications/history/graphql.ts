import { answerType, instant, int, of, orNull, text, uuid } from '../../../graph/answers.ts';
import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import { listArgs, paged, pageField, pageType } from '../../../graph/paging.ts';
import { readRoute } from '../../../graph/rest.ts';
import { wordEnum } from '../../../graph/stored-words.ts';
import { notificationSortFields, pageNotifications } from './store.ts';

/** Whether a message was sent. */
export const NotificationStatusType = wordEnum('NotificationStatus', 'Whether a message was sent.', {
  pending: 'It will be sent, or retried after a failed attempt.',
  sent: 'The receiving server accepted it.',
  failed: 'It will not be sent.',
});

const NotificationKindType = wordEnum('NotificationKind', 'Kind of message.', {
  budget_alert: 'A budget reached a threshold.',
  anomaly_alert: 'An anomaly was detected.',
  alert_rule: 'The condition of an alert rule was met.',
  report: 'A report is ready or failed.',
});

const NotificationChannelType = wordEnum('NotificationChannel', 'How a message is sent.', {
  email: 'By email.',
  slack: 'To a member’s webhook or a Slack channel of the organization.',
  teams: 'To a Microsoft Teams channel of the organization.',
  webhook: 'To a webhook of the organization.',
});

const NotificationType = answerType('Notification', 'A message to one recipient, kept for 90 days.', {
  id: uuid('UUIDv7 of the message; also its `webhook-id`.'),
  kind: of(NotificationKindType, 'Kind of message.'),
  channel: of(NotificationChannelType, 'How it is sent.'),
  recipient: orNull(
    text(
      'Email address, name of the channel, or name of the member with the webhook; null if the channel was deleted.',
    ),
  ),
  title: text('Title or email subject.'),
  path: text('Path of its page in the console, such as `/budgets/ID`.'),
  status: of(NotificationStatusType, 'Whether it was sent.'),
  attempts: int('Number of attempts.'),
  error: orNull(text('Why the last attempt failed; null without a failure, and once it was sent.')),
  createdAt: instant('Creation time.'),
  sentAt: orNull(instant('When it was sent; null before.')),
});

const NotificationPage = pageType('Notification', NotificationType);

builder.queryField('notifications', (t) =>
  t.field({
    ...readRoute('Notifications', '/notifications', { csv: 'data' }),
    ...pageField(NotificationPage),
    description:
      'Lists alerts and reports that were sent in the last 90 days or are to be sent, newest first. Admins with access to all accounts see all; other members see those sent to themselves about accounts in their scope.',
    args: {
      status: t.arg({ type: [NotificationStatusType], description: 'Only messages with these statuses.' }),
      kind: t.arg({ type: [NotificationKindType], description: 'Only messages of these kinds.' }),
      channel: t.arg({ type: [NotificationChannelType], description: 'Only messages sent in these ways.' }),
      ...listArgs('Notification', notificationSortFields),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => pageNotifications(ctx.deps.db, viewerOf(ctx), args, page)),
  }),
);
