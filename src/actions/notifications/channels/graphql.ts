import { createContextCache } from '@pothos/core';
import { enabledArg } from '../../../facts/graphql.ts';
import { answerType, columns, flag, instant, of, orNull, text, uuid } from '../../../graph/answers.ts';
import { builder } from '../../../graph/builder.ts';
import { actorOf, viewerOf, type Context } from '../../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../../graph/paging.ts';
import { recordOperations } from '../../../graph/record-operations.ts';
import { batchedLists, foundById, relation, restName } from '../../../graph/relations.ts';
import { readRoute, writeRoute } from '../../../graph/rest.ts';
import { wordEnum } from '../../../graph/stored-words.ts';
import type { Selection } from '../../../tenancy/accounts/about.ts';
import { memberRelation } from '../../../tenancy/people/graphql.ts';
import { NotificationStatusType } from '../history/graphql.ts';
import {
  createChannel,
  deleteChannel,
  rotateChannelSecret,
  testChannel,
  updateChannel,
  type NewChannel,
} from './change.ts';
import { channelFields } from './channel.ts';
import { channels, channelSortFields, pageChannels } from './store.ts';

const tag = 'Notifications';
const idText = 'UUID of the channel.';

const ChannelKindType = wordEnum('ChannelKind', 'Format of a channel’s messages.', {
  slack: 'Messages for an incoming webhook of Slack or a compatible chat server.',
  teams: 'Adaptive Cards for a Microsoft Teams workflow that posts the webhook requests it receives.',
  webhook: 'JSON, signed according to Standard Webhooks.',
});

const ChannelDeliveryType = answerType('ChannelDelivery', 'The last attempt to post to a channel.', {
  status: of(NotificationStatusType, '`pending`: the attempt failed and will be repeated.'),
  at: instant('Time of the attempt.'),
  error: orNull(text('Why the attempt failed; null if it succeeded.')),
});

/** Signing secrets that this answer shows, by channel. */
const shownSecrets = createContextCache<Map<string, string>, Context>(() => new Map());

const ChannelType = builder.prismaObject('Channel', {
  ...foundById,
  description: 'A chat channel or webhook of the organization. Visible to every member; its URL is write-only.',
  fields: (t) =>
    columns(t, 'Channel', {
      id: uuid('UUIDv7 of the channel.'),
      name: text('Unique display name, ignoring case.'),
      kind: of(ChannelKindType, 'Format of the messages.'),
      enabled: flag('Whether messages are sent to it.'),
      anomalyAlerts: flag('Whether anomalies of all accounts are sent to it.'),
      lastDelivery: t.field({
        type: ChannelDeliveryType,
        nullable: true,
        description:
          'The last attempt to post to it; null if there has been none since its URL was set, and for members who have access to some accounts only.',
        select: { lastStatus: true, lastAttemptAt: true, lastError: true },
        resolve({ lastStatus: status, lastAttemptAt: at, lastError: error }, _args, ctx) {
          return status && at && viewerOf(ctx).scope.accountIds === null ? { status, at, error } : null;
        },
      }),
      secret: t.string({
        nullable: true,
        description:
          'Signing secret of a webhook, `whsec_` and base64. Only in the response that creates the channel; null otherwise, and for other kinds.',
        resolve: ({ id }, _args, ctx) => shownSecrets(ctx).get(id) ?? null,
      }),
      createdById: uuid(
        'UUID of the creator; the Super Admin’s for a former member’s channel.',
        restName('created_by'),
      ),
      createdBy: t.field(memberRelation('createdById', 'The creator; the Super Admin for a former member’s channel.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

const channelsOf = batchedLists(
  async (lists: readonly (readonly string[])[]) => lists,
  (ids, query: Selection, ctx) => channels.select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

for (const name of ['Budget', 'AlertRule', 'ReportSchedule'] as const)
  builder.prismaObjectField(name, 'channels', (t) =>
    t.prismaField({
      ...relation,
      type: [ChannelType],
      description: 'The channels that are notified as well.',
      select: { channelIds: true },
      resolve: (query, { channelIds }, _args, ctx) => channelsOf(channelIds, query, ctx),
    }),
  );

const ChannelPage = pageType('Channel', ChannelType);

builder.queryField('channels', (t) =>
  t.field({
    ...readRoute(tag, '/channels', { csv: 'data' }),
    ...pageField(ChannelPage),
    description: 'Lists the channels of the organization, by name.',
    args: {
      kind: t.arg({ type: [ChannelKindType], description: 'Only channels of these kinds.' }),
      ...enabledArg,
      ...listArgs('Channel', channelSortFields, 'By name'),
    },
    resolve: selectedPage((ctx, args, page) => pageChannels(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
);

const ChannelTestType = answerType('ChannelTest', 'Result of a test message.', {
  delivered: flag('Whether the channel accepted the message.'),
  reason: orNull(text('Why the message was not accepted; null if it was.')),
});

const ChannelSecretType = answerType('ChannelSecret', 'A new signing secret. Only this response contains it.', {
  secret: text('The secret, `whsec_` and base64. It is not shown again.'),
});

const idArg = builder.args((t) => ({ id: t.id({ required: true, description: idText }) }));
const needsAll = 'For Admins with access to all accounts.';

builder.mutationFields((t) => ({
  testChannel: t.field({
    type: ChannelTestType,
    description: `Sends a test message to a channel, immediately and without retries, even if it is disabled. ${needsAll}`,
    args: idArg,
    ...writeRoute(tag, 'channels.write', { path: '/channels/{id}/test' }),
    resolve: (_root, { id }, ctx) => testChannel(ctx.deps, viewerOf(ctx), id),
  }),
  rotateChannelSecret: t.field({
    type: ChannelSecretType,
    description: `Replaces the signing secret of a webhook. The previous secret is no longer used. ${needsAll}`,
    args: idArg,
    ...writeRoute(tag, 'channels.write', { path: '/channels/{id}/secret', errors: ['CONFLICT'] }),
    resolve: (_root, { id }, ctx) => rotateChannelSecret(ctx.deps, viewerOf(ctx), actorOf(ctx), id),
  }),
}));

recordOperations<typeof channelFields, NewChannel>('Channel', 'a channel', {
  type: ChannelType,
  tag,
  path: '/channels',
  can: 'channels.write',
  conflicts: true,
  fields: channelFields,
  shown: {
    name: { type: 'String', text: 'Unique display name, ignoring case: 1 to 100 characters on one line.' },
    kind: { type: ChannelKindType, text: 'Format of the messages. Cannot be changed later.' },
    url: {
      type: 'String',
      text: 'Webhook URL: https, a public host name, port 443, unless the operator allows more (`WEBHOOK_HOSTS`, `ALLOW_PRIVATE_WEBHOOKS`). Checked on save, stored encrypted and never returned.',
    },
    enabled: { type: 'Boolean', text: 'Whether messages are sent to it.' },
    anomalyAlerts: { type: 'Boolean', text: 'Whether anomalies of all accounts are sent to it.' },
  },
  descriptions: {
    id: idText,
    read: 'Returns a channel of the organization.',
    create: `Creates a channel. For a webhook, the response has its signing secret, which is not shown again. ${needsAll}`,
    update: `Updates a channel. ${needsAll}`,
    remove: `Deletes a channel that no budget, alert rule or report schedule uses. ${needsAll}`,
  },
  read: (deps, { scope }, id, query) => channels.read(deps, scope, id, query),
  create: createChannel,
  onCreated: (ctx, { id, signingSecret }) => {
    if (signingSecret !== null) shownSecrets(ctx).set(id, signingSecret);
  },
  update: updateChannel,
  remove: deleteChannel,
});
