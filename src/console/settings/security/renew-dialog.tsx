import { Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/use-act.ts';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { RecoveryCodes } from '../../two-factor/recovery-codes.tsx';
import { RenewRecoveryCodes } from './queries.ts';
import { StepUpFields, useStepUp } from './step-up-fields.tsx';

interface Props {
  /** Whether TOTP is on. */
  readonly needsCode: boolean;
  onClose(): void;
}

/** Gives new recovery codes in place of the old ones. */
export function RenewDialog({ needsCode, onClose }: Props) {
  const { act, isBusy, refusal, clear } = useAct(RenewRecoveryCodes);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const stepUp = useStepUp(needsCode);
  const submit = async () => {
    if (!stepUp.check()) return;
    const data = await act({ password: stepUp.password, code: needsCode ? stepUp.code : null });
    if (data?.renewRecoveryCodes) setCodes(data.renewRecoveryCodes.recoveryCodes);
  };
  if (codes)
    return (
      <Dialog
        opened
        onClose={onClose}
        title="Keep your recovery codes"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Dialog>
    );
  return (
    <FormDialog
      title="New recovery codes"
      verb="Get new codes"
      isOpen
      isBusy={isBusy}
      refusal={null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">You get ten new codes. Those that you have now end with that.</Text>
      <StepUpFields of={stepUp} needsCode={needsCode} refusal={refusal} clear={clear} />
    </FormDialog>
  );
}
