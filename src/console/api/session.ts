import { useSyncExternalStore } from 'react';
import { isRecord, Refusal } from './refusal.ts';
import { post, refused } from './rest.ts';

/** Where this tab stands: `starting` until the cookie was tried; `away` when the server did not answer that. */
type SessionState =
  | { readonly at: 'starting' }
  | { readonly at: 'away'; readonly refusal: Refusal }
  | { readonly at: 'out'; readonly because: string | null }
  | { readonly at: 'in'; readonly mustSetUpTwoFactor: boolean; readonly who: string };

/** An answer of the API's login, refresh or switch that opened a session. */
interface OpenLogin {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly mustSetUpTwoFactor: boolean;
  /** The user, and the organization they are in. */
  readonly who: string;
}

// The access token lives here and nowhere else: no storage of the browser ever holds it.
let login: (OpenLogin & { readonly expiresAt: number }) | null = null;
let state: SessionState = { at: 'starting' };
let refreshing: Promise<boolean> | null = null;
const listeners = new Set<() => void>();
/** Other tabs of this browser: they share the cookie, so they share its end, its user and its organization. */
const tabs = new BroadcastChannel('costkeep-session');

tabs.addEventListener('message', ({ data }) => {
  if (state.at !== 'in') return;
  if (data === 'out') leave('You have logged out in another tab.');
  else if (data !== state.who) location.assign('/');
});

function become(next: SessionState): void {
  state = next;
  for (const listen of listeners) listen();
}

/** For `useSyncExternalStore`. */
function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** The state of now. */
export function sessionState(): SessionState {
  return state;
}

/** The access token; null when nobody is signed in. */
export function accessToken(): string | null {
  return login?.accessToken ?? null;
}

/** Whether the token ends within half a minute. */
export function isStale(): boolean {
  return login !== null && login.expiresAt - Date.now() < 30_000;
}

/** Tries the cookie of an earlier visit, once. */
export async function start(): Promise<void> {
  become({ at: 'starting' });
  try {
    open(openLogin(await post('/auth/refresh', {})));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    become(thrown.status === 401 ? { at: 'out', because: null } : { at: 'away', refusal: thrown });
  }
}

/** Takes over what a login, or the move to another organization, answered: the cookie is this session's from now on.
 *  @returns whether it opened a session; a second factor may still be asked for */
export function enter(answer: unknown): boolean {
  const opened = openLogin(answer);
  if (opened) tabs.postMessage(opened.who);
  return open(opened);
}

function open(opened: OpenLogin | null): boolean {
  if (!opened) return false;
  login = { ...opened, expiresAt: Date.now() + opened.expiresIn * 1000 };
  const { mustSetUpTwoFactor, who } = opened;
  become({ at: 'in', mustSetUpTwoFactor, who });
  return true;
}

/** Exchanges the cookie for a new token; calls at the same time share one exchange.
 *  @returns whether there is a usable token now */
export function refresh(): Promise<boolean> {
  refreshing ??= exchange().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function exchange(): Promise<boolean> {
  if (!login) return false;
  try {
    const opened = openLogin(await post('/auth/refresh', {}));
    // Somebody has logged out meanwhile.
    if (!accessToken()) return false;
    if (opened && opened.who !== login.who) return await startAnew();
    return open(opened);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    // A server that is away or busy ends no session: the question fails, and the next one tries again.
    // Who has left meanwhile was told why.
    if (thrown.status === 401 && accessToken()) leave('Your session has ended. Log in again to go on.');
    return false;
  }
}

/** The cookie has come to be another user's, or another organization's: what is shown, and what waits to be sent, is not theirs. */
function startAnew(): Promise<never> {
  location.assign('/');
  return new Promise(() => {});
}

/** Ends the session here, on the server and in the other tabs. */
export async function signOut(): Promise<void> {
  const token = accessToken() ?? undefined;
  leave(null);
  tabs.postMessage('out');
  const result = await refused(post('/auth/logout', {}, token));
  if ('refusal' in result && state.at === 'out')
    leave('The server did not answer, so you are still signed in there. Reload this page and log out again.');
}

/** Ends the session in this tab alone. */
export function leave(because: string | null): void {
  login = null;
  become({ at: 'out', because });
}

function openLogin(answer: unknown): OpenLogin | null {
  if (!isRecord(answer)) return null;
  const { access_token: token, expires_in: expiresIn, user, organization } = answer;
  if (typeof token !== 'string' || typeof expiresIn !== 'number') return null;
  const [userId, organizationId] = [user, organization].map((one) => (isRecord(one) ? String(one['id']) : ''));
  return {
    accessToken: token,
    expiresIn,
    who: `${userId} ${organizationId}`,
    mustSetUpTwoFactor: answer['two_factor_setup_required'] === true,
  };
}

/** Where this tab stands with its session. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}
