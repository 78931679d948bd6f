import { IconKey, IconPencil, IconPlugConnectedX, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Act, ActMenu } from '../../parts/form/menu.tsx';
import { costsHref } from '../../costs/address.ts';
import { inventoryHref } from '../../inventory/queries.ts';
import { ActDialog } from '../../parts/form/dialog.tsx';
import { TextField } from '../../parts/form/fields.tsx';
import { useUrlState } from '../../parts/list/url-state.ts';
import { DisconnectAccount, UpdateAccount, type Account } from '../queries.ts';
import { RemoveSample } from '../sample/sample.tsx';
import { wayOf } from '../source/values.ts';

interface Props {
  readonly account: Account;
  readonly mayWrite: boolean;
}

/** Links to the account's costs and resources, and a menu of actions. */
export function AccountActions({ account, mayWrite }: Props) {
  return (
    <>
      <Act label="Costs" href={costsHref({ account: account.id })} />
      <Act label="Inventory" href={inventoryHref({ account: account.id })} />
      {mayWrite && <Manage account={account} />}
    </>
  );
}

type Open = 'rename' | 'disconnect' | 'purge' | 'sample';

function Manage({ account }: { readonly account: Account }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const state = useUrlState();
  const { provider, sample, settings, status } = account;
  const isConnected = status === 'CONNECTED' && !sample;
  const hasCredentials = wayOf(provider, settings).credentials.length > 0;
  const edit = (part: string) => state.with({ edit: part });
  return (
    <>
      <ActMenu
        label="Manage"
        button={{}}
        items={[
          { label: 'Rename', Icon: IconPencil, onClick: () => setOpen('rename') },
          isConnected && { label: 'Change settings', Icon: IconSettings, href: edit('settings') },
          status === 'DISCONNECTED' && !sample && { label: 'Reconnect', Icon: IconSettings, href: edit('reconnect') },
          isConnected && hasCredentials && { label: 'Replace credentials', Icon: IconKey, href: edit('credentials') },
          '-',
          isConnected && { label: 'Disconnect', Icon: IconPlugConnectedX, onClick: () => setOpen('disconnect') },
          sample && { label: 'Remove sample data', Icon: IconTrash, danger: true, onClick: () => setOpen('sample') },
          !sample && {
            label: isConnected ? 'Disconnect and delete data' : 'Delete data',
            Icon: IconTrash,
            danger: true,
            onClick: () => setOpen('purge'),
          },
        ]}
      />
      {open === 'rename' && <RenameDialog account={account} onClose={close} />}
      {open === 'sample' && <RemoveSample onClose={close} />}
      {(open === 'disconnect' || open === 'purge') && (
        <DisconnectDialog account={account} purge={open === 'purge'} onClose={close} />
      )}
    </>
  );
}

interface RenameDialogProps {
  readonly account: Account;
  onClose(): void;
}

function RenameDialog({ account, onClose }: RenameDialogProps) {
  // Keeps the first version, on which the edits are based: the account is refetched during editing.
  const [{ id, name: before, updatedAt }] = useState(account);
  const [name, setName] = useState(before);
  const [fault, setFault] = useState<string | null>(null);
  const variables = () => {
    if (name.trim() === before) return undefined;
    setFault(name.trim() === '' ? 'Name is missing' : null);
    return name.trim() === '' ? null : { id, input: { name: name.trim(), ifUnmodifiedSince: updatedAt } };
  };
  return (
    <ActDialog
      title="Rename account"
      verb="Rename"
      mutation={UpdateAccount}
      variables={variables}
      confirmation="Renamed."
      onClose={onClose}
    >
      <TextField label="Name" maxLength={100} data-autofocus value={name} error={fault} onChange={setName} />
    </ActDialog>
  );
}

interface DisconnectDialogProps {
  readonly account: Account;
  /** Also deletes the account's cost data. */
  readonly purge: boolean;
  onClose(): void;
}

/** Confirms disconnecting an account; deleting its data also requires typing its name. */
function DisconnectDialog({ account: { id, name, status }, purge, onClose }: DisconnectDialogProps) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [, go] = useLocation();
  const variables = () => {
    if (!purge || typed.trim() === name.trim()) return { id, purge };
    setFault('This is not the name of the account');
    return null;
  };
  const deletion = status === 'CONNECTED' ? 'Disconnect and delete data' : 'Delete data';
  return (
    <ActDialog
      title={purge ? deletion : 'Disconnect account'}
      verb={purge ? 'Delete permanently' : 'Disconnect'}
      danger
      text={
        purge
          ? 'Deletes the account, its credentials and all its data, such as costs, resources, anomalies and recommendations, and the budgets, alert rules, tag policies, schedules, reports, saved views, dashboards and notes of this account only. This cannot be undone.'
          : `The credentials of ${name} are deleted and it is no longer synced. Its past costs are kept, and it can be reconnected with new credentials.`
      }
      mutation={DisconnectAccount}
      variables={variables}
      confirmation={purge ? `${name} and its data are deleted.` : `${name} is disconnected. Its past costs are kept.`}
      // The page of a deleted account would refetch it and get a 404.
      onDone={() => purge && go('/accounts')}
      onClose={onClose}
    >
      {purge && (
        <TextField
          label={`Type ${name} to confirm`}
          autoComplete="off"
          data-autofocus
          value={typed}
          error={fault}
          onChange={setTyped}
        />
      )}
    </ActDialog>
  );
}
