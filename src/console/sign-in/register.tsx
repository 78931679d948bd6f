import { Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import type { Refusal } from '../api/refusal.ts';
import { useCall } from '../api/use-api.ts';
import { post } from '../api/rest.ts';
import { PasswordField, TextField } from '../parts/form/fields.tsx';
import { Form, useFields } from '../parts/form/form.tsx';
import { sentence } from '../words/format.ts';
import { emailFault, nameFault, newPasswordFault, passwordRules } from './faults.ts';
import { Frame } from './frame.tsx';
import { SecondFactor } from './second-factor.tsx';
import { useLeadingOn, useEnter, type Challenge } from './wanted.ts';
import { RefusalAlert } from '../parts/page/page.tsx';

/** Registers a user with a new organization. */
export function Register() {
  const logIn = useLeadingOn('/login');
  return (
    <RegisterCard
      title="Create your organization"
      lead="You become its Super Admin, connect your clouds and invite your colleagues."
      verb="Create organization"
      inviteToken={null}
      logIn={logIn}
      foot={
        <>
          Already have an account? <Link href={logIn}>Sign in</Link>
        </>
      }
    />
  );
}

interface Props {
  readonly title: string;
  readonly lead: ReactNode;
  readonly verb: string;
  /** Token of the inviting organization; null creates a new organization. */
  readonly inviteToken: string | null;
  /** Login link for users who already have an account. */
  readonly logIn: string;
  readonly foot: ReactNode;
}

/** Registers a user and signs them in. */
export function RegisterCard({ title, lead, foot, ...props }: Props) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  // Registering accepts the invitation, so its page is no longer needed.
  const enter = useEnter(props.inviteToken === null ? undefined : '/');
  const take = (answer: unknown) => setChallenge(enter(answer));
  const [ended, setEnded] = useState<Refusal | null>(null);
  if (ended) return <EndedInvitation refusal={ended} logIn={props.logIn} />;
  if (challenge) return <SecondFactor challenge={challenge} onAnswer={take} onBack={() => setChallenge(null)} />;
  return (
    <Frame title={title} lead={lead} foot={foot}>
      <RegisterForm {...props} onAnswer={take} onEnded={setEnded} />
    </Frame>
  );
}

/** Instead of the form, for an invitation that was revoked or used or has expired: no input would help. */
function EndedInvitation({ refusal, logIn }: { readonly refusal: Refusal; readonly logIn: string }) {
  return (
    <Frame title="This invitation is no longer valid">
      <Stack gap="md">
        <Text size="sm">{sentence(refusal.labelled('This invitation'))}</Text>
        <Act label="Sign in" primary href={logIn} fullWidth size="md" />
      </Stack>
    </Frame>
  );
}

const names = {
  name: ['name', 'Your name'],
  email: ['email', 'Email'],
  password: ['password', 'Password'],
  organizationName: ['organization_name', 'Organization name'],
} as const;

interface FormProps extends Pick<Props, 'verb' | 'inviteToken' | 'logIn'> {
  onAnswer(answer: unknown): void;
  /** Called if the invitation cannot be accepted. */
  onEnded(refusal: Refusal): void;
}

function RegisterForm({ verb, inviteToken, logIn, onAnswer, onEnded }: FormProps) {
  const { run, isBusy, refusal, clear } = useCall();
  const isNew = inviteToken === null;
  const { form, field, check, rest } = useFields(
    { name: '', email: '', password: '', organizationName: '' },
    ({ name, email, password, organizationName }) => ({
      name: nameFault(name, 'your name'),
      email: emailFault(email),
      password: newPasswordFault(password),
      organizationName: isNew && nameFault(organizationName, 'the name of your organization'),
    }),
    { of: { refusal, clear }, names },
  );
  const submit = async () => {
    if (!check()) return;
    const { organizationName, ...person } = form;
    const place = isNew ? { organization_name: organizationName } : { invite_token: inviteToken };
    const result = await run(() => post('/auth/register', { ...person, ...place }));
    if (result && 'value' in result) onAnswer(result.value);
    else if (result?.refusal.field === 'invite_token') onEnded(result.refusal);
  };
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextField label="Your name" name="name" autoComplete="name" autoFocus {...field('name')} />
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        description={isNew ? undefined : 'The address that the invitation was sent to.'}
        {...field('email')}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        description={passwordRules}
        {...field('password')}
      />
      {isNew && (
        <TextField
          label="Organization name"
          name="organization"
          autoComplete="organization"
          {...field('organizationName')}
        />
      )}
      <RefusalAlert refusal={rest} onOver={clear} />
      {rest?.code === 'CONFLICT' && <Act label="Sign in instead" href={logIn} fullWidth />}
      <Act label={verb} primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}
