import { Anchor, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Act } from '../parts/form/menu.tsx';
import { post } from '../api/rest.ts';
import { useCall } from '../api/use-api.ts';
import { TextField } from '../parts/form/fields.tsx';
import classes from './frame.module.css';
import { Frame } from './frame.tsx';
import { canUsePasskeys, provePasskey } from './passkey.ts';
import type { Challenge } from './wanted.ts';
import { Form } from '../parts/form/form.tsx';
import { RefusalAlert } from '../parts/page/page.tsx';

type Way = 'totp' | 'recovery_code' | 'webauthn';

interface Props {
  readonly challenge: Challenge;
  onAnswer(answer: unknown): void;
  /** Returns to the password. @param because the reason, unless it was the user's choice */
  onBack(because: string | null): void;
}

const texts = {
  totp: {
    lead: 'Enter the 6 digits that your authenticator app shows for Costkeep.',
    other: 'Use the authenticator app',
  },
  recovery_code: {
    lead: 'Enter one of your recovery codes. Each code works once.',
    other: 'Use a recovery code',
  },
  webauthn: { lead: 'Confirm with your passkey.', other: 'Use a passkey' },
} as const satisfies Record<Way, { lead: string; other: string }>;

/** Second step of the login: authenticator code, recovery code or passkey. */
export function SecondFactor({ challenge, onAnswer, onBack }: Props) {
  const ways = waysOf(challenge);
  const [way, setWay] = useState<Way>(ways[0] ?? 'totp');
  const { run, isBusy, refusal, clear } = useCall();
  const choose = (next: Way) => {
    clear();
    setWay(next);
  };
  const answer = async (call: () => Promise<unknown>) => {
    const result = await run(call);
    if (result && 'value' in result) onAnswer(result.value);
    // The challenge allows 5 minutes and 5 attempts.
    else if (result?.refusal.field === 'challenge_token')
      onBack('The sign-in expired, or too many codes were wrong. Sign in again.');
  };
  const { token } = challenge;
  const why = <RefusalAlert refusal={refusal} onOver={clear} />;
  return (
    <Frame
      title="Two-factor authentication"
      lead={texts[way].lead}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={() => onBack(null)}>
          Back to sign-in
        </Anchor>
      }
    >
      <Stack gap="md">
        {way === 'webauthn' ? (
          <PasskeyStep isBusy={isBusy} why={why} onAsk={() => void answer(() => byPasskey(token))} />
        ) : (
          <CodeStep
            key={way}
            way={way}
            isBusy={isBusy}
            why={why}
            onCode={(code) => void answer(() => post('/auth/verify-2fa', { challenge_token: token, code }))}
          />
        )}
        <Stack gap={6} align="center">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Anchor key={other} component="button" type="button" size="sm" onClick={() => choose(other)}>
                {texts[other].other}
              </Anchor>
            ))}
        </Stack>
      </Stack>
    </Frame>
  );
}

async function byPasskey(token: string): Promise<unknown> {
  const asked = await post('/auth/webauthn/authenticate', { challenge_token: token });
  return post('/auth/webauthn/authenticate', { challenge_token: token, response: await provePasskey(asked) });
}

/** Available methods, easiest first; omits passkeys if the browser does not support them. */
function waysOf({ methods }: Challenge): Way[] {
  const order: readonly Way[] = ['totp', 'webauthn', 'recovery_code'];
  return order.filter((way) => methods.includes(way) && (way !== 'webauthn' || canUsePasskeys()));
}

interface StepProps {
  readonly isBusy: boolean;
  /** Why the last attempt failed. */
  readonly why: ReactNode;
}

function PasskeyStep({ isBusy, why, onAsk }: StepProps & { onAsk(): void }) {
  return (
    <Stack gap="md">
      {why}
      <Act
        label="Use a passkey"
        Icon={IconFingerprint}
        primary
        autoFocus
        fullWidth
        size="md"
        loading={isBusy}
        onClick={onAsk}
      />
    </Stack>
  );
}

interface CodeProps extends StepProps {
  readonly way: 'totp' | 'recovery_code';
  onCode(code: string): void;
}

function CodeStep({ way, isBusy, why, onCode }: CodeProps) {
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const isApp = way === 'totp';
  const submit = () => {
    const isWhole = isApp ? /^\d{6}$/.test(code.replaceAll(/\s/g, '')) : code.trim() !== '';
    setFault(isWhole ? null : isApp ? 'Enter all 6 digits' : 'Enter a recovery code');
    if (isWhole) onCode(code);
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextField
        autoFocus
        size="md"
        className={classes.code}
        label={isApp ? 'Code' : 'Recovery code'}
        placeholder={isApp ? '123456' : 'XXXX-XXXX-XXXX-XXXX-XXXX-XXXX'}
        name="code"
        autoComplete={isApp ? 'one-time-code' : 'off'}
        inputMode={isApp ? 'numeric' : 'text'}
        maxLength={64}
        spellCheck={false}
        error={fault}
        value={code}
        onChange={setCode}
      />
      {why}
      <Act label="Sign in" primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}
