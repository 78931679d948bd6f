import { Group } from '@mantine/core';
import { IconKey, IconMessages, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay, useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { ConfirmDialog, done, failed, IconAct, OnSwitch } from '../../parts/form/dialog.tsx';
import { useList } from '../../parts/list/definition.tsx';
import { ListPage, NewButton } from '../../parts/list/list.tsx';
import { actsColumn, TwoLines, type Column } from '../../parts/list/table.tsx';
import { Status, StatusOf } from '../../parts/page/card.tsx';
import { Empty, TextLink } from '../../parts/page/page.tsx';
import { ago } from '../../words/format.ts';
import { SettingsPage } from '../settings-page.tsx';
import {
  EditChannelDialog,
  NewChannelDialog,
  RotateDialog,
  SigningSecretDialog,
  type ShownSecret,
} from './dialogs.tsx';
import { channelKinds, ChannelsQuery, DeleteChannel, TestChannel, UpdateChannel, type Channel } from './queries.ts';

const list = { csv: ['/channels', 'channels'], filters: {} } as const;

/** Channels of the organization. Only Admins with access to all accounts can change them. */
export function ChannelsPage() {
  const { accountAccess } = useMe();
  const mayWrite = useMay('channels.write') && accountAccess === null;
  const channels = useList(list, ChannelsQuery);
  const { state } = channels;
  const [secret, setSecret] = useState<ShownSecret | null>(null);
  const newButton = mayWrite && <NewButton onClick={() => state.set({ new: '1' })}>New channel</NewButton>;
  const close = () => state.set({ new: null }, { replace: true });
  return (
    <>
      <ListPage
        title="Channels"
        lead={
          <>
            Slack, Microsoft Teams and webhooks for budgets, alert rules, schedules and anomalies.{' '}
            <TextLink href="/notifications" inherit underline="always">
              Sent notifications
            </TextLink>
          </>
        }
        actions={newButton}
        Frame={SettingsPage}
        reads={['new']}
        list={channels}
        columns={columnsOf(mayWrite, setSecret)}
        noun={['channel']}
        empty={
          <Empty
            icon={IconMessages}
            title="No channels yet"
            text={
              mayWrite
                ? 'Add a Slack or Teams channel, or a webhook, to post alerts and reports to.'
                : 'An Admin with access to all accounts can add Slack and Teams channels and webhooks.'
            }
            action={newButton}
          />
        }
      />
      {mayWrite && state.has('new') && <NewChannelDialog onSecret={setSecret} onClose={close} />}
      {secret && <SigningSecretDialog shown={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

function columnsOf(mayWrite: boolean, onSecret: (secret: ShownSecret) => void): readonly Column<Channel>[] {
  const columns: readonly Column<Channel>[] = [
    {
      title: 'Channel',
      sortBy: 'name',
      grow: true,
      cell: ({ name, kind }) => <TwoLines top={<strong>{name}</strong>} below={channelKinds[kind].label} />,
    },
    {
      title: 'Anomalies',
      hideOn: 'phone',
      cell: ({ anomalyAlerts }) => (anomalyAlerts ? 'All accounts' : 'No'),
    },
    { title: 'Last delivery', hideOn: 'phone', cell: (row) => <LastDelivery channel={row} /> },
    { title: 'Enabled', cell: (row) => <OnSwitch row={row} mutation={UpdateChannel} mayWrite={mayWrite} /> },
  ];
  return mayWrite ? [...columns, actsColumn((row) => <Acts channel={row} onSecret={onSecret} />)] : columns;
}

function LastDelivery({ channel: { lastDelivery } }: { readonly channel: Channel }) {
  if (lastDelivery === null) return <Status value="NONE" tone="quiet" label="None" />;
  const { status, at, error } = lastDelivery;
  return <TwoLines top={<StatusOf value={status} />} below={error ?? ago(at)} />;
}

interface ActsProps {
  readonly channel: Channel;
  onSecret(secret: ShownSecret): void;
}

function Acts({ channel, onSecret }: ActsProps) {
  const { id, name, kind } = channel;
  const [open, setOpen] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <TestButton channel={channel} />
      {kind === 'WEBHOOK' && (
        <IconAct label={`Replace the secret of ${name}`} Icon={IconKey} onClick={() => setOpen('rotate')} />
      )}
      <IconAct label={`Edit ${name}`} Icon={IconPencil} onClick={() => setOpen('edit')} />
      <IconAct label={`Delete ${name}`} Icon={IconTrash} onClick={() => setOpen('delete')} />
      {open === 'edit' && <EditChannelDialog channel={channel} onClose={close} />}
      {open === 'rotate' && <RotateDialog channel={channel} onSecret={onSecret} onClose={close} />}
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete this channel?"
          verb="Delete channel"
          text={`Messages are no longer posted to “${name}”. This cannot be undone.`}
          mutation={DeleteChannel}
          variables={{ id }}
          confirmation={`Channel ${name} deleted`}
          onClose={close}
        />
      )}
    </Group>
  );
}

/** Posts a test message and says whether it arrived. */
function TestButton({ channel: { id, name } }: { readonly channel: Channel }) {
  const { act, isBusy } = useAct(TestChannel);
  const send = async () => {
    const result = (await act({ id }))?.testChannel;
    if (!result) return failed(`No test message was sent to ${name}.`);
    if (result.delivered) done(`Test message delivered to ${name}.`);
    else failed(`Test message not delivered to ${name}: ${result.reason ?? 'the server gave no reason'}`);
  };
  return (
    <IconAct label={`Send a test message to ${name}`} Icon={IconSend} loading={isBusy} onClick={() => void send()} />
  );
}
