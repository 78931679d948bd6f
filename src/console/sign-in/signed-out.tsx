import { Text } from '@mantine/core';
import { Link, useSearch } from 'wouter';
import { Act } from '../parts/form/menu.tsx';
import { Frame } from './frame.tsx';
import { LogIn } from './log-in.tsx';
import { ForgotPassword, ResetPassword } from './password.tsx';
import { Register, RegisterCard } from './register.tsx';
import { usePath } from './wanted.ts';

/** Pages for signed-out users. Any other URL shows the login, which then continues to that URL. */
export function SignedOut({ because }: { readonly because: string | null }) {
  switch (usePath()) {
    case '/register':
      return <Register />;
    case '/forgot-password':
      return <ForgotPassword />;
    case '/reset-password':
      return <ResetPassword />;
    case '/invite':
      return <Invited because={because} />;
    default:
      return <LogIn because={because} />;
  }
}

/** Invitation page for signed-out users: new users register, existing users log in and accept. */
function Invited({ because }: { readonly because: string | null }) {
  const query = new URLSearchParams(useSearch());
  const token = query.get('token') ?? '';
  if (token === '') return <Incomplete />;
  const asNew = `/invite?${new URLSearchParams({ token })}`;
  const asKnown = `${asNew}&account=yes`;
  if (query.get('account') === 'yes')
    return (
      <LogIn
        because={because}
        title="Sign in to accept"
        lead="Use the address that the invitation was sent to."
        foot={
          <>
            No account yet? <Link href={asNew}>Create one</Link>
          </>
        }
      />
    );
  return (
    <RegisterCard
      title="You have been invited"
      lead="Create your account to join the organization that invited you."
      verb="Create account and join"
      inviteToken={token}
      logIn={asKnown}
      foot={
        <>
          Already have an account? <Link href={asKnown}>Sign in to accept</Link>
        </>
      }
    />
  );
}

function Incomplete() {
  return (
    <Frame title="This link is incomplete">
      <Text size="sm">The address contains no invitation. Open the link in the email again, or copy all of it.</Text>
      <Act label="Sign in" primary href="/login" fullWidth size="md" mt="md" />
    </Frame>
  );
}
