import { useLayoutEffect, type ReactNode } from 'react';
import { ForgotPassword, ResetPassword } from './password.tsx';
import { useGoOn, usePath, useWanted } from './wanted.ts';

/** Somebody who is signed in, at an address of those who are not: a password can be reset, logging in is behind them. */
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
