import { Button, Menu, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconKey, IconPencil, IconPlugConnectedX, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAct } from '../../api/use-api.ts';
import { costsHref } from '../../costs/address.ts';
import { inventoryHref } from '../../inventory/queries.ts';
import { done, FormDialog } from '../../parts/form/dialog.tsx';
import { useUrlState } from '../../parts/list/url-state.ts';
import { DisconnectAccount, RenameAccount, type Account } from '../queries.ts';
import { wayOf } from '../source/values.ts';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** The ways to an account's costs and resources, and what can be done with it. */
export function AccountActions({ account, mayWrite }: Props) {
  return (
    <>
      <Button variant="default" component={Link} href={costsHref({ account: account.id })}>
        Costs
      </Button>
      <Button variant="default" component={Link} href={inventoryHref({ account: account.id })}>
        Inventory
      </Button>
      {mayWrite && <Manage account={account} />}
    </>
  );
}

type Open = 'rename' | 'disconnect' | 'purge';

function Manage({ account }: { readonly account: Account }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal shadow="md">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
            Manage
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('rename')}>
            Rename
          </Menu.Item>
          <SourceItems account={account} />
          <Menu.Divider />
          <EndItems account={account} onOpen={setOpen} />
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <RenameDialog account={account} onClose={close} />}
      {(open === 'disconnect' || open === 'purge') && (
        <DisconnectDialog account={account} purge={open === 'purge'} onClose={close} />
      )}
    </>
  );
}

interface EndProps {
  readonly account: Account;
  onOpen(open: Open): void;
}

function EndItems({ account: { status }, onOpen }: EndProps) {
  const isConnected = status === 'CONNECTED';
  return (
    <>
      {isConnected && (
        <Menu.Item leftSection={<IconPlugConnectedX size={16} aria-hidden />} onClick={() => onOpen('disconnect')}>
          Disconnect
        </Menu.Item>
      )}
      <Menu.Item color="var(--bad)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onOpen('purge')}>
        {isConnected ? 'Disconnect and delete its data' : 'Delete its data'}
      </Menu.Item>
    </>
  );
}

function SourceItems({ account }: { readonly account: Account }) {
  const state = useUrlState();
  if (account.status === 'DISCONNECTED') {
    return (
      <Menu.Item
        component={Link}
        href={state.with({ edit: 'reconnect' })}
        leftSection={<IconSettings size={16} aria-hidden />}
      >
        Reconnect
      </Menu.Item>
    );
  }
  const hasCredentials = wayOf(account.provider, account.settings).credentials.length > 0;
  return (
    <>
      <Menu.Item
        component={Link}
        href={state.with({ edit: 'settings' })}
        leftSection={<IconSettings size={16} aria-hidden />}
      >
        Change settings
      </Menu.Item>
      {hasCredentials && (
        <Menu.Item
          component={Link}
          href={state.with({ edit: 'credentials' })}
          leftSection={<IconKey size={16} aria-hidden />}
        >
          Replace credentials
        </Menu.Item>
      )}
    </>
  );
}

interface RenameDialogProps {
  readonly account: Account;
  onClose(): void;
}

/** Gives an account another name. */
function RenameDialog({ account: { id, name: before }, onClose }: RenameDialogProps) {
  const [name, setName] = useState(before);
  const [fault, setFault] = useState<string | null>(null);
  const rename = useAct(RenameAccount);
  const submit = async () => {
    if (name.trim() === '') return setFault('Name is missing');
    if (name.trim() !== before && !(await rename.act({ id, name: name.trim() }))) return;
    if (name.trim() !== before) done('Renamed.');
    onClose();
  };
  return (
    <FormDialog title="Rename the account" verb="Rename" of={rename} onSubmit={submit} onClose={onClose}>
      <TextInput
        label="Name"
        maxLength={100}
        data-autofocus
        value={name}
        error={fault}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setFault(null);
        }}
      />
    </FormDialog>
  );
}

interface DisconnectDialogProps {
  readonly account: Account;
  /** Its figures go too. */
  readonly purge: boolean;
  onClose(): void;
}

/** Asks before an account is disconnected, and for its name before its data are deleted. */
function DisconnectDialog({ account: { id, name, status }, purge, onClose }: DisconnectDialogProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const disconnect = useAct(DisconnectAccount);
  const [, go] = useLocation();
  const submit = async () => {
    if (purge && typed.trim() !== name.trim()) return setFault('This is not the name of the account');
    // The page of a deleted account would ask for it once more and find nothing.
    if (!(await disconnect.act({ id, purge }))) return;
    done(purge ? `${name} and its data are deleted.` : `${name} is disconnected. Its history stays.`);
    onClose();
    if (purge) go('/accounts');
  };
  const isConnected = status === 'CONNECTED';
  const title = purge ? (isConnected ? 'Disconnect and delete its data' : 'Delete its data') : 'Disconnect the account';
  return (
    <FormDialog
      title={title}
      verb={purge ? 'Delete for good' : 'Disconnect'}
      danger
      of={disconnect}
      onSubmit={submit}
      onClose={onClose}
    >
      {purge ? (
        <>
          <Text size="sm">
            This deletes the account, its credentials and every figure of it: costs, resources, anomalies,
            recommendations, and the budgets, alert rules, schedules and reports that are about it alone. It cannot be
            undone.
          </Text>
          <TextInput
            label={`Type ${name} to confirm`}
            autoComplete="off"
            data-autofocus
            value={typed}
            error={fault}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              setFault(null);
            }}
          />
        </>
      ) : (
        <Text size="sm">
          The credentials of {name} are destroyed and nothing syncs it any more. Its history stays in the figures, and
          it can be reconnected with new credentials.
        </Text>
      )}
    </FormDialog>
  );
}
