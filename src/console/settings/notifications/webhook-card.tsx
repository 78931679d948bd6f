import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { Status } from '../../parts/status.tsx';
import { SetWebhook, type NotificationPreferences } from './queries.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookTest } from './webhook-test.tsx';

/** The caller's webhook of Slack, or of a chat server like it. Its address goes in and never comes out. */
export function WebhookCard({ preferences }: { readonly preferences: NotificationPreferences }) {
  const { slackConfigured, slackProblem } = preferences;
  const [isReplacing, setReplacing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Card title="Chat" note="Slack, or a chat server that understands its webhooks.">
      <Stack gap="sm">
        <Group gap="sm">
          <Status
            value="webhook"
            tone={slackConfigured ? (slackProblem ? 'bad' : 'good') : 'quiet'}
            label={slackConfigured ? 'Webhook set' : 'No webhook'}
          />
          <Text size="sm" c="dimmed">
            {slackConfigured
              ? 'It is kept encrypted and is not shown again.'
              : 'Make an incoming webhook in your chat, and paste its address here.'}
          </Text>
        </Group>
        {slackProblem && (
          <Alert
            color="red"
            variant="light"
            title="The chat server takes no message any more"
            icon={<IconAlertTriangle size={18} aria-hidden />}
          >
            {slackProblem}. Replace the webhook.
          </Alert>
        )}
        {slackConfigured && !isReplacing ? (
          <>
            <WebhookTest />
            <Group gap="xs">
              <Button variant="default" onClick={() => setReplacing(true)}>
                Replace
              </Button>
              <Button variant="default" onClick={() => setRemoving(true)}>
                Remove
              </Button>
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
      {isRemoving && <RemoveDialog onClose={() => setRemoving(false)} />}
    </Card>
  );
}

function RemoveDialog({ onClose }: { onClose(): void }) {
  const set = useAct(SetWebhook);
  const submit = async () => {
    if (!(await set.act({ url: null }))) return;
    done('The webhook is removed.');
    onClose();
  };
  return (
    <ConfirmDialog
      title="Remove the webhook"
      verb="Remove"
      isOpen
      isBusy={set.isBusy}
      refusal={set.refusal}
      text="Nothing is posted to your chat any more. Mail still comes."
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}
