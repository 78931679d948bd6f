import { useCallback } from 'react';
import { useLocation } from 'wouter';
// As the browser has them: wouter's own decodes them once more, and a `%3F` would begin a query.
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { routes } from '../routes.tsx';

/** Pages of those who are signed out. Every other address is a page that login leads on to. */
const signedOutPaths = ['/login', '/register', '/forgot-password', '/reset-password'] as const;

/** Pages of the server that the console links to. They are no pages of the console: the browser loads them. */
const serverPaths = ['/graphql', '/docs'] as const;

/** What the paths of the console's pages begin with. */
const areas = new Set(routes.map(({ path }) => areaOf(path)));

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

/** Goes on to the page that was wanted. */
export function useGoOn(): (wanted: string) => void {
  const [, go] = useLocation();
  return useCallback((wanted) => (isOfServer(wanted) ? location.replace(wanted) : go(wanted, { replace: true })), [go]);
}

/** The page that was asked for, else the one that login was asked for from (`next`).
 *  @param search with its `?`, as the browser has it */
export function wantedOf(path: string, search: string): string {
  const isSignedOut = signedOutPaths.some((one) => one === path);
  return isSignedOut ? nextPage(new URLSearchParams(search).get('next') ?? '/') : ownPage(`${path}${search}`);
}

/** The address if it is a page that there is, else the overview. */
function nextPage(address: string): string {
  const own = ownPage(address);
  return isOfServer(own) || areas.has(areaOf(own)) ? own : '/';
}

function isOfServer(address: string): boolean {
  return serverPaths.some((path) => path === address.replace(/#.*$/, ''));
}

function areaOf(address: string): string | undefined {
  return pathOf(address).split('/')[1];
}

function pathOf(address: string): string {
  return address.replace(/[?#].*$/, '');
}

/** The address if it is a page of ours, else the overview: `//evil.example` is another server, and so is `/\t/evil.example`. */
function ownPage(address: string): string {
  const here = 'https://console.invalid';
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
