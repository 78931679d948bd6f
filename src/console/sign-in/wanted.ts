import { useCallback } from 'react';
import { useLocation } from 'wouter';
// As the browser has them: wouter's own decodes them once more, and a `%3F` would begin a query.
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { routes } from '../routes.tsx';
import { isOfServer, wantedOf, type SignedOutPath } from './wanted-of.ts';

const pages = routes.map(({ path }) => path);

/** The path of the address; a slash at its end makes no other one. */
export function usePath(): string {
  return usePathname().replace(/(?<=.)\/+$/, '');
}

/** Where a login at this address leads. */
export function useWanted(): string {
  return wantedOf(usePath(), useSearch(), pages);
}

/** The address of a signed-out page that leads on to where login here would. */
export function useLeadingOn(to: SignedOutPath): string {
  const wanted = useWanted();
  return wanted === '/' ? to : `${to}?${new URLSearchParams({ next: wanted })}`;
}

/** Goes on to the page that was wanted. */
export function useGoOn(): (wanted: string) => void {
  const [, go] = useLocation();
  return useCallback((wanted) => (isOfServer(wanted) ? location.replace(wanted) : go(wanted, { replace: true })), [go]);
}
