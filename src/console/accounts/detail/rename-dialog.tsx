import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { RenameAccount, type Account } from '../queries.ts';

interface Props {
  readonly account: Account;
  onClose(): void;
}

/** Gives an account another name. */
export function RenameDialog({ account: { id, name: before }, onClose }: Props) {
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
    <FormDialog
      title="Rename the account"
      verb="Rename"
      isOpen
      isBusy={rename.isBusy}
      refusal={rename.refusal}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
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
