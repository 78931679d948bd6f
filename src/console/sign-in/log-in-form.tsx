import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { post } from '../api/rest.ts';
import { AuthRefusal } from './auth-refusal.tsx';
import { emailFault, faultsOf } from './faults.ts';
import { Form } from './form.tsx';
import classes from './frame.module.css';
import { canUsePasskeys, provePasskey } from './passkey.ts';
import { PasswordField } from '../parts/password-field.tsx';
import { useCall } from './use-call.ts';
import { useLeadingOn } from './wanted.ts';

/** Asks for email and password, or for a passkey, and hands on what the server answers. */
export function LogInForm({ onAnswer }: { onAnswer(answer: unknown): void }) {
  const { run, isBusy, refusal, clear } = useCall();
  const [by, setBy] = useState<'password' | 'passkey'>('password');
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: { email: emailFault, password: (text) => (text === '' ? 'Enter your password' : null) },
    onValuesChange: clear,
  });
  const faults = faultsOf(refusal, { email: ['email', 'Email'], password: ['password', 'Password'] });
  const send = async (way: typeof by, call: () => Promise<unknown>) => {
    setBy(way);
    const result = await run(call);
    if (result && 'value' in result) onAnswer(result.value);
  };
  const { email } = form.values;
  return (
    <Form isBusy={isBusy} onSubmit={form.onSubmit((values) => send('password', () => post('/auth/login', values)))}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username webauthn"
        autoFocus
        {...form.getInputProps('email')}
        name="email"
        error={form.errors['email'] ?? faults.email}
      />
      <div>
        <PasswordField
          label="Password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
          name="password"
          error={form.errors['password'] ?? faults.password}
        />
        <Forgot />
      </div>
      {Object.keys(faults).length === 0 && <AuthRefusal refusal={refusal} onOver={clear} />}
      <Button type="submit" fullWidth size="md" loading={isBusy && by === 'password'}>
        Log in
      </Button>
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
    <Anchor component={Link} href={href} size="sm" mt={6} display="inline-block">
      Forgot your password?
    </Anchor>
  );
}

function PasskeyButton({ isBusy, onClick }: { readonly isBusy: boolean; onClick(): void }) {
  return (
    <>
      <div className={classes.or}>or</div>
      <Button
        variant="default"
        fullWidth
        size="md"
        loading={isBusy}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={onClick}
      >
        Log in with a passkey
      </Button>
    </>
  );
}

/** @param email whose passkey, where it is known: some authenticators only find theirs by it */
async function byPasskey(email: string | null): Promise<unknown> {
  const whose = email === null ? {} : { email };
  const asked = await post('/auth/webauthn/authenticate', whose);
  return post('/auth/webauthn/authenticate', { ...whose, response: await provePasskey(asked) });
}
