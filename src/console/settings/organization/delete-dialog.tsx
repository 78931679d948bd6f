import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { leave } from '../../api/session.ts';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { DeleteOrganization } from './queries.ts';

interface Props {
  readonly name: string;
  onClose(): void;
}

/** Deletes the organization, with its name typed and the password again. */
export function DeleteDialog({ name, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<{ name?: string; password?: string }>({});
  const remove = useAct(DeleteOrganization);
  const submit = async () => {
    const isNamed = typed.trim() === name.trim();
    setFaults({
      ...(!isNamed && { name: 'This is not the name of the organization' }),
      ...(password === '' && { password: 'Password is missing' }),
    });
    if (!isNamed || password === '') return;
    const isDone = await remove.act({ password });
    setPassword('');
    if (isDone) leave(`${name} is deleted.`);
  };
  return (
    <FormDialog
      title="Delete the organization"
      verb="Delete for good"
      danger
      isOpen
      isBusy={remove.isBusy}
      refusal={remove.refusal}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">
        Members, settings, accounts with their credentials, every figure and the audit log are deleted. Nobody can bring
        them back. Users stay, with their other organizations.
      </Text>
      <TextInput
        label={`Type ${name} to confirm`}
        autoComplete="off"
        data-autofocus
        value={typed}
        error={faults.name}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        value={password}
        error={faults.password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
