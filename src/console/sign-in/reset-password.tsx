import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearch } from 'wouter';
import { post } from '../api/rest.ts';
import { AuthRefusal } from './auth-refusal.tsx';
import { faultsOf, newPasswordFault, passwordRules } from './faults.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';
import { PasswordField } from '../parts/password-field.tsx';
import { useCall } from './use-call.ts';

/** Sets a new password with the token of a mail, which the address holds. */
export function ResetPassword() {
  const token = new URLSearchParams(useSearch()).get('token') ?? '';
  const [state, setState] = useState<'asking' | 'done' | 'dead'>(token === '' ? 'dead' : 'asking');
  if (state === 'dead')
    return (
      <Frame title="This link is no longer good" foot={<Link href="/login">Back to the login</Link>}>
        <Stack gap="md">
          <Text size="sm">
            A link to reset a password is good once and for an hour. This one was used, is too old, or was not copied
            whole.
          </Text>
          <Button component={Link} href="/forgot-password" fullWidth size="md">
            Send me a new link
          </Button>
        </Stack>
      </Frame>
    );
  if (state === 'done')
    return (
      <Frame title="Your password is changed">
        <Stack gap="md" role="status">
          <IconCircleCheck size={30} stroke={1.4} color="var(--good)" aria-hidden />
          <Text size="sm">Every session of yours has ended. Log in with the new password.</Text>
          <Button component={Link} href="/login" fullWidth size="md">
            Log in
          </Button>
        </Stack>
      </Frame>
    );
  return (
    <Frame title="Choose a new password" lead="You will be logged out everywhere.">
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
      <Button type="submit" fullWidth size="md" loading={isBusy}>
        Set the new password
      </Button>
    </Form>
  );
}
