import { Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { anyOf, useList } from '../parts/list/definition.tsx';
import { keysOf } from '../parts/form/fields.tsx';
import { ListPage } from '../parts/list/list.tsx';
import { TwoLines, type Column } from '../parts/list/table.tsx';
import { StatusOf } from '../parts/page/card.tsx';
import { MailNote } from '../parts/page/mail-note.tsx';
import { Empty, TextLink } from '../parts/page/page.tsx';
import { ago, counted, moment } from '../words/format.ts';
import {
  notificationChannels,
  notificationKinds,
  NotificationsQuery,
  recipientText,
  type Notification,
} from './words.ts';

const list = {
  csv: ['/notifications', 'notifications'],
  filters: {
    status: anyOf('status', 'Status', ['SENT', 'PENDING', 'FAILED']),
    kind: anyOf('kind', 'Kind', keysOf(notificationKinds), { labelOf: (kind) => notificationKinds[kind] }),
    channel: anyOf('channel', 'Channel', keysOf(notificationChannels), {
      labelOf: (channel) => notificationChannels[channel],
    }),
  },
} as const;

/** Alerts and reports from the last 90 days, with whether they were sent. */
export function SentNotificationsPage() {
  return (
    <ListPage
      title="Sent notifications"
      lead={
        <>
          Alerts and reports from the last 90 days.{' '}
          <TextLink href="/settings/channels" inherit underline="always">
            Channels
          </TextLink>
          {' · '}
          <TextLink href="/settings/notifications" inherit underline="always">
            Your notification settings
          </TextLink>
        </>
      }
      tabs={<MailNote />}
      list={useList(list, NotificationsQuery)}
      columns={columns}
      hrefOf={({ path }) => path}
      noun={['notification']}
      empty={
        <Empty
          icon={IconSend}
          title="Nothing sent yet"
          text="Budget alerts, anomalies, alert rules and reports appear here as soon as they are sent."
        />
      }
    />
  );
}

const columns: readonly Column<Notification>[] = [
  { title: 'Message', grow: true, cell: (row) => <About notification={row} /> },
  { title: 'Recipient', hideOn: 'phone', cell: recipientText },
  {
    title: 'Status',
    cell: (row) => <TwoLines top={<StatusOf value={row.status} />} below={attemptsText(row)} />,
  },
  {
    title: 'Created',
    sortBy: 'created_at',
    hideOn: 'phone',
    cell: ({ createdAt }) => <TwoLines top={ago(createdAt)} below={moment(createdAt)} />,
  },
];

function About({ notification: { title, kind, error } }: { readonly notification: Notification }) {
  return (
    <>
      <TwoLines top={title} below={notificationKinds[kind]} />
      {error && (
        <Text size="xs" c="var(--bad)">
          {error}
        </Text>
      )}
    </>
  );
}

function attemptsText({ attempts }: Notification): string {
  return attempts > 1 ? counted(attempts, 'attempt') : '';
}
