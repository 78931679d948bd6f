import { Text } from '@mantine/core';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-act.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { DisableTwoFactor } from './queries.ts';
import { StepUpFields, useStepUp } from './step-up-fields.tsx';

/** Turns the authenticator app off. */
export function DisableDialog({ onClose }: { onClose(): void }) {
  const { organization, secondFactors } = useMe();
  const { act, isBusy, refusal, clear } = useAct(DisableTwoFactor);
  const stepUp = useStepUp(true);
  const isLast = !secondFactors.includes('WEBAUTHN');
  const submit = async () => {
    if (!stepUp.check()) return;
    const { password, code } = stepUp;
    if (!(await act({ password, code }))) return;
    onClose();
    done('The authenticator app is off.');
  };
  return (
    <FormDialog
      title="Turn the authenticator app off"
      verb="Turn off"
      danger
      isOpen
      isBusy={isBusy}
      refusal={null}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Text size="sm">{whatFollows(isLast, organization)}</Text>
      <StepUpFields of={stepUp} needsCode refusal={refusal} clear={clear} />
    </FormDialog>
  );
}

function whatFollows(isLast: boolean, { name, requireTwoFactor }: { name: string; requireTwoFactor: boolean }): string {
  if (!isLast) return 'Logging in will ask for a passkey or a recovery code in its place.';
  if (requireTwoFactor) return `${name} requires a second factor: you will set up another one before you go on.`;
  return 'Your password alone will log you in, and your recovery codes end.';
}
