import { Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Act, Muted } from '../parts/form/menu.tsx';
import { post } from '../api/rest.ts';
import { useCall } from '../api/use-api.ts';
import { PasswordField, TextField } from '../parts/form/fields.tsx';
import { Form, useFields } from '../parts/form/form.tsx';
import { emailFault, newPasswordFault, passwordRules } from './faults.ts';
import { Frame } from './frame.tsx';
import { useLeadingOn } from './wanted.ts';
import { RefusalAlert } from '../parts/page/page.tsx';

/** Requests an email with a password reset link. The response is the same for every address. */
export function ForgotPassword() {
  const logIn = useLeadingOn('/login');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const foot = <Link href={logIn}>Back to sign-in</Link>;
  if (sentTo === null)
    return (
      <Frame title="Reset your password" lead="We will email you a link to choose a new one." foot={foot}>
        <AskForm onSent={setSentTo} />
      </Frame>
    );
  return (
    <Frame title="Check your email" foot={foot}>
      <Stack gap="sm" role="status">
        <IconMailCheck size={30} stroke={1.4} color="var(--accent)" aria-hidden />
        <Text size="sm">
          If an account with <strong>{sentTo}</strong> exists, you will receive an email with a link. It works once and
          expires after one hour.
        </Text>
        <Muted>No email after a few minutes? Check your spam folder and the address.</Muted>
        <Act label="Try another address" onClick={() => setSentTo(null)} />
      </Stack>
    </Frame>
  );
}

function AskForm({ onSent }: { onSent(email: string): void }) {
  const { run, isBusy, refusal, clear } = useCall();
  const { form, field, check, rest } = useFields({ email: '' }, ({ email }) => ({ email: emailFault(email) }), {
    of: { refusal, clear },
    names: { email: ['email', 'Email'] },
  });
  const submit = async () => {
    if (!check()) return;
    const result = await run(() => post('/auth/forgot-password', form));
    if (result && 'value' in result) onSent(form.email.trim());
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextField label="Email" type="email" name="email" autoComplete="username" autoFocus {...field('email')} />
      <RefusalAlert refusal={rest} onOver={clear} />
      <Act label="Send link" primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}

/** Sets a new password with the emailed token in the URL. */
export function ResetPassword() {
  const token = new URLSearchParams(useSearch()).get('token') ?? '';
  const [state, setState] = useState<'asking' | 'done' | 'dead'>(token === '' ? 'dead' : 'asking');
  if (state === 'dead')
    return (
      <Frame title="This link is no longer valid" foot={<Link href="/login">Back to sign-in</Link>}>
        <Stack gap="md">
          <Text size="sm">
            Password reset links work once and expire after one hour. This one was used, has expired, or is incomplete.
          </Text>
          <Act label="Send a new link" primary href="/forgot-password" fullWidth size="md" />
        </Stack>
      </Frame>
    );
  if (state === 'done')
    return (
      <Frame title="Password changed">
        <Stack gap="md" role="status">
          <IconCircleCheck size={30} stroke={1.4} color="var(--good)" aria-hidden />
          <Text size="sm">You have been signed out everywhere. Sign in with your new password.</Text>
          <Act label="Sign in" primary href="/login" fullWidth size="md" />
        </Stack>
      </Frame>
    );
  return (
    <Frame title="Choose a new password" lead="You will be signed out everywhere.">
      <ResetForm token={token} onEnd={setState} />
    </Frame>
  );
}

interface FormProps {
  readonly token: string;
  onEnd(state: 'done' | 'dead'): void;
}

function ResetForm({ token, onEnd }: FormProps) {
  const { run, isBusy, refusal, clear } = useCall();
  const { form, field, check, rest } = useFields(
    { password: '' },
    ({ password }) => ({ password: newPasswordFault(password) }),
    { of: { refusal, clear }, names: { password: ['password', 'Password'] } },
  );
  const submit = async () => {
    if (!check()) return;
    const result = await run(() => post('/auth/reset-password', { token, ...form }));
    if (result && 'value' in result) onEnd('done');
    else if (result?.refusal.code === 'VALIDATION_ERROR' && result.refusal.field === 'token') onEnd('dead');
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        description={passwordRules}
        autoFocus
        name="password"
        {...field('password')}
      />
      <RefusalAlert refusal={rest} onOver={clear} />
      <Act label="Set new password" primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}
