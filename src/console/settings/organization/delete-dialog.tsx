import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { leave } from '../../api/session.ts';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { StepUpFields, useStepUp } from '../security/step-up-fields.tsx';
import { DeleteOrganization } from './queries.ts';

interface Props {
  readonly name: string;
  onClose(): void;
}

/** Deletes the organization, with its name typed and the password again. */
export function DeleteDialog({ name, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const remove = useAct(DeleteOrganization);
  const stepUp = useStepUp(false);
  const submit = async () => {
    const isNamed = typed.trim() === name.trim();
    setFault(isNamed ? null : 'This is not the name of the organization');
    if (!stepUp.check() || !isNamed) return;
    if (await remove.act({ password: stepUp.password })) leave(`${name} is deleted.`);
    else stepUp.set({ password: '' });
  };
  return (
    <FormDialog
      title="Delete the organization"
      verb="Delete for good"
      danger
      isOpen
      isBusy={remove.isBusy}
      refusal={null}
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
        value={typed}
        error={fault}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setFault(null);
        }}
      />
      <StepUpFields of={stepUp} needsCode={false} refusal={remove.refusal} clear={remove.clear} />
    </FormDialog>
  );
}
