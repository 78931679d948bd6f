import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import * as operations from '../../../../schema/operations.ts';
import { graphql } from '../../api/graphql.ts';
import { useMe } from '../../api/me.tsx';
import { useAct } from '../../api/use-api.ts';
import { Act } from '../../parts/form/menu.tsx';
import { Dialog, done, OnOff } from '../../parts/form/dialog.tsx';
import { Card } from '../../parts/page/card.tsx';
import { RecoveryCodes, TotpSetUp } from '../../two-factor/totp-set-up.tsx';
import { counted } from '../../words/format.ts';
import { SettingRow } from '../settings-page.tsx';
import { StepUpDialog, type Confirmed } from './step-up-fields.tsx';

const DisableTwoFactor = graphql(operations.disableTwoFactor);

/** Replaces the recovery codes with ten new ones. */
const RenewRecoveryCodes = graphql(operations.renewRecoveryCodes);

/** Warn when at most this many recovery codes are left. */
const few = 2;

type Open = 'set-up' | 'disable' | 'renew' | null;

/** Second step of the login: authenticator app and recovery codes. */
export function TwoStepCard() {
  const { organization, secondFactors, twoFactorEnabled, recoveryCodesLeft } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const isOn = secondFactors.includes('TOTP');
  return (
    <Card title="Two-factor authentication" note={organization.requireTwoFactor && `Required by ${organization.name}`}>
      <SettingRow
        label="Authenticator app"
        state={<OnOff isOn={isOn} />}
        text={
          isOn
            ? 'Signing in requires a code from the app.'
            : 'A 6-digit code from an app, in addition to your password.'
        }
      >
        {isOn ? (
          <Act label="Turn off" onClick={() => setOpen('disable')} />
        ) : (
          <Act label="Set up" variant={twoFactorEnabled ? 'default' : 'filled'} onClick={() => setOpen('set-up')} />
        )}
      </SettingRow>
      {twoFactorEnabled && (
        <SettingRow label="Recovery codes" text={<CodesLeft left={recoveryCodesLeft} />}>
          <Act
            label={recoveryCodesLeft === 0 ? 'Get recovery codes' : 'Renew'}
            variant={recoveryCodesLeft <= few ? 'filled' : 'default'}
            onClick={() => setOpen('renew')}
          />
        </SettingRow>
      )}
      <SetUpDialog isOpen={open === 'set-up'} onClose={close} />
      {open === 'disable' && <DisableDialog onClose={close} />}
      {open === 'renew' && <RenewDialog needsCode={isOn} onClose={close} />}
    </Card>
  );
}

function CodesLeft({ left }: { readonly left: number }) {
  const text = 'Recovery codes sign you in when you cannot use your second factor.';
  if (left > few) return `${counted(left, 'code')} left. ${text}`;
  return (
    <Alert color="yellow" mt={4} icon={<IconAlertTriangle size={18} aria-hidden />}>
      {left === 0 ? 'You have no recovery codes.' : `Only ${counted(left, 'code')} left.`} {text} Get new ones before
      you need them.
    </Alert>
  );
}

function SetUpDialog({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  // Closing the dialog by accident would lose the recovery codes.
  const [hasCodes, setHasCodes] = useState(false);
  const end = () => {
    setHasCodes(false);
    onClose();
  };
  const finish = () => {
    end();
    done('Two-factor authentication is on.');
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={end}
      title={hasCodes ? 'Save your recovery codes' : 'Set up your authenticator app'}
      closeOnClickOutside={false}
      closeOnEscape={!hasCodes}
      withCloseButton={!hasCodes}
    >
      <TotpSetUp onDone={finish} onCancel={end} onConfirmed={() => setHasCodes(true)} />
    </Dialog>
  );
}

/** Disables the authenticator app. */
function DisableDialog({ onClose }: { onClose(): void }) {
  const { organization, secondFactors } = useMe();
  const disable = useAct(DisableTwoFactor);
  const isLast = !secondFactors.includes('WEBAUTHN');
  const turnOff = async (confirmed: Confirmed) => {
    if (!(await disable.act(confirmed))) return;
    onClose();
    done('The authenticator app is off.');
  };
  return (
    <StepUpDialog
      title="Turn off authenticator app"
      verb="Turn off"
      danger
      text={whatFollows(isLast, organization)}
      needsCode
      of={disable}
      onConfirm={turnOff}
      onClose={onClose}
    />
  );
}

function whatFollows(isLast: boolean, { name, requireTwoFactor }: { name: string; requireTwoFactor: boolean }): string {
  if (!isLast) return 'Signing in will require a passkey or a recovery code instead.';
  if (requireTwoFactor) return `${name} requires a second factor: you must set up another one before you can continue.`;
  return 'You will sign in with your password only, and your recovery codes will stop working.';
}

interface Props {
  /** Whether TOTP is enabled. */
  readonly needsCode: boolean;
  onClose(): void;
}

/** Replaces the recovery codes. */
function RenewDialog({ needsCode, onClose }: Props) {
  const renewal = useAct(RenewRecoveryCodes);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const renew = async ({ password, code }: Confirmed) => {
    const data = await renewal.act({ password, code: needsCode ? code : null });
    if (data?.renewRecoveryCodes) setCodes(data.renewRecoveryCodes.recoveryCodes);
  };
  if (codes)
    return (
      <Dialog
        opened
        onClose={onClose}
        title="Save your recovery codes"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <RecoveryCodes codes={codes} onKept={onClose} />
      </Dialog>
    );
  return (
    <StepUpDialog
      title="New recovery codes"
      verb="Get new codes"
      text="You'll get ten new codes. Your current codes will stop working."
      needsCode={needsCode}
      of={renewal}
      onConfirm={renew}
      onClose={onClose}
    />
  );
}
