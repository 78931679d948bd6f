/** Pages of those who are signed out. Every other address is a page that login leads on to. */
export const signedOutPaths = ['/login', '/register', '/forgot-password', '/reset-password'] as const;

/** Whether the address is one of the signed-out pages. */
function isSignedOutPath(path: string): boolean {
  return signedOutPaths.some((one) => one === path);
}

/** Where a login at this address leads: the page that was asked for, else the one it was asked for from (`next`). */
export function wantedOf(path: string, search: string): string {
  const query = new URLSearchParams(search);
  if (!isSignedOutPath(path)) return search === '' ? path : `${path}?${search}`;
  const next = query.get('next') ?? '/';
  // Only pages of our own: `//evil.example` is another server.
  return /^\/(?![/\\])/.test(next) ? next : '/';
}

/** The address of a signed-out page that leads on to where login here would. */
export function leadingOn(to: (typeof signedOutPaths)[number], path: string, search: string): string {
  const wanted = wantedOf(path, search);
  return wanted === '/' ? to : `${to}?${new URLSearchParams({ next: wanted })}`;
}
