import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { DisconnectAccount, type Account } from '../queries.ts';

interface Props {
  readonly account: Account;
  /** Its figures go too. */
  readonly purge: boolean;
  onClose(): void;
}

/** Asks before an account is disconnected, and for its name before its data are deleted. */
export function DisconnectDialog({ account: { id, name, status }, purge, onClose }: Props) {
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
      isOpen
      isBusy={disconnect.isBusy}
      refusal={disconnect.refusal}
      onSubmit={() => void submit()}
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
