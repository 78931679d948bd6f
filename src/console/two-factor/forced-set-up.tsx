import { Anchor, Menu, Stack, Text, UnstyledButton, Group, ThemeIcon } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { useMe } from '../api/me.tsx';
import { signOut } from '../api/session.ts';
import { OrganizationItems } from '../shell/user-menu.tsx';
import { Frame } from '../sign-in/frame.tsx';
import { canUsePasskeys } from '../sign-in/passkey.ts';
import { PasskeyForm } from './passkey-form.tsx';
import { TotpSetUp } from './totp-set-up.tsx';
import classes from '../parts/page/card.module.css';

type Step = 'choosing' | 'totp' | 'codes' | 'passkey';

const titles = {
  choosing: 'Set up two-factor authentication',
  totp: 'Set up your authenticator app',
  codes: 'Save your recovery codes',
  passkey: 'Add a passkey',
} as const satisfies Record<Step, string>;

/** Requires setting up a second factor before anything else, if the organization requires one. */
export function ForcedSetUp({ onDone }: { readonly onDone: () => void }) {
  const { organization, user } = useMe();
  const [step, setStep] = useState<Step>('choosing');
  const back = () => setStep('choosing');
  return (
    <Frame
      isWide
      title={titles[step]}
      lead={
        step === 'choosing' &&
        `${organization.name} requires two-factor authentication for all members. Setup takes about a minute.`
      }
      foot={<WayOut email={user.email} />}
    >
      {step === 'choosing' && <Ways onChoose={setStep} />}
      {(step === 'totp' || step === 'codes') && (
        <TotpSetUp onDone={onDone} onCancel={back} onConfirmed={() => setStep('codes')} />
      )}
      {step === 'passkey' && <PasskeyForm onDone={onDone} onCancel={back} />}
    </Frame>
  );
}

function Ways({ onChoose }: { onChoose(step: Step): void }) {
  return (
    <Stack gap="sm">
      <Way
        Icon={IconDeviceMobile}
        label="Authenticator app"
        text="A 6-digit code from your phone or password manager. Includes recovery codes."
        onClick={() => onChoose('totp')}
      />
      {canUsePasskeys() && (
        <Way
          Icon={IconFingerprint}
          label="Passkey"
          text="Fingerprint, face, PIN or security key. Also signs you in without a password."
          onClick={() => onChoose('passkey')}
        />
      )}
    </Stack>
  );
}

interface WayProps {
  readonly Icon: typeof IconFingerprint;
  readonly label: string;
  readonly text: string;
  onClick(): void;
}

function Way({ Icon, label, text, onClick }: WayProps) {
  return (
    <UnstyledButton className={classes.choice} onClick={onClick}>
      <Group component="span" gap={14} wrap="nowrap">
        <ThemeIcon component="span" variant="light" size={38}>
          <Icon size={20} stroke={1.7} aria-hidden />
        </ThemeIcon>
        <span>
          <Text component="span" display="block" fw={600}>
            {label}
          </Text>
          <Text component="span" display="block" size="sm" c="dimmed">
            {text}
          </Text>
        </span>
      </Group>
    </UnstyledButton>
  );
}

/** Lets users leave the forced setup: sign out or switch organization. */
function WayOut({ email }: { readonly email: string }) {
  const { organizations } = useMe();
  return (
    <Stack gap="xs" align="center">
      <span>
        You are signed in as {email}.{' '}
        <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
          Sign out
        </Anchor>
      </span>
      {organizations.length > 1 && (
        <Menu width={260} shadow="md">
          <Menu.Target>
            <Act label="Go to another organization" variant="subtle" size="compact-sm" />
          </Menu.Target>
          <Menu.Dropdown>
            <OrganizationItems />
          </Menu.Dropdown>
        </Menu>
      )}
    </Stack>
  );
}
