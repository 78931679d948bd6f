import { Stack, Text } from '@mantine/core';
import { usePeople } from '../../parts/choices/choices.tsx';
import { useMe } from '../../api/me.tsx';
import { ActDialog } from '../../parts/form/dialog.tsx';
import { useChannelsText } from '../../parts/form/recipients.tsx';
import { Facts } from '../../parts/page/card.tsx';
import { moment } from '../../words/format.ts';
import { SendSchedule, type Schedule } from '../queries.ts';
import { frequencies } from './form.ts';

interface Props {
  readonly schedule: Schedule;
  onClose(): void;
}

/** Shows where the report of a schedule goes, then creates and sends it. */
export function SendDialog({ schedule, onClose }: Props) {
  const { id, name, recipients, valueRecipients, createdById, frequency, nextRunAt } = schedule;
  const { organization } = useMe();
  const owner = usePeople([createdById])(createdById);
  const channelsText = useChannelsText();
  const addresses = recipients.length > 0 ? recipients.join(', ') : `Owner${owner ? ` (${owner})` : ''}`;
  return (
    <ActDialog
      title={`Send ${name} now?`}
      verb="Send now"
      mutation={SendSchedule}
      variables={{ id }}
      confirmation={`${name} is being created and sent. Its deliveries appear in sent notifications.`}
      onClose={onClose}
      text={
        <Stack gap="sm">
          <Text inherit>
            Creates the report {frequencies[frequency].period} and sends it to its recipients. Members receive it only
            if they can access its accounts and have not turned off reports.
          </Text>
          <Facts
            facts={[
              ['Email', addresses],
              ...valueRecipients.map(({ value, recipients: own }) => [`Email, ${value}`, own.join(', ')] as const),
              ['Channels', channelsText(schedule)],
              ['Next run', nextRunAt ? `${moment(nextRunAt)}, as before` : 'None: the schedule is disabled'],
            ]}
          />
          {!organization.mailConfigured && (
            <Text inherit>This server saves emails in its data folder and does not send them.</Text>
          )}
        </Stack>
      }
    />
  );
}
