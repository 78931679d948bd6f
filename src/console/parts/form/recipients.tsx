import { Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../../api/use-api.ts';
import { Preferences } from '../../settings/notifications/queries.ts';
import { TextLink } from '../page/page.tsx';
import { Toggle } from './fields.tsx';

/** Recipients besides the owner, and whether to post to the chat channel. */
export interface RecipientChoice {
  readonly emails: readonly string[];
  readonly slack: boolean;
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
  return emails.length > most ? `At most ${most} addresses` : null;
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
      <Toggle
        label="Send to Slack"
        description={<ChatNote isMine={isMine} />}
        checked={value.slack}
        onChange={(slack) => onChange({ ...value, slack })}
      />
    </Stack>
  );
}

function ChatNote({ isMine }: { readonly isMine: boolean }) {
  const { data } = useAnswer(Preferences, {}, { pause: !isMine });
  if (!isMine) return <>Through the owner’s webhook.</>;
  if (data?.notificationPreferences?.slackConfigured !== false) return <>Through your webhook.</>;
  return (
    <Text component="span" inherit>
      You have no webhook yet.{' '}
      <TextLink href="/settings/notifications" inherit underline="always">
        Add one
      </TextLink>
    </Text>
  );
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
