import { useCallback } from 'react';
import { useLocation } from 'wouter';
// Raw, as in the browser: wouter's own hooks decode once more, and a decoded `%3F` would start a query.
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { routes } from '../routes.tsx';
import { isOfServer, wantedOf, type SignedOutPath } from './wanted-of.ts';

const pages = routes.map(({ path }) => path);

/** Current path without a trailing slash. */
export function usePath(): string {
  return usePathname().replace(/(?<=.)\/+$/, '');
}

/** Where a login at the current URL continues to. */
export function useWanted(): string {
  return wantedOf(usePath(), useSearch(), pages);
}

/** URL of a signed-out page that keeps the current login target. */
export function useLeadingOn(to: SignedOutPath): string {
  const wanted = useWanted();
  return wanted === '/' ? to : `${to}?${new URLSearchParams({ next: wanted })}`;
}

/** Continues to the requested page. */
export function useGoOn(): (wanted: string) => void {
  const [, go] = useLocation();
  return useCallback((wanted) => (isOfServer(wanted) ? location.replace(wanted) : go(wanted, { replace: true })), [go]);
}
