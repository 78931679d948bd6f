import { builder } from '../../graph/builder.ts';
import type { Preferences } from './preferences-store.ts';
import type { ChannelPreferences } from './preferences.ts';
import type { SlackTest, SlackWebhook } from './run.ts';

const told = {
  budgetAlerts: 'When a budget of the member reaches one of its thresholds.',
  anomalyAlerts: 'When an account that the member may see costs more than expected. A Viewer is not told.',
  alertRules: 'When an alert rule of the member holds.',
  reports: 'When a scheduled report is ready.',
} as const;

const ChannelType = builder.objectRef<ChannelPreferences>('ChannelPreferences').implement({
  description: 'Of what a member is told by one channel.',
  fields: (t) => ({
    budgetAlerts: t.exposeBoolean('budget_alerts', { description: told.budgetAlerts }),
    anomalyAlerts: t.exposeBoolean('anomaly_alerts', { description: told.anomalyAlerts }),
    alertRules: t.exposeBoolean('alert_rules', { description: told.alertRules }),
    reports: t.exposeBoolean('reports', { description: told.reports }),
  }),
});

/** Preferences of one channel to change. */
export const ChannelInput = builder.inputType('ChannelPreferencesInput', {
  description: 'Of what to be told by one channel; what is left out stays.',
  fields: (t) => ({
    budgetAlerts: t.boolean({ description: told.budgetAlerts }),
    anomalyAlerts: t.boolean({ description: told.anomalyAlerts }),
    alertRules: t.boolean({ description: told.alertRules }),
    reports: t.boolean({ description: told.reports }),
  }),
});

/** The preferences, in whatever answer they stand. */
export const PreferencesType = builder.objectRef<Preferences>('NotificationPreferences').implement({
  description:
    'What a member is told in this organization, and where. Until they choose, all is on; each organization of theirs has ' +
    'its own.',
  fields: (t) => ({
    email: t.field({
      type: ChannelType,
      description: 'By mail, to the address of the login.',
      resolve: (p) => p.email,
    }),
    slack: t.field({
      type: ChannelType,
      description: 'By chat message, once a webhook is set.',
      resolve: (p) => p.slack,
    }),
    additionalEmails: t.exposeStringList('additionalEmails', {
      description: 'Addresses that get a copy of each mail to the member, lower case.',
    }),
    slackConfigured: t.exposeBoolean('slackConfigured', {
      description: 'Whether a webhook is set. It is a secret, which nothing tells.',
    }),
    slackProblem: t.exposeString('slackProblem', {
      nullable: true,
      description:
        'Why the chat server takes no message for this webhook any more, such as that it was deleted there; null: nothing is ' +
        'known against it. A new webhook, or a message that arrives, clears it.',
    }),
  }),
});

/** The answer to setting a webhook. */
export const WebhookType = builder.objectRef<SlackWebhook>('SlackWebhook').implement({
  description: 'Whether a webhook is set. Its address is a secret, which nothing tells.',
  fields: (t) => ({
    slackConfigured: t.exposeBoolean('slackConfigured', { description: 'Whether a webhook is set.' }),
  }),
});

/** The answer to a test message. */
export const SlackTestType = builder.objectRef<SlackTest>('SlackTest').implement({
  description: 'What became of a test message.',
  fields: (t) => ({
    delivered: t.exposeBoolean('delivered', { description: 'Whether the chat server took it.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why it did not; null where it did.' }),
  }),
});
