import { webhookRule } from './webhook/url.ts';
import { present, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { ChannelInput, PreferencesType, SlackTestType, WebhookType } from './graphql-types.ts';
import { additionalEmailsRule } from './input.ts';
import { readPreferences, setSlackWebhook, testSlack, updatePreferences } from './run.ts';

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
