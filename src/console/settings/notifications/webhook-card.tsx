import { Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Act, Muted } from '../../parts/form/menu.tsx';
import { useAct } from '../../api/use-api.ts';
import { ConfirmButton, done } from '../../parts/form/dialog.tsx';
import { PasswordField } from '../../parts/form/fields.tsx';
import { CardForm } from '../../parts/form/form.tsx';
import { Card, Status } from '../../parts/page/card.tsx';
import { RefusalAlert } from '../../parts/page/page.tsx';
import { SetWebhook, TestWebhook, type NotificationPreferences } from './queries.ts';

/** Webhook for Slack or a compatible chat server. Its URL is write-only. */
export function WebhookCard({ preferences }: { readonly preferences: NotificationPreferences }) {
  const { slackConfigured, slackProblem } = preferences;
  const [isReplacing, setReplacing] = useState(false);
  return (
    <Card title="Chat" note="Slack-compatible webhook">
      <Stack gap="sm">
        <Group gap="sm">
          <Status
            value="webhook"
            tone={slackConfigured ? (slackProblem ? 'bad' : 'good') : 'quiet'}
            label={slackConfigured ? 'Webhook set' : 'No webhook'}
          />
          <Muted>
            {slackConfigured
              ? 'Stored encrypted; not shown again.'
              : 'Create an incoming webhook in your chat application and paste its URL here.'}
          </Muted>
        </Group>
        {slackProblem && (
          <Alert
            color="red"
            title="The chat server no longer accepts messages"
            icon={<IconAlertTriangle size={18} aria-hidden />}
          >
            {slackProblem}. Replace the webhook.
          </Alert>
        )}
        {slackConfigured && !isReplacing ? (
          <>
            <WebhookTest />
            <Group gap="xs">
              <Act label="Replace" onClick={() => setReplacing(true)} />
              <ConfirmButton
                label="Remove"
                title="Remove the webhook"
                verb="Remove"
                text="Messages are no longer posted to your chat. You still receive email."
                mutation={SetWebhook}
                variables={{ url: null }}
                confirmation="Webhook removed."
              />
            </Group>
          </>
        ) : (
          <WebhookForm
            isReplacing={slackConfigured}
            onDone={() => setReplacing(false)}
            {...(slackConfigured && { onCancel: () => setReplacing(false) })}
          />
        )}
      </Stack>
    </Card>
  );
}

interface Props {
  readonly isReplacing: boolean;
  onDone(): void;
  onCancel?(): void;
}

/** Form for the webhook URL, which it clears once it is saved. */
function WebhookForm({ isReplacing, onDone, onCancel }: Props) {
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const set = useAct(SetWebhook);
  const save = async () => {
    if (url.trim() === '') return setFault('Enter the webhook URL');
    setFault(null);
    if (!(await set.act({ url: url.trim() }))) return;
    setUrl('');
    done(isReplacing ? 'Webhook replaced.' : 'Webhook saved.');
    onDone();
  };
  return (
    <CardForm of={set} verb={isReplacing ? 'Replace' : 'Set'} maw={560} onSave={save} onCancel={onCancel}>
      <PasswordField
        label={isReplacing ? 'New webhook URL' : 'Webhook URL'}
        description="Anyone with this URL can post to your chat. Keep it secret."
        placeholder="https://hooks.slack.com/services/…"
        autoComplete="new-password"
        data-1p-ignore
        data-autofocus
        value={url}
        error={fault}
        onChange={setUrl}
      />
    </CardForm>
  );
}

interface Result {
  readonly delivered: boolean;
  readonly reason: string | null;
}

/** Posts a test message and shows whether it arrived. */
function WebhookTest() {
  const test = useAct(TestWebhook);
  const [result, setResult] = useState<Result | null>(null);
  const send = async () => {
    setResult(null);
    const data = await test.act({});
    setResult(data?.testSlack ?? null);
  };
  return (
    <>
      <Group gap="sm">
        <Act label="Send a test message" primary loading={test.isBusy} onClick={() => void send()} />
        <Text size="sm" role="status" c={result?.delivered === false ? 'var(--bad)' : 'var(--good)'}>
          {result &&
            (result.delivered ? 'Delivered.' : `Not delivered: ${result.reason ?? 'the server gave no reason'}`)}
        </Text>
      </Group>
      <RefusalAlert refusal={test.refusal} />
    </>
  );
}
