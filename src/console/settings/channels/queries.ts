import { useMemo } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';
import { useAnswer } from '../../api/use-api.ts';
import type { Choice } from '../../parts/list/filters.tsx';

/** Channels of the organization. */
export const ChannelsQuery = graphql(operations.channels, [graphql(operations.ChannelFields)]);

/** Channel of the organization, as returned by the API. */
export type Channel = RecordOf<typeof ChannelsQuery>;

/** Channels of the organization by name, disabled ones marked; null while they load. An organization has at most 50. */
export function useChannelChoices(): Choice[] | null {
  const { data } = useAnswer(ChannelsQuery, { perPage: 100 });
  return useMemo(
    () =>
      data?.channels?.data.map(({ id, name, enabled }) => ({
        value: id,
        label: enabled ? name : `${name} (disabled)`,
      })) ?? null,
    [data],
  );
}

/** Creates a channel; only this answer contains the signing secret of a webhook. */
export const CreateChannel = graphql(`
  mutation CreateChannelOnce($input: CreateChannelInput!) {
    createChannel(input: $input) {
      id
      name
      secret
    }
  }
`);

export const UpdateChannel = graphql(operations.updateChannel);
export const DeleteChannel = graphql(operations.deleteChannel);

/** Posts a test message. */
export const TestChannel = graphql(operations.testChannel);

/** Replaces the signing secret of a webhook; only this answer contains the new one. */
export const RotateSecret = graphql(operations.rotateChannelSecret);

/** Labels of the kinds of channel, with how to get the webhook URL of each. */
export const channelKinds = {
  SLACK: {
    label: 'Slack',
    description: 'In Slack, add an incoming webhook for the channel. Mattermost and compatible servers work as well.',
    example: 'https://hooks.slack.com/services/…',
  },
  TEAMS: {
    label: 'Microsoft Teams',
    description: 'In Teams, add the workflow “Send webhook alerts to a channel” and copy its URL.',
    example: 'https://….api.powerplatform.com/…',
  },
  WEBHOOK: {
    label: 'Webhook',
    description: 'JSON by POST to your server, signed according to Standard Webhooks.',
    example: 'https://example.com/costkeep',
  },
} as const satisfies Record<Channel['kind'], { label: string; description: string; example: string }>;
