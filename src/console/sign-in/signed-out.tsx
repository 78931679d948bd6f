import { ForgotPassword, ResetPassword } from './password.tsx';
import { Invited } from './invited.tsx';
import { LogIn } from './log-in.tsx';
import { Register } from './register.tsx';
import { usePath } from './wanted.ts';

/** What those see who are not signed in. At the address of any other page they log in, and are on it then. */
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
