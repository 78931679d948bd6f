/** Pages for signed-out users. Every other path is a possible login target. */
const signedOutPaths = ['/login', '/register', '/forgot-password', '/reset-password'] as const;

/** Path of a page for signed-out users. */
export type SignedOutPath = (typeof signedOutPaths)[number];

/** Server pages linked from the console, which its router does not handle. */
const serverPaths = ['/graphql', '/docs'] as const;

/** Returns the page to show after login: the current one, or on a signed-out page the one in `next`.
 *  @param search query with its `?`, as in `location.search`
 *  @param pages path patterns of the console's pages */
export function wantedOf(path: string, search: string, pages: readonly string[]): string {
  const isSignedOut = signedOutPaths.some((one) => one === path);
  return isSignedOut ? nextPage(new URLSearchParams(search).get('next') ?? '/', pages) : ownPage(`${path}${search}`);
}

/** Returns the URL if its first path segment is that of a known page, else the overview. */
function nextPage(address: string, pages: readonly string[]): string {
  const own = ownPage(address);
  return isOfServer(own) || pages.some((page) => areaOf(page) === areaOf(own)) ? own : '/';
}

/** Whether the browser must load the URL from the server. */
export function isOfServer(address: string): boolean {
  return serverPaths.some((path) => path === address.replace(/#.*$/, ''));
}

function areaOf(address: string): string | undefined {
  return address.replace(/[?#].*$/, '').split('/')[1];
}

/** Returns the URL if it is on this origin, else the overview: `//evil.example` and `/\t/evil.example` are other servers. */
function ownPage(address: string): string {
  const here = 'https://console.invalid';
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
