import { webhookRule } from './webhook/address.ts';
import { answerType, flag, from, of, orNull, text, texts } from '../../graph/answers.ts';
import { present, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { additionalEmailsRule, channelSettings, type ChannelChange } from './input.ts';
import { readPreferences, setSlackWebhook, testSlack, updatePreferences } from './run.ts';

const ChannelType = answerType('ChannelPreferences', 'Notification settings of one channel.', {
  budgetAlerts: from('budget_alerts', flag(channelSettings.budgetAlerts)),
  anomalyAlerts: from('anomaly_alerts', flag(channelSettings.anomalyAlerts)),
  alertRules: from('alert_rules', flag(channelSettings.alertRules)),
  reports: flag(channelSettings.reports),
});

/** Input of one channel's preferences. */
const ChannelInput = builder.inputRef<ChannelChange>('ChannelPreferencesInput').implement({
  description: 'Notification settings of one channel. Omitted fields stay unchanged.',
  fields: (t) => {
    const setting = (description: string) => t.boolean({ ...unclearable(), description });
    const { budgetAlerts, anomalyAlerts, alertRules, reports } = channelSettings;
    return {
      budgetAlerts: setting(budgetAlerts),
      anomalyAlerts: setting(anomalyAlerts),
      alertRules: setting(alertRules),
      reports: setting(reports),
    };
  },
});

const PreferencesType = answerType(
  'NotificationPreferences',
  'A member’s notification preferences in this organization. All are on by default.',
  {
    email: of(ChannelType, 'Email notifications, to the login address.'),
    slack: of(ChannelType, 'Chat notifications, if a webhook is set.'),
    additionalEmails: texts('Addresses that receive a copy of the member’s email notifications, in lower case.'),
    slackConfigured: flag('Whether a webhook is set. Its URL is write-only.'),
    slackProblem: orNull(
      text(
        'Why the chat server rejects messages for this webhook, for example because it was deleted; null if there is no known problem. Updated by each attempt to send a message, cleared by a new webhook.',
      ),
    ),
  },
);

const WebhookType = answerType('SlackWebhook', 'Whether a webhook is set. Its URL is write-only.', {
  slackConfigured: flag('Whether a webhook is set.'),
});

const SlackTestType = answerType('SlackTest', 'Result of a test message.', {
  delivered: flag('Whether the chat server accepted the message.'),
  reason: orNull(text('Why the message was not accepted; null if it was.')),
});

builder.queryFields((t) => ({
  notificationPreferences: t.field({
    type: PreferencesType,
    description: 'Returns the caller’s notification preferences in this organization.',
    ...readRoute('Notifications', '/notifications/preferences'),
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
      description: `Addresses that receive a copy of the email notifications, at most ${additionalEmailsRule.maxItems}. Replaces the current addresses; \`[]\` for none.`,
    }),
  }),
});

builder.mutationFields((t) => ({
  updateNotificationPreferences: t.field({
    type: PreferencesType,
    description: 'Updates the caller’s notification preferences. Not for Viewers.',
    args: {
      input: t.arg({ type: UpdateNotificationPreferencesInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Notifications', 'notifications.write', { method: 'PATCH', path: '/notifications/preferences' }),
    resolve: (_root, { input }, ctx) => updatePreferences(ctx.deps, viewerOf(ctx), actorOf(ctx), input),
  }),
  setSlackWebhook: t.field({
    type: WebhookType,
    description:
      'Sets the caller’s incoming webhook, of Slack or a compatible chat server. It is stored encrypted and never returned. Not for Viewers.',
    args: {
      url: t.arg.string({
        ...present(webhookRule),
        required: false,
        description:
          'Webhook URL: https, a public host name, port 443, unless the operator allows more (`WEBHOOK_HOSTS`, `ALLOW_PRIVATE_WEBHOOKS`). Checked on save. Null removes the webhook.',
      }),
    },
    ...writeRoute('Notifications', 'notifications.write', { path: '/notifications/slack/webhook' }),
    resolve: (_root, { url }, ctx) => setSlackWebhook(ctx.deps, viewerOf(ctx), actorOf(ctx), { url }),
  }),
  testSlack: t.field({
    type: SlackTestType,
    description: 'Sends a test message to the caller’s webhook. Not for Viewers.',
    ...writeRoute('Notifications', 'notifications.write', { path: '/notifications/slack/test', errors: ['CONFLICT'] }),
    resolve: (_root, _args, ctx) => testSlack(ctx.deps, viewerOf(ctx)),
  }),
}));
