import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { Act, Muted } from '../parts/form/menu.tsx';
import { post } from '../api/rest.ts';
import { useCall } from '../api/use-api.ts';
import { PasswordField } from '../parts/form/fields.tsx';
import { Form } from '../parts/form/form.tsx';
import { AuthRefusal, emailFault, faultsOf, newPasswordFault, passwordRules } from './faults.tsx';
import { Frame } from './frame.tsx';
import { useLeadingOn } from './wanted.ts';

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
  const form = useForm({ initialValues: { email: '' }, validate: { email: emailFault }, onValuesChange: clear });
  const faults = faultsOf(refusal, { email: ['email', 'Email'] });
  const submit = form.onSubmit(async ({ email }) => {
    const result = await run(() => post('/auth/forgot-password', { email }));
    if (result && 'value' in result) onSent(email.trim());
  });
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        {...form.getInputProps('email')}
        name="email"
        error={form.errors['email'] ?? faults.email}
      />
      {!faults.email && <AuthRefusal refusal={refusal} onOver={clear} />}
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
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: newPasswordFault },
    onValuesChange: clear,
  });
  const faults = faultsOf(refusal, { password: ['password', 'Password'] });
  const submit = form.onSubmit(async ({ password }) => {
    const result = await run(() => post('/auth/reset-password', { token, password }));
    if (result && 'value' in result) onEnd('done');
    else if (result?.refusal.code === 'VALIDATION_ERROR' && result.refusal.field === 'token') onEnd('dead');
  });
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        description={passwordRules}
        autoFocus
        {...form.getInputProps('password')}
        name="password"
        error={form.errors['password'] ?? faults.password}
      />
      {!faults.password && <AuthRefusal refusal={refusal} onOver={clear} />}
      <Act label="Set new password" primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}
