import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import type { Refusal } from '../api/refusal.ts';
import { useCall } from '../api/use-api.ts';
import { post } from '../api/rest.ts';
import { PasswordField } from '../parts/form/fields.tsx';
import { Form } from '../parts/form/form.tsx';
import { AuthRefusal, emailFault, faultsOf, nameFault, newPasswordFault, passwordRules } from './faults.tsx';
import { Frame } from './frame.tsx';
import { SecondFactor } from './second-factor.tsx';
import { useLeadingOn, useEnter, type Challenge } from './wanted.ts';

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

/** Registers a user and logs them in. */
export function RegisterCard({ title, lead, foot, ...props }: Props) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  // Registering accepts the invitation, so its page is no longer needed.
  const enter = useEnter(props.inviteToken === null ? undefined : '/');
  const take = (answer: unknown) => setChallenge(enter(answer));
  if (challenge) return <SecondFactor challenge={challenge} onAnswer={take} onBack={() => setChallenge(null)} />;
  return (
    <Frame title={title} lead={lead} foot={foot}>
      <RegisterForm {...props} onAnswer={take} />
    </Frame>
  );
}

const spellings = {
  name: ['name', 'Your name'],
  email: ['email', 'Email'],
  password: ['password', 'Password'],
  organizationName: ['organization_name', 'Organization name'],
} as const;

interface FormProps extends Pick<Props, 'verb' | 'inviteToken' | 'logIn'> {
  onAnswer(answer: unknown): void;
}

function RegisterForm({ verb, inviteToken, logIn, onAnswer }: FormProps) {
  const { run, isBusy, refusal, clear } = useCall();
  const isNew = inviteToken === null;
  const form = useForm({
    initialValues: { name: '', email: '', password: '', organizationName: '' },
    validate: {
      name: (text) => nameFault(text, 'your name'),
      email: emailFault,
      password: newPasswordFault,
      organizationName: (text) => (isNew ? nameFault(text, 'the name of your organization') : null),
    },
    onValuesChange: clear,
  });
  const faults = faultsOf(refusal, spellings);
  const submit = form.onSubmit(async ({ organizationName, ...person }) => {
    const place = isNew ? { organization_name: organizationName } : { invite_token: inviteToken };
    const result = await run(() => post('/auth/register', { ...person, ...place }));
    if (result && 'value' in result) onAnswer(result.value);
  });
  const field = (name: keyof typeof spellings) => ({
    ...form.getInputProps(name),
    error: form.errors[name] ?? faults[name],
  });
  return (
    <Form isBusy={isBusy} onSubmit={submit}>
      <TextInput label="Your name" autoComplete="name" autoFocus {...field('name')} name="name" />
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        description={isNew ? undefined : 'The address that the invitation was sent to.'}
        {...field('email')}
        name="email"
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        description={passwordRules}
        {...field('password')}
        name="password"
      />
      {isNew && (
        <TextInput
          label="Organization name"
          autoComplete="organization"
          {...field('organizationName')}
          name="organization"
        />
      )}
      {Object.keys(faults).length === 0 && <Refused refusal={refusal} logIn={logIn} onOver={clear} />}
      <Act label={verb} primary type="submit" fullWidth size="md" loading={isBusy} />
    </Form>
  );
}

interface RefusedProps {
  readonly refusal: Refusal | null;
  readonly logIn: string;
  onOver(): void;
}

/** Error with a login link if the address is already registered. */
function Refused({ refusal, logIn, onOver }: RefusedProps) {
  return (
    <>
      <AuthRefusal refusal={refusal} onOver={onOver} />
      {refusal?.code === 'CONFLICT' && <Act label="Sign in instead" href={logIn} fullWidth />}
    </>
  );
}
