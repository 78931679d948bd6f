import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconKey, IconPencil, IconPlugConnectedX, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { costsHref } from '../../costs/address.ts';
import { inventoryHref } from '../../inventory/address.ts';
import { useUrlState } from '../../parts/url-state.ts';
import type { Account } from '../queries.ts';
import { wayOf } from '../source/values.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';

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
