// As the browser has them: wouter's own decodes them once more, and a `%3F` would begin a query.
import { usePathname, useSearch } from 'wouter/use-browser-location';

/** Pages of those who are signed out. Every other address is a page that login leads on to. */
const signedOutPaths = ['/login', '/register', '/forgot-password', '/reset-password'] as const;

/** The path of the address; a slash at its end makes no other one. */
export function usePath(): string {
  return usePathname().replace(/(?<=.)\/+$/, '');
}

/** Where a login at this address leads. */
export function useWanted(): string {
  return wantedOf(usePath(), useSearch());
}

/** The address of a signed-out page that leads on to where login here would. */
export function useLeadingOn(to: (typeof signedOutPaths)[number]): string {
  const wanted = useWanted();
  return wanted === '/' ? to : `${to}?${new URLSearchParams({ next: wanted })}`;
}

/** The page that was asked for, else the one that login was asked for from (`next`).
 *  @param search with its `?`, as the browser has it */
export function wantedOf(path: string, search: string): string {
  const isSignedOut = signedOutPaths.some((one) => one === path);
  return ownPage(isSignedOut ? (new URLSearchParams(search).get('next') ?? '/') : `${path}${search}`);
}

/** The address if it is a page of ours, else the overview: `//evil.example` is another server, and so is `/\t/evil.example`. */
function ownPage(address: string): string {
  const here = 'https://console.invalid';
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
