import { Switch, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { RefusalAlert } from '../../parts/refusal.tsx';
import { Status } from '../../parts/status.tsx';
import classes from './kinds.module.css';
import { UpdatePreferences, type Channel, type Kind, type NotificationPreferences } from './queries.ts';

const kinds: readonly (readonly [kind: Kind, title: string, text: string])[] = [
  ['budgetAlerts', 'Budget alerts', 'A budget of yours reaches one of its thresholds.'],
  ['anomalyAlerts', 'Anomalies', 'An account that you see costs more than expected.'],
  ['alertRules', 'Alert rules', 'The condition of an alert rule of yours holds.'],
  ['reports', 'Reports', 'A scheduled report of yours is ready.'],
];

const channels: readonly (readonly [channel: Channel, title: string])[] = [
  ['email', 'Email'],
  ['slack', 'Chat'],
];

interface Props {
  readonly preferences: NotificationPreferences;
  readonly mayWrite: boolean;
}

/** Which kind of news comes by which channel. A switch is saved at once. */
export function KindsCard({ preferences, mayWrite }: Props) {
  const { user } = useMe();
  const update = useAct(UpdatePreferences);
  const note = `Mail goes to ${user.email}.${preferences.slackConfigured ? '' : ' Chat needs a webhook first.'}`;
  return (
    <Card title="What you are told" note={note} flush>
      <Table.ScrollContainer minWidth={0} type="native" tabIndex={0} role="region" aria-label="What you are told">
        <Table className={classes.table} verticalSpacing={10} horizontalSpacing="md">
          <caption>
            <VisuallyHidden>Kinds of news by channel</VisuallyHidden>
          </caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">News</Table.Th>
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
                <Table.Th scope="row">
                  <Text size="sm" fw={550}>
                    {title}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {text}
                  </Text>
                </Table.Th>
                {channels.map(([channel, name]) => (
                  <Table.Td key={channel}>
                    <OnOff
                      label={`${title} by ${name.toLowerCase()}`}
                      isOn={preferences[channel][kind]}
                      mayWrite={mayWrite}
                      isBusy={update.isBusy}
                      onChange={(isOn) => void update.act({ [channel]: { [kind]: isOn } })}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {update.refusal && (
        <div className={classes.refusal}>
          <RefusalAlert refusal={update.refusal} />
        </div>
      )}
    </Card>
  );
}

interface OnOffProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly mayWrite: boolean;
  readonly isBusy: boolean;
  onChange(isOn: boolean): void;
}

function OnOff({ label, isOn, mayWrite, isBusy, onChange }: OnOffProps) {
  if (!mayWrite) return <Status value="" tone={isOn ? 'good' : 'quiet'} label={isOn ? 'On' : 'Off'} />;
  return (
    <Switch
      aria-label={label}
      checked={isOn}
      aria-disabled={isBusy}
      onChange={(event) => !isBusy && onChange(event.currentTarget.checked)}
    />
  );
}
