import { useSyncExternalStore } from 'react';
import { isRecord, Refusal } from './refusal.ts';
import { post, refused } from './rest.ts';
import { patiently } from './waiting.ts';

/** Session state of this tab: `starting` until the refresh cookie has been tried; `away` if the server did not respond. */
type SessionState =
  | { readonly at: 'starting' }
  | { readonly at: 'away'; readonly refusal: Refusal }
  | { readonly at: 'out'; readonly because: string | null }
  | { readonly at: 'in'; readonly mustSetUpTwoFactor: boolean; readonly who: string };

/** Response of login, refresh or organization switch that opened a session. */
interface OpenLogin {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly mustSetUpTwoFactor: boolean;
  /** Identifies the user and their current organization. */
  readonly who: string;
}

// The access token exists only in memory, never in browser storage.
let login: (OpenLogin & { readonly expiresAt: number }) | null = null;
let state: SessionState = { at: 'starting' };
let refreshing: Promise<boolean> | null = null;
const listeners = new Set<() => void>();
/** Storage key that notes that this browser signed in: without it there is no cookie to try, and a rejected refresh would be an
 *  error in the browser's log. */
const signedInKey = 'costkeep.signed-in';
/** Channel to this browser's other tabs. They share the cookie, so sign-out, user and organization changes apply to all of
 *  them. */
const tabs = new BroadcastChannel('costkeep-session');

tabs.addEventListener('message', ({ data }) => {
  if (state.at !== 'in') return;
  if (data === 'out') leave('You signed out in another tab.');
  else if (data !== state.who) location.assign('/');
});

function become(next: SessionState): void {
  state = next;
  for (const listen of listeners) listen();
}

/** Subscribes to changes. Listeners run before React renders the new state.
 *  @returns a function that ends the subscription */
export function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** Returns the current session state. */
export function sessionState(): SessionState {
  return state;
}

/** Returns the access token; null when signed out. */
export function accessToken(): string | null {
  return login?.accessToken ?? null;
}

/** Whether the token expires within 30 seconds. */
export function isStale(): boolean {
  return login !== null && login.expiresAt - Date.now() < 30_000;
}

/** Whether this browser may have a session cookie. Without storage, only the server knows. */
function mayHaveCookie(): boolean {
  try {
    return localStorage.getItem(signedInKey) !== null;
  } catch {
    return true;
  }
}

function noteCookie(isSet: boolean): void {
  try {
    if (isSet) localStorage.setItem(signedInKey, 'true');
    else localStorage.removeItem(signedInKey);
  } catch {
    // Without storage, each start tries the cookie.
  }
}

/** Tries once to resume the session of an earlier visit through its cookie. */
export async function start(): Promise<void> {
  if (!mayHaveCookie()) return become({ at: 'out', because: null });
  become({ at: 'starting' });
  try {
    open(openLogin(await patiently(() => post('/auth/refresh', {}))));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    if (thrown.status !== 401) return become({ at: 'away', refusal: thrown });
    noteCookie(false);
    become({ at: 'out', because: null });
  }
}

/** Adopts the response of a login or organization switch; the cookie now belongs to this session.
 *  @returns whether it opened a session; false if a second factor is still required */
export function enter(answer: unknown): boolean {
  const opened = openLogin(answer);
  if (opened) tabs.postMessage(opened.who);
  return open(opened);
}

function open(opened: OpenLogin | null): boolean {
  if (!opened) return false;
  noteCookie(true);
  login = { ...opened, expiresAt: Date.now() + opened.expiresIn * 1000 };
  const { mustSetUpTwoFactor, who } = opened;
  become({ at: 'in', mustSetUpTwoFactor, who });
  return true;
}

/** Exchanges the cookie for a new token; concurrent calls share one request.
 *  @returns whether a usable token is available */
export function refresh(): Promise<boolean> {
  refreshing ??= exchange().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function exchange(): Promise<boolean> {
  if (!login) return false;
  try {
    const opened = openLogin(await patiently(() => post('/auth/refresh', {})));
    // The user signed out in the meantime.
    if (!accessToken()) return false;
    if (opened && opened.who !== login.who) return await startAnew();
    return open(opened);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    // An unreachable or busy server does not end the session: this call fails and the next one retries. After a sign-out in the
    // meantime, the reason is already shown.
    if (thrown.status === 401 && accessToken()) leave('Your session has ended. Sign in again to continue.');
    return false;
  }
}

/** Reloads: the cookie now belongs to another user or organization, but the shown data and the pending requests belong to the
 *  previous one. */
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
  if (!('refusal' in result)) noteCookie(accessToken() !== null);
  else if (state.at === 'out')
    leave('The server did not respond, so you are still signed in. Reload this page and sign out again.');
}

/** Ends the session in this tab only. */
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

/** Returns the session state and re-renders on changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}
