import { Alert, Stack, Divider } from '@mantine/core';
import { IconFingerprint, IconInfoCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { post } from '../api/rest.ts';
import { useCall } from '../api/use-api.ts';
import { Act } from '../parts/form/menu.tsx';
import { PasswordField, TextField } from '../parts/form/fields.tsx';
import { Form, useFields } from '../parts/form/form.tsx';
import { TextLink, RefusalAlert } from '../parts/page/page.tsx';
import { emailFault } from './faults.ts';
import { Frame } from './frame.tsx';
import { canUsePasskeys, provePasskey } from './passkey.ts';
import { SecondFactor } from './second-factor.tsx';
import { useEnter, useLeadingOn, type Challenge } from './wanted.ts';

interface Props {
  /** Why the previous session ended, if the user should know. */
  readonly because: string | null;
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly foot?: ReactNode;
}

/** Logs in with password and second factor, or only with a passkey, and continues to the requested page. */
export function LogIn({ because, title = 'Sign in', lead, foot }: Props) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const enter = useEnter();
  const take = (answer: unknown) => setChallenge(enter(answer));
  const back = (why: string | null) => {
    setNotice(why);
    setChallenge(null);
  };
  if (challenge) return <SecondFactor challenge={challenge} onAnswer={take} onBack={back} />;
  return (
    <Frame title={title} lead={lead} foot={foot ?? <NewHere />}>
      <Stack gap="md">
        {(notice ?? because) && (
          <Alert role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
            {notice ?? because}
          </Alert>
        )}
        <LogInForm onAnswer={take} />
      </Stack>
    </Frame>
  );
}

function NewHere() {
  const register = useLeadingOn('/register');
  return (
    <>
      New here? <Link href={register}>Create an organization</Link>
    </>
  );
}

/** Form for email and password, or a passkey; passes on the server's response. */
function LogInForm({ onAnswer }: { onAnswer(answer: unknown): void }) {
  const { run, isBusy, refusal, clear } = useCall();
  const [by, setBy] = useState<'password' | 'passkey'>('password');
  const { form, field, check, rest } = useFields(
    { email: '', password: '' },
    ({ email, password }) => ({ email: emailFault(email), password: password === '' && 'Enter your password' }),
    { of: { refusal, clear }, names: { email: ['email', 'Email'], password: ['password', 'Password'] } },
  );
  const send = async (way: typeof by, call: () => Promise<unknown>) => {
    setBy(way);
    const result = await run(call);
    if (result && 'value' in result) onAnswer(result.value);
  };
  const { email } = form;
  return (
    <Form isBusy={isBusy} onSubmit={() => check() && send('password', () => post('/auth/login', form))}>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username webauthn"
        autoFocus
        {...field('email')}
      />
      <div>
        <PasswordField label="Password" name="password" autoComplete="current-password" {...field('password')} />
        <Forgot />
      </div>
      <RefusalAlert refusal={rest} onOver={clear} />
      <Act label="Sign in" primary type="submit" fullWidth size="md" loading={isBusy && by === 'password'} />
      {canUsePasskeys() && (
        <PasskeyButton
          isBusy={isBusy && by === 'passkey'}
          onClick={() => void send('passkey', () => byPasskey(emailFault(email) ? null : email.trim()))}
        />
      )}
    </Form>
  );
}

function Forgot() {
  const href = useLeadingOn('/forgot-password');
  return (
    <TextLink href={href} mt={6} display="inline-block">
      Forgot your password?
    </TextLink>
  );
}

function PasskeyButton({ isBusy, onClick }: { readonly isBusy: boolean; onClick(): void }) {
  return (
    <>
      <Divider label="or" color="var(--line)" />
      <Act
        label="Sign in with a passkey"
        Icon={IconFingerprint}
        fullWidth
        size="md"
        loading={isBusy}
        onClick={onClick}
      />
    </>
  );
}

/** @param email of the passkey's owner, if known: some authenticators find the passkey only by user */
async function byPasskey(email: string | null): Promise<unknown> {
  const whose = email === null ? {} : { email };
  const asked = await post('/auth/webauthn/authenticate', whose);
  return post('/auth/webauthn/authenticate', { ...whose, response: await provePasskey(asked) });
}
