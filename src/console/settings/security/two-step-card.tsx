import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useMe } from '../../api/me.tsx';
import { Card } from '../../parts/card.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { Status } from '../../parts/status.tsx';
import { TotpSetUp } from '../../two-factor/totp-set-up.tsx';
import { counted } from '../../words/format.ts';
import { SettingRow } from '../setting-row.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { RenewDialog } from './renew-dialog.tsx';

/** Recovery codes from which on it is time for new ones. */
const few = 2;

type Open = 'set-up' | 'disable' | 'renew' | null;

/** The second step of the login: the authenticator app, and the codes that stand in for it. */
export function TwoStepCard() {
  const { organization, secondFactors, twoFactorEnabled, recoveryCodesLeft } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const isOn = secondFactors.includes('TOTP');
  return (
    <Card title="Two-step login" note={organization.requireTwoFactor && `Required by ${organization.name}`}>
      <SettingRow
        label="Authenticator app"
        state={<Status value={isOn ? 'ON' : 'OFF'} tone={isOn ? 'good' : 'quiet'} />}
        text={isOn ? 'Logging in asks for a code of the app.' : 'A code of 6 digits from an app, after your password.'}
      >
        {isOn ? (
          <Button variant="default" onClick={() => setOpen('disable')}>
            Turn off
          </Button>
        ) : (
          <Button variant={twoFactorEnabled ? 'default' : 'filled'} onClick={() => setOpen('set-up')}>
            Set up
          </Button>
        )}
      </SettingRow>
      {twoFactorEnabled && (
        <SettingRow label="Recovery codes" text={<CodesLeft left={recoveryCodesLeft} />}>
          <Button variant={recoveryCodesLeft <= few ? 'filled' : 'default'} onClick={() => setOpen('renew')}>
            {recoveryCodesLeft === 0 ? 'Get recovery codes' : 'Renew'}
          </Button>
        </SettingRow>
      )}
      <SetUpDialog isOpen={open === 'set-up'} onClose={close} />
      {open === 'disable' && <DisableDialog onClose={close} />}
      {open === 'renew' && <RenewDialog needsCode={isOn} onClose={close} />}
    </Card>
  );
}

function CodesLeft({ left }: { readonly left: number }) {
  const text = 'They log you in when your second factor is not at hand.';
  if (left > few) return `${counted(left, 'code')} left. ${text}`;
  return (
    <Alert color="yellow" variant="light" mt={4} icon={<IconAlertTriangle size={18} aria-hidden />}>
      {left === 0 ? 'You have no recovery codes.' : `Only ${counted(left, 'code')} left.`} {text} Get new ones before
      you need them.
    </Alert>
  );
}

function SetUpDialog({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }) {
  // Closing it by accident would lose the recovery codes.
  const [hasCodes, setHasCodes] = useState(false);
  const end = () => {
    setHasCodes(false);
    onClose();
  };
  const finish = () => {
    end();
    done('Two-step login is on.');
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={end}
      title={hasCodes ? 'Keep your recovery codes' : 'Set up your authenticator app'}
      closeOnClickOutside={false}
      closeOnEscape={!hasCodes}
      withCloseButton={!hasCodes}
    >
      <TotpSetUp onDone={finish} onCancel={end} onConfirmed={() => setHasCodes(true)} />
    </Dialog>
  );
}
