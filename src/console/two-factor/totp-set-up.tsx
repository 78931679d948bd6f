import { Anchor, Group, Skeleton, Stack, Text, Button, Checkbox, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useState, useRef } from 'react';
import * as operations from '../../../schema/operations.ts';
import { graphql } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { useAct } from '../api/use-api.ts';
import { Act, Muted } from '../parts/form/menu.tsx';
import { save } from '../parts/list/csv.tsx';
import { Copy } from '../parts/page/copy.tsx';
import frame from '../sign-in/frame.module.css';
import classes from './two-factor.module.css';
import { Form } from '../parts/form/form.tsx';
import { TextField } from '../parts/form/fields.tsx';
import { RefusalAlert } from '../parts/page/page.tsx';

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
      {refusal ? <RefusalAlert refusal={refusal} /> : <Secret of={secret} />}
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
  const submit = async () => {
    const isWhole = /^\d{6}$/.test(code.replaceAll(/\s/g, ''));
    setFault(isWhole ? null : 'Enter the 6-digit code from the app');
    const data = isWhole ? await act({ code }) : null;
    if (data?.confirmTwoFactor) onConfirmed(data.confirmTwoFactor.recoveryCodes);
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextField
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
        onChange={(next) => {
          setCode(next);
          clear();
        }}
      />
      {!isWrong && <RefusalAlert refusal={refusal} onOver={clear} />}
      <Group justify="flex-end" gap="xs">
        <Act label="Cancel" onClick={onCancel} />
        <Act label="Turn on" primary type="submit" loading={isBusy} disabled={!isReady} />
      </Group>
    </Form>
  );
}

interface CodesProps {
  readonly codes: readonly string[];
  /** Called when the user confirms having saved the codes. */
  onKept(): void;
}

/** Shows recovery codes once; the user must save them to continue. */
export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const { user } = useMe();
  const [isKept, setKept] = useState(false);
  // The previous form, which had the focus, is gone.
  const lead = useRef<HTMLParagraphElement>(null);
  useEffect(() => lead.current?.focus(), []);
  const text = `Costkeep recovery codes for ${user.email}\n${location.origin}\nEach code works once.\n\n${codes.join('\n')}\n`;
  return (
    <Stack gap="md">
      <Text size="sm" ref={lead} tabIndex={-1} className={classes.lead}>
        Store these recovery codes with your passwords. Each one signs you in once without your second factor. They are
        not shown again.
      </Text>
      <ul className={`plain ${classes.codes}`} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={codes.join('\n')} timeout={2000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={copy}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Act
          label="Download"
          Icon={IconDownload}
          onClick={() => save(new Blob([text], { type: 'text/plain' }), 'costkeep-recovery-codes.txt')}
        />
      </Group>
      <Checkbox label="I have saved them" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Act label="Done" primary disabled={!isKept} onClick={onKept} />
    </Stack>
  );
}
