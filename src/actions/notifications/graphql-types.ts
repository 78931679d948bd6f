import { unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import type { Preferences } from './preferences-store.ts';
import type { ChannelPreferences } from './preferences.ts';
import type { SlackTest, SlackWebhook } from './run.ts';

const descriptions = {
  budgetAlerts: 'Threshold alerts of the member’s budgets.',
  anomalyAlerts: 'Anomalies in accounts in the member’s scope. Not for Viewers.',
  alertRules: 'Alerts of the member’s alert rules.',
  reports: 'Scheduled reports.',
} as const;

const ChannelType = builder.objectRef<ChannelPreferences>('ChannelPreferences').implement({
  description: 'Notification settings of one channel.',
  fields: (t) => ({
    budgetAlerts: t.exposeBoolean('budget_alerts', { description: descriptions.budgetAlerts }),
    anomalyAlerts: t.exposeBoolean('anomaly_alerts', { description: descriptions.anomalyAlerts }),
    alertRules: t.exposeBoolean('alert_rules', { description: descriptions.alertRules }),
    reports: t.exposeBoolean('reports', { description: descriptions.reports }),
  }),
});

/** Preferences of one channel to change. */
export const ChannelInput = builder.inputType('ChannelPreferencesInput', {
  description: 'Notification settings of one channel. Omitted fields stay unchanged.',
  fields: (t) => ({
    budgetAlerts: t.boolean({ ...unclearable(), description: descriptions.budgetAlerts }),
    anomalyAlerts: t.boolean({ ...unclearable(), description: descriptions.anomalyAlerts }),
    alertRules: t.boolean({ ...unclearable(), description: descriptions.alertRules }),
    reports: t.boolean({ ...unclearable(), description: descriptions.reports }),
  }),
});

/** The preferences, in whatever answer they stand. */
export const PreferencesType = builder.objectRef<Preferences>('NotificationPreferences').implement({
  description: 'A member’s notification preferences in this organization. All are on by default.',
  fields: (t) => ({
    email: t.field({
      type: ChannelType,
      description: 'Email notifications, to the login address.',
      resolve: (p) => p.email,
    }),
    slack: t.field({
      type: ChannelType,
      description: 'Chat notifications, if a webhook is set.',
      resolve: (p) => p.slack,
    }),
    additionalEmails: t.exposeStringList('additionalEmails', {
      description: 'Addresses that receive a copy of each email to the member, in lower case.',
    }),
    slackConfigured: t.exposeBoolean('slackConfigured', {
      description: 'Whether a webhook is set. Its address is write-only.',
    }),
    slackProblem: t.exposeString('slackProblem', {
      nullable: true,
      description:
        'Why the chat server rejects messages for this webhook, for example because it was deleted; null if there is no known problem. Cleared by a new webhook or a delivered message.',
    }),
  }),
});

/** The answer to setting a webhook. */
export const WebhookType = builder.objectRef<SlackWebhook>('SlackWebhook').implement({
  description: 'Whether a webhook is set. Its address is write-only.',
  fields: (t) => ({
    slackConfigured: t.exposeBoolean('slackConfigured', { description: 'Whether a webhook is set.' }),
  }),
});

/** The answer to a test message. */
export const SlackTestType = builder.objectRef<SlackTest>('SlackTest').implement({
  description: 'Result of a test message.',
  fields: (t) => ({
    delivered: t.exposeBoolean('delivered', { description: 'Whether the chat server accepted the message.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why the message was not accepted; null if it was.',
    }),
  }),
});
