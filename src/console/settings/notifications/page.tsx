import { Stack, Table, TagsInput, Text, VisuallyHidden, Box } from '@mantine/core';
import { useState } from 'react';
import { Muted } from '../../parts/form/menu.tsx';
import { useMay, useMe } from '../../api/me.tsx';
import { useAct, useAnswer } from '../../api/use-api.ts';
import { done, OnOff } from '../../parts/form/dialog.tsx';
import { CardForm } from '../../parts/form/form.tsx';
import { emailsFault, useEmails } from '../../parts/form/recipients.tsx';
import { Card } from '../../parts/page/card.tsx';
import { RefusalAlert, Shown } from '../../parts/page/page.tsx';
import { SettingsPage } from '../settings-page.tsx';
import classes from '../../parts/list/table.module.css';
import { Preferences, UpdatePreferences, type Channel, type Kind, type NotificationPreferences } from './queries.ts';
import { WebhookCard } from './webhook-card.tsx';
import { Toggle } from '../../parts/form/fields.tsx';

/** Notification settings of the caller in this organization. */
export function NotificationsPage() {
  const answer = useAnswer(Preferences, {});
  const mayWrite = useMay('notifications.write');
  return (
    <SettingsPage
      title="Notifications"
      lead={
        mayWrite
          ? 'Notifications in this organization.'
          : 'Notifications in this organization. Viewers cannot change them.'
      }
    >
      <Shown of={answer} height={480}>
        {({ notificationPreferences: preferences }) =>
          preferences && (
            <Stack gap="md">
              <KindsCard preferences={preferences} mayWrite={mayWrite} />
              {mayWrite && (
                <CopiesCard key={preferences.additionalEmails.join()} emails={preferences.additionalEmails} />
              )}
              {mayWrite && <WebhookCard preferences={preferences} />}
            </Stack>
          )
        }
      </Shown>
    </SettingsPage>
  );
}

const kinds: readonly (readonly [kind: Kind, title: string, text: string])[] = [
  ['budgetAlerts', 'Budget alerts', 'One of your budgets reaches a threshold.'],
  ['anomalyAlerts', 'Anomalies', 'An account you can access costs more than expected.'],
  ['alertRules', 'Alert rules', 'One of your alert rules is triggered.'],
  ['reports', 'Reports', 'One of your scheduled reports is ready.'],
];

const channels: readonly (readonly [channel: Channel, title: string])[] = [
  ['email', 'Email'],
  ['slack', 'Chat'],
];

interface Props {
  readonly preferences: NotificationPreferences;
  readonly mayWrite: boolean;
}

/** Notifications by kind and channel. Switches save immediately. */
function KindsCard({ preferences, mayWrite }: Props) {
  const { user } = useMe();
  const update = useAct(UpdatePreferences);
  const isUnset = (channel: Channel) => channel === 'slack' && !preferences.slackConfigured;
  const note = `Emails are sent to ${user.email}.${preferences.slackConfigured ? '' : ' Set up a webhook to receive chat messages.'}`;
  return (
    <Card title="Channels by kind" note={note} flush>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="group" aria-label="Channels by kind">
        <Table className={classes.table} verticalSpacing={10} horizontalSpacing="md">
          <caption>
            <VisuallyHidden>Notifications by channel</VisuallyHidden>
          </caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Kind</Table.Th>
              {channels.map(([channel, title]) => (
                <Table.Th scope="col" key={channel}>
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {kinds.map(([kind, title, text]) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row" className={classes.rowHead}>
                  <Text size="sm" fw={550}>
                    {title}
                  </Text>
                  <Muted size="xs">{text}</Muted>
                </Table.Th>
                {channels.map(([channel, name]) => (
                  <Table.Td key={channel}>
                    {mayWrite ? (
                      <Toggle
                        aria-label={`${title} by ${name.toLowerCase()}`}
                        aria-disabled={update.isBusy}
                        disabled={isUnset(channel)}
                        checked={!isUnset(channel) && preferences[channel][kind]}
                        onChange={(isOn) => void update.act({ input: { [channel]: { [kind]: isOn } } })}
                      />
                    ) : (
                      <OnOff isOn={!isUnset(channel) && preferences[channel][kind]} />
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {update.refusal && (
        <Box px="md" pb="md">
          <RefusalAlert refusal={update.refusal} />
        </Box>
      )}
    </Card>
  );
}

/** Maximum addresses, as limited by the API. */
const most = 20;

/** Additional recipients of the caller's email notifications. */
function CopiesCard({ emails: before }: { readonly emails: readonly string[] }) {
  const { all, input } = useEmails(before);
  const [fault, setFault] = useState<string | null>(null);
  const update = useAct(UpdatePreferences);
  const isSame = all.join() === before.join();
  const save = async () => {
    const found = emailsFault(all, most);
    setFault(found);
    if (!found && (await update.act({ input: { additionalEmails: all } }))) done('Saved.');
  };
  return (
    <Card title="Copies">
      <CardForm
        of={update}
        fields={{
          form: { all },
          initial: { all: before },
          set: (draft: { all: string[] }) => input.onChange(draft.all),
        }}
        isSame={isSame}
        onSave={save}
      >
        <TagsInput
          label="Additional email addresses"
          description="Each receives a copy of your email notifications. Separate several addresses with commas, spaces or Enter."
          placeholder={input.value.length === 0 ? 'finance@example.com' : ''}
          error={fault}
          {...input}
        />
      </CardForm>
    </Card>
  );
}
