import { Button, Group, Stack } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useAct } from '../../api/use-act.ts';
import { done } from '../../parts/done.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { SetWebhook } from './queries.ts';

interface Props {
  readonly isReplacing: boolean;
  onDone(): void;
  onCancel?(): void;
}

/** Takes the address of a webhook. It is forgotten here as soon as it is sent. */
export function WebhookForm({ isReplacing, onDone, onCancel }: Props) {
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const set = useAct(SetWebhook);
  const save = async () => {
    if (url.trim() === '') return setFault('The address is missing');
    setFault(null);
    if (!(await set.act({ url: url.trim() }))) return;
    setUrl('');
    done(isReplacing ? 'The webhook is replaced.' : 'The webhook is set.');
    onDone();
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack gap="sm" maw={560}>
        <PasswordField
          label={isReplacing ? 'Address of the new webhook' : 'Address of the webhook'}
          description="Whoever has it can post to your chat: it is a secret."
          placeholder="https://hooks.slack.com/services/…"
          autoComplete="new-password"
          data-1p-ignore
          data-autofocus
          value={url}
          error={fault}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <RefusalAlert refusal={set.refusal} />
        <Group gap="xs">
          <Button type="submit" loading={set.isBusy}>
            {isReplacing ? 'Replace' : 'Set'}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
