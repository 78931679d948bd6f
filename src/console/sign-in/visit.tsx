import { useLayoutEffect, type ReactNode } from 'react';
import { ForgotPassword, ResetPassword } from './password.tsx';
import { useGoOn, usePath, useWanted } from './wanted.ts';

/** Signed-out page visited by a signed-in user: they can reset a password, but login continues to the requested page. */
export function Visit({ children }: { readonly children: ReactNode }) {
  const wanted = useWanted();
  switch (usePath()) {
    case '/login':
    case '/register':
      return <GoOn to={wanted} />;
    case '/forgot-password':
      return <ForgotPassword />;
    case '/reset-password':
      return <ResetPassword />;
    default:
      return children;
  }
}

function GoOn({ to }: { readonly to: string }) {
  const goOn = useGoOn();
  useLayoutEffect(() => goOn(to), [goOn, to]);
  return null;
}
