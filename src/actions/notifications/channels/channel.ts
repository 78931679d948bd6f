import type { Channel as ChannelRow, ChannelKind } from '../../../../prisma/generated/client/client.ts';
import {
  defaulted,
  given,
  permanent,
  required,
  type RecordChange,
  type RecordInput,
} from '../../../kit/record-fields.ts';
import { nameRule, parseName } from '../../../tenancy/login/input.ts';
import { webhookRule } from '../webhook/address.ts';

/** A channel of an organization, without its URL and secret. */
export type Channel = Pick<
  ChannelRow,
  'id' | 'organizationId' | 'name' | 'kind' | 'enabled' | 'anomalyAlerts' | 'updatedAt'
>;

/** The fields of a channel that clients set. */
export const channelFields = {
  name: required(parseName, nameRule),
  kind: permanent(given<ChannelKind>),
  // Resolved when it is written: see `parseWebhookUrl`.
  url: required(given<string>, webhookRule),
  enabled: defaulted(true, given<boolean>),
  anomalyAlerts: defaulted(false, given<boolean>),
};

export type ChannelInput = RecordInput<typeof channelFields>;
export type ChannelChange = RecordChange<typeof channelFields>;

/** Returns the row id that the encryption of a channel's URL is bound to. */
export function addressRowId(channelId: string): string {
  return `channel address ${channelId}`;
}

/** Returns the row id that the encryption of a channel's signing secret is bound to. */
export function secretRowId(channelId: string): string {
  return `channel secret ${channelId}`;
}
