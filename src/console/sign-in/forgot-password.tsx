import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMailCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { post } from '../api/rest.ts';
import { AuthRefusal } from './auth-refusal.tsx';
import { emailFault, faultsOf } from './faults.ts';
import { Form } from './form.tsx';
import { Frame } from './frame.tsx';
import { useCall } from './use-call.ts';
import { useLeadingOn } from './wanted.ts';

/** Asks for a mail with a link to choose a new password. What it says is the same for every address. */
export function ForgotPassword() {
  const logIn = useLeadingOn('/login');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const foot = <Link href={logIn}>Back to the login</Link>;
  if (sentTo === null)
    return (
      <Frame title="Reset your password" lead="We send a link to choose a new one." foot={foot}>
        <AskForm onSent={setSentTo} />
      </Frame>
    );
  return (
    <Frame title="Look into your mail" foot={foot}>
      <Stack gap="sm" role="status">
        <IconMailCheck size={30} stroke={1.4} color="var(--accent)" aria-hidden />
        <Text size="sm">
          If somebody has an account with <strong>{sentTo}</strong>, a mail with a link is on its way. The link is good
          once and for an hour.
        </Text>
        <Text size="sm" c="dimmed">
          Nothing there after a few minutes? Look into the spam folder, or check the address.
        </Text>
        <Button variant="default" onClick={() => setSentTo(null)}>
          Try another address
        </Button>
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
      <Button type="submit" fullWidth size="md" loading={isBusy}>
        Send the link
      </Button>
    </Form>
  );
}
