import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Frame } from './frame.tsx';
import { LogInForm } from './log-in-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { useEnter, type Challenge } from './use-enter.ts';
import { useLeadingOn } from './wanted.ts';

interface Props {
  /** Why the session before ended, where somebody should know. */
  readonly because: string | null;
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly foot?: ReactNode;
}

/** Logs in, with a second factor where there is one, or with a passkey alone, and goes on to the page that was wanted. */
export function LogIn({ because, title = 'Log in', lead, foot }: Props) {
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
          <Alert variant="light" role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
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
