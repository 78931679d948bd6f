import { webhookRule } from './webhook/address.ts';
import { answerType, flag, from, of, orNull, text, texts } from '../../graph/answers.ts';
import { present, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { additionalEmailsRule } from './input.ts';
import { readPreferences, setSlackWebhook, testSlack, updatePreferences } from './run.ts';

const descriptions = {
  budgetAlerts: 'Threshold alerts of the member’s budgets.',
  anomalyAlerts: 'Anomalies in accounts in the member’s scope. Not for Viewers.',
  alertRules: 'Alerts of the member’s alert rules.',
  reports: 'Scheduled reports.',
} as const;

const ChannelType = answerType('ChannelPreferences', 'Notification settings of one channel.', {
  budgetAlerts: from('budget_alerts', flag(descriptions.budgetAlerts)),
  anomalyAlerts: from('anomaly_alerts', flag(descriptions.anomalyAlerts)),
  alertRules: from('alert_rules', flag(descriptions.alertRules)),
  reports: flag(descriptions.reports),
});

/** Input of one channel's preferences. */
const ChannelInput = builder.inputType('ChannelPreferencesInput', {
  description: 'Notification settings of one channel. Omitted fields stay unchanged.',
  fields: (t) => ({
    budgetAlerts: t.boolean({ ...unclearable(), description: descriptions.budgetAlerts }),
    anomalyAlerts: t.boolean({ ...unclearable(), description: descriptions.anomalyAlerts }),
    alertRules: t.boolean({ ...unclearable(), description: descriptions.alertRules }),
    reports: t.boolean({ ...unclearable(), description: descriptions.reports }),
  }),
});

const PreferencesType = answerType(
  'NotificationPreferences',
  'A member’s notification preferences in this organization. All are on by default.',
  {
    email: of(ChannelType, 'Email notifications, to the login address.'),
    slack: of(ChannelType, 'Chat notifications, if a webhook is set.'),
    additionalEmails: texts('Addresses that receive a copy of each email to the member, in lower case.'),
    slackConfigured: flag('Whether a webhook is set. Its address is write-only.'),
    slackProblem: orNull(
      text(
        'Why the chat server rejects messages for this webhook, for example because it was deleted; null if there is no known problem. Cleared by a new webhook or a delivered message.',
      ),
    ),
  },
);

const WebhookType = answerType('SlackWebhook', 'Whether a webhook is set. Its address is write-only.', {
  slackConfigured: flag('Whether a webhook is set.'),
});

const SlackTestType = answerType('SlackTest', 'Result of a test message.', {
  delivered: flag('Whether the chat server accepted the message.'),
  reason: orNull(text('Why the message was not accepted; null if it was.')),
});

const authScopes = { signedIn: true, can: 'notifications.write' } as const;

builder.queryFields((t) => ({
  notificationPreferences: t.field({
    type: PreferencesType,
    description: 'Returns the caller’s notification preferences in this organization.',
    authScopes: { signedIn: true },
    extensions: { rest: route({ method: 'GET', path: '/notifications/preferences', category: 'read' }) },
    resolve: (_root, _args, ctx) => readPreferences(ctx.deps, viewerOf(ctx)),
  }),
}));

const UpdateNotificationPreferencesInput = builder.inputType('UpdateNotificationPreferencesInput', {
  description: 'Changes to notification preferences: omitted fields stay unchanged.',
  fields: (t) => ({
    email: t.field({ ...unclearable(), type: ChannelInput, description: 'Email notifications.' }),
    slack: t.field({ ...unclearable(), type: ChannelInput, description: 'Chat notifications.' }),
    additionalEmails: t.stringList({
      ...unclearable(additionalEmailsRule),
      description: `Addresses that receive a copy of each email, at most ${additionalEmailsRule.maxItems}. Replaces the current addresses; \`[]\` for none.`,
    }),
  }),
});

builder.mutationFields((t) => ({
  updateNotificationPreferences: t.field({
    type: PreferencesType,
    description: 'Updates the caller’s notification preferences. Not for Viewers.',
    authScopes,
    args: {
      input: t.arg({ type: UpdateNotificationPreferencesInput, required: true, description: 'Fields to change.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/notifications/preferences', category: 'write' }) },
    resolve: (_root, { input }, ctx) => updatePreferences(ctx.deps, viewerOf(ctx), actorOf(ctx), input),
  }),
  setSlackWebhook: t.field({
    type: WebhookType,
    description:
      'Sets the caller’s incoming webhook, of Slack or a compatible chat server. It is stored encrypted and never returned. Not for Viewers.',
    authScopes,
    args: {
      url: t.arg.string({
        ...present(webhookRule),
        required: false,
        description:
          'Address of the webhook: https, a public host name, port 443, unless the operator allows more (`WEBHOOK_HOSTS`, `ALLOW_PRIVATE_WEBHOOKS`). Checked on save. Null removes the webhook.',
      }),
    },
    extensions: { rest: route({ method: 'POST', path: '/notifications/slack/webhook', category: 'write' }) },
    resolve: (_root, { url }, ctx) => setSlackWebhook(ctx.deps, viewerOf(ctx), actorOf(ctx), { url }),
  }),
  testSlack: t.field({
    type: SlackTestType,
    description: 'Sends a test message to the caller’s webhook. Not for Viewers.',
    authScopes,
    extensions: {
      rest: route({ method: 'POST', path: '/notifications/slack/test', category: 'write', errors: ['CONFLICT'] }),
    },
    resolve: (_root, _args, ctx) => testSlack(ctx.deps, viewerOf(ctx)),
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Notifications'], ...rest };
}
