import { Anchor, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState, type SubmitEvent } from 'react';
import * as operations from '../../../schema/operations.ts';
import { graphql } from '../api/graphql.ts';
import { useAct } from '../api/use-api.ts';
import { Act, Muted } from '../parts/form/button.tsx';
import { Copy } from '../parts/page/copy.tsx';
import { AuthRefusal } from '../sign-in/faults.tsx';
import frame from '../sign-in/frame.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './two-factor.module.css';

/** Creates a TOTP secret. */
const SetUpTwoFactor = graphql(operations.setUpTwoFactor);

/** Enables TOTP. */
const ConfirmTwoFactor = graphql(operations.confirmTwoFactor);

interface Props {
  /** Called when TOTP is enabled and the recovery codes are saved. */
  onDone(): void;
  onCancel(): void;
  /** Called when TOTP is enabled, before the recovery codes are saved. */
  onConfirmed?(): void;
}

/** Sets up an authenticator app: QR code, verification code, recovery codes. */
export function TotpSetUp({ onDone, onCancel, onConfirmed }: Props) {
  const { act, refusal } = useAct(SetUpTwoFactor);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  useEffect(() => {
    void act({}).then((data) => data?.setUpTwoFactor && setSecret(data.setUpTwoFactor));
  }, [act]);
  const confirm = (given: readonly string[]) => {
    setCodes(given);
    onConfirmed?.();
  };
  if (codes) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <Stack gap="md">
      <Text size="sm">
        Scan this code with an authenticator app, such as your password manager, Google Authenticator or Aegis.
      </Text>
      {refusal ? <AuthRefusal refusal={refusal} /> : <Secret of={secret} />}
      <CodeForm isReady={secret !== null} onConfirmed={confirm} onCancel={onCancel} />
    </Stack>
  );
}

interface Secret {
  readonly secret: string;
  readonly otpauthUri: string;
  readonly qrSvg: string;
}

function Secret({ of }: { readonly of: Secret | null }) {
  if (!of) return <Skeleton height={196} width={196} mx="auto" aria-label="Loading" aria-busy="true" />;
  return (
    <Stack gap="xs" align="center">
      <img
        className={classes.qr}
        src={`data:image/svg+xml,${encodeURIComponent(of.qrSvg)}`}
        width={196}
        height={196}
        alt="QR code for the authenticator app"
      />
      <Muted ta="center">
        No camera?{' '}
        <Anchor href={of.otpauthUri} underline="always">
          Open the app
        </Anchor>{' '}
        on this device, or type this key:
      </Muted>
      <Group gap={4} wrap="nowrap" className={classes.secret}>
        <code>{of.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <Copy value={of.secret} label="Copy the key" />
      </Group>
    </Stack>
  );
}

interface CodeFormProps {
  readonly isReady: boolean;
  onConfirmed(codes: readonly string[]): void;
  onCancel(): void;
}

function CodeForm({ isReady, onConfirmed, onCancel }: CodeFormProps) {
  const { act, isBusy, refusal, clear } = useAct(ConfirmTwoFactor);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const isWrong = refusal?.code === 'VALIDATION_ERROR';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const isWhole = /^\d{6}$/.test(code.replaceAll(/\s/g, ''));
    setFault(isWhole ? null : 'Enter the 6-digit code from the app');
    const data = isWhole ? await act({ code }) : null;
    if (data?.confirmTwoFactor) onConfirmed(data.confirmTwoFactor.recoveryCodes);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          className={frame.code}
          size="md"
          label="Code from the app"
          placeholder="123456"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={16}
          autoFocus
          data-autofocus
          value={code}
          error={fault ?? (isWrong && 'The code is wrong. Check that the clock of the device with the app is correct.')}
          onChange={(event) => {
            setCode(event.currentTarget.value);
            clear();
          }}
        />
        {!isWrong && <AuthRefusal refusal={refusal} onOver={clear} />}
        <Group justify="flex-end" gap="xs">
          <Act label="Cancel" onClick={onCancel} />
          <Act label="Turn on" primary type="submit" loading={isBusy} disabled={!isReady} />
        </Group>
      </Stack>
    </form>
  );
}
