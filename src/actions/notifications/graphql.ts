import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { ChannelInput, PreferencesType, SlackTestType, WebhookType } from './graphql-types.ts';
import { additionalEmailsMost } from './input.ts';
import { readPreferences, setSlackWebhook, testSlack, updatePreferences } from './run.ts';

const authScopes = { signedIn: true, can: 'notifications.write' } as const;

builder.queryFields((t) => ({
  notificationPreferences: t.field({
    type: PreferencesType,
    description: 'What the caller is told in this organization, and where.',
    authScopes: { signedIn: true },
    extensions: { rest: route({ method: 'GET', path: '/notifications/preferences', category: 'read' }) },
    resolve: (_root, _args, ctx) => readPreferences(ctx.deps, viewerOf(ctx)),
  }),
}));

builder.mutationFields((t) => ({
  updateNotificationPreferences: t.field({
    type: PreferencesType,
    description: 'Changes what is named of the caller’s own preferences. Not for Viewers.',
    authScopes,
    args: {
      email: t.arg({ type: ChannelInput, description: 'Of what to be told by mail.' }),
      slack: t.arg({ type: ChannelInput, description: 'Of what to be told by chat message.' }),
      additionalEmails: t.arg.stringList({
        description: `Addresses that get a copy of each mail, at most ${additionalEmailsMost}, in place of those before; \`[]\` for none.`,
      }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/notifications/preferences', category: 'write' }) },
    resolve: (_root, args, ctx) => updatePreferences(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  setSlackWebhook: t.field({
    type: WebhookType,
    description:
      'Sets the incoming webhook of Slack, or of a chat server that understands it, that the caller’s messages are posted to. ' +
      'It is kept encrypted and never told. Not for Viewers.',
    authScopes,
    args: {
      url: t.arg.string({
        required: false,
        description:
          'Its address, https, at a public host; null takes the webhook away. Where the operator allows private webhooks, hosts ' +
          'of their own network as well, those with plain http too.',
      }),
    },
    extensions: { rest: route({ method: 'POST', path: '/notifications/slack/webhook', category: 'write' }) },
    resolve: (_root, { url }, ctx) => setSlackWebhook(ctx.deps, viewerOf(ctx), actorOf(ctx), { url }),
  }),
  testSlack: t.field({
    type: SlackTestType,
    description: 'Posts a test message to the caller’s webhook, now and once. Not for Viewers.',
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
