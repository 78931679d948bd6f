/** Pages of those who are signed out. Every other address is a page that login leads on to. */
const signedOutPaths = ['/login', '/register', '/forgot-password', '/reset-password'] as const;

/** The path of such a page. */
export type SignedOutPath = (typeof signedOutPaths)[number];

/** Pages of the server that the console links to. They are no pages of the console. */
const serverPaths = ['/graphql', '/docs'] as const;

/** The page that was asked for, else the one that login was asked for from (`next`).
 *  @param search with its `?`, as the browser has it
 *  @param pages patterns of the paths of the console's pages */
export function wantedOf(path: string, search: string, pages: readonly string[]): string {
  const isSignedOut = signedOutPaths.some((one) => one === path);
  return isSignedOut ? nextPage(new URLSearchParams(search).get('next') ?? '/', pages) : ownPage(`${path}${search}`);
}

/** The address if it lies where pages are, else the overview. */
function nextPage(address: string, pages: readonly string[]): string {
  const own = ownPage(address);
  return isOfServer(own) || pages.some((page) => areaOf(page) === areaOf(own)) ? own : '/';
}

/** Whether the address is a page of the server, which the browser loads. */
export function isOfServer(address: string): boolean {
  return serverPaths.some((path) => path === address.replace(/#.*$/, ''));
}

function areaOf(address: string): string | undefined {
  return address.replace(/[?#].*$/, '').split('/')[1];
}

/** The address if it is a page of ours, else the overview: `//evil.example` is another server, and so is `/\t/evil.example`. */
function ownPage(address: string): string {
  const here = 'https://console.invalid';
  const url = URL.canParse(address, here) ? new URL(address, here) : null;
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
