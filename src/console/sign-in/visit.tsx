import { lazy, useLayoutEffect, type ReactNode } from 'react';
import { usePath, useGoOn, useWanted } from './wanted.ts';

const ForgotPassword = lazy(async () => ({ default: (await import('./password.tsx')).ForgotPassword }));
const ResetPassword = lazy(async () => ({ default: (await import('./password.tsx')).ResetPassword }));

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
