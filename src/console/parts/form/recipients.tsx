import { Input, MultiSelect, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useMay, useMe } from '../../api/me.tsx';
import { useAnswer } from '../../api/use-api.ts';
import { useChannelChoices } from '../../settings/channels/queries.ts';
import { Preferences } from '../../settings/notifications/queries.ts';
import { TextLink } from '../page/page.tsx';
import { Toggle } from './fields.tsx';

/** Recipients besides the owner, the channels to post to, and whether to post to the owner’s webhook. */
export interface RecipientChoice {
  readonly emails: readonly string[];
  readonly slack: boolean;
  readonly channelIds: readonly string[];
}

interface Props {
  readonly value: RecipientChoice;
  onChange(choice: RecipientChoice): void;
  readonly label: string;
  readonly description: string;
  /** Maximum number of addresses. */
  readonly most: number;
  /** Whether the caller is the owner, whose webhook is used. */
  readonly isMine: boolean;
  readonly error?: string | null;
}

/** Returns the error in a list of addresses, or null. The API validates them more strictly. */
export function emailsFault(emails: readonly string[], most: number): string | null {
  const wrong = emails.find((email) => !/^[^\s@]+@[^\s@]+$/.test(email));
  if (wrong !== undefined) return `${wrong} is not a valid email address`;
  return emails.length > most ? `Enter at most ${most} addresses` : null;
}

interface EmailsProps extends Pick<Props, 'label' | 'most' | 'error'> {
  readonly description?: string;
  readonly value: readonly string[];
  onChange(emails: string[]): void;
}

/** Field for several email addresses. */
export function EmailsField({ value, most, onChange, ...shown }: EmailsProps) {
  return (
    <TagsInput
      {...shown}
      placeholder={value.length === 0 ? 'name@example.com' : ''}
      value={[...value]}
      onChange={(emails) => onChange(emails.map((email) => email.trim()))}
      splitChars={[',', ';', ' ']}
      maxTags={most}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${shown.label}` }}
    />
  );
}

/** Fields for notification recipients. */
export function RecipientFields({ value, onChange, isMine, error = null, ...field }: Props) {
  return (
    <Stack gap="sm">
      <EmailsField
        {...field}
        value={value.emails}
        error={error}
        onChange={(emails) => onChange({ ...value, emails })}
      />
      <ChannelsField value={value.channelIds} onChange={(channelIds) => onChange({ ...value, channelIds })} />
      <WebhookToggle isMine={isMine} value={value.slack} onChange={(slack) => onChange({ ...value, slack })} />
    </Stack>
  );
}

/** Maximum channels, as limited by the API. */
const mostChannels = 10;

interface ChannelsProps {
  readonly value: readonly string[];
  onChange(channelIds: string[]): void;
}

/** Field for channels of the organization; without any, a link to add one. */
function ChannelsField({ value, onChange }: ChannelsProps) {
  const choices = useChannelChoices();
  if (choices?.length === 0) return <NoChannels />;
  return (
    <MultiSelect
      label="Channels"
      description="Slack, Microsoft Teams or webhooks of the organization."
      placeholder={value.length === 0 ? 'Choose channels' : ''}
      data={choices ?? []}
      value={[...value]}
      maxValues={mostChannels}
      searchable
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': 'Clear channels' }}
      nothingFoundMessage="No matching channel"
      onChange={onChange}
    />
  );
}

function NoChannels() {
  const { accountAccess } = useMe();
  const mayAdd = useMay('channels.write') && accountAccess === null;
  return (
    <Input.Wrapper label="Channels" labelElement="div">
      <Text size="sm" c="dimmed">
        {mayAdd ? 'No channels yet. ' : 'No channels yet. An Admin with access to all accounts can add them.'}
        {mayAdd && (
          <TextLink href="/settings/channels?new=1" inherit underline="always">
            Add a Slack or Teams channel
          </TextLink>
        )}
      </Text>
    </Input.Wrapper>
  );
}

interface WebhookProps {
  readonly isMine: boolean;
  readonly value: boolean;
  onChange(isOn: boolean): void;
}

/** Switch for the owner's webhook. The caller cannot turn it on without a webhook. */
function WebhookToggle({ isMine, value, onChange }: WebhookProps) {
  const { data } = useAnswer(Preferences, {}, { pause: !isMine });
  const isMissing = isMine && data?.notificationPreferences?.slackConfigured === false;
  return (
    <Toggle
      label={isMine ? 'Post to my webhook' : 'Post to the owner’s webhook'}
      description={
        isMissing ? (
          <Text component="span" inherit>
            You have no webhook, so nothing is posted.{' '}
            <TextLink href="/settings/notifications" inherit underline="always">
              Add one
            </TextLink>
          </Text>
        ) : (
          'The personal webhook under Notifications.'
        )
      }
      disabled={isMissing && !value}
      checked={value}
      onChange={onChange}
    />
  );
}

/** Returns a function that lists the channels of a record, and the owner's webhook, as text. */
export function useChannelsText(): (record: Pick<RecipientChoice, 'channelIds' | 'slack'>) => string {
  const choices = useChannelChoices() ?? [];
  return ({ channelIds, slack }) => {
    const named = channelIds.map((id) => choices.find(({ value }) => value === id)?.label ?? 'Unknown channel');
    return [...named, ...(slack ? ['Owner’s webhook, if set'] : [])].join(', ') || 'None';
  };
}

/** State of a field for several addresses. @returns all addresses, and the props of its `TagsInput` */
export function useEmails(initial: readonly string[] = []) {
  const [emails, setEmails] = useState([...initial]);
  const [typed, setTyped] = useState('');
  // Include text that has not become a pill yet.
  const all = [...new Set([...emails, ...addressesIn(typed)])];
  const input = {
    splitChars: [',', ' ', ';', '\n', '\t'],
    value: emails,
    acceptValueOnBlur: false,
    searchValue: typed,
    clearable: true,
    clearButtonProps: { 'aria-label': 'Clear addresses' },
    onChange: (next: string[]) => setEmails(next.flatMap(addressesIn)),
    onSearchChange: setTyped,
  };
  return { all, input };
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}
