import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-act.ts';
import { ConfirmDialog, FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { faultsOf, nameFault } from '../../sign-in/faults.ts';
import { DeletePasskey, RenamePasskey, type Passkey } from './queries.ts';

interface Props {
  readonly passkey: Passkey;
  onClose(): void;
}

/** Gives a passkey another name. */
export function RenameDialog({ passkey, onClose }: Props) {
  const { act, isBusy, refusal, clear } = useAct(RenamePasskey);
  const [name, setName] = useState(passkey.name);
  const [fault, setFault] = useState<string | null>(null);
  const faults = faultsOf(refusal, { name: ['name', 'The name'] });
  const submit = async () => {
    const found = nameFault(name, 'a name');
    setFault(found);
    if (!found && (await act({ id: passkey.id, name: name.trim() }))) onClose();
  };
  return (
    <FormDialog
      title="Rename the passkey"
      verb="Rename"
      isOpen
      isBusy={isBusy}
      refusal={faults.name ? null : refusal}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={100}
        value={name}
        error={fault ?? faults.name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          clear();
        }}
      />
    </FormDialog>
  );
}

/** Deletes a passkey.
 *  @param props `isLast`: there is no other passkey */
export function DeleteDialog({ passkey, isLast, onClose }: Props & { readonly isLast: boolean }) {
  const { organization, secondFactors } = useMe();
  const { act, isBusy, refusal } = useAct(DeletePasskey);
  const isLastFactor = isLast && !secondFactors.includes('TOTP');
  const submit = async () => {
    if (!(await act({ id: passkey.id }))) return;
    onClose();
    done(`${passkey.name} is deleted.`);
  };
  return (
    <ConfirmDialog
      title={`Delete ${passkey.name}?`}
      verb="Delete"
      isOpen
      isBusy={isBusy}
      refusal={refusal}
      text={`It logs you in no more. Delete it on the device or in the password manager too. ${
        isLastFactor ? whatFollows(organization) : ''
      }`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}

function whatFollows({ name, requireTwoFactor }: { name: string; requireTwoFactor: boolean }): string {
  return requireTwoFactor
    ? `It is your only second factor, and ${name} requires one: you will set up another before you go on.`
    : 'It is your only second factor: your password alone will log you in.';
}
