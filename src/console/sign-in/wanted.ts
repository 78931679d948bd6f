import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { usePathname, useSearch } from 'wouter/use-browser-location';
import { isRecord } from '../api/refusal.ts';
import { enter } from '../api/session.ts';
import { routes } from '../routes.tsx';
import { isOfServer, wantedOf, type SignedOutPath } from './wanted-of.ts';
// Paths are not decoded, as in the browser: wouter's own hooks decode once more, and a decoded `%3F` would start a query.

const pages = routes.map(([path]) => path);

/** Current path without a trailing slash. */
export function usePath(): string {
  return usePathname().replace(/(?<=.)\/+$/, '');
}

/** Login target of the current URL. */
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

/** Login with a correct password that still requires a second factor. */
export interface Challenge {
  readonly token: string;
  readonly methods: readonly string[];
}

/** Returns a handler for login responses: it opens the session and continues to the requested page.
 *  @param to target instead of the requested page
 *  @returns handler that gives the required second factor; null once the session is open */
export function useEnter(to?: string): (answer: unknown) => Challenge | null {
  const goOn = useGoOn();
  const asked = useWanted();
  const wanted = to ?? asked;
  return useCallback(
    (answer) => {
      const challenge = challengeOf(answer);
      if (challenge) return challenge;
      if (enter(answer)) goOn(wanted);
      return null;
    },
    [goOn, wanted],
  );
}

function challengeOf(answer: unknown): Challenge | null {
  if (!isRecord(answer) || typeof answer['challenge_token'] !== 'string') return null;
  const { challenge_token: token, methods } = answer;
  return { token, methods: Array.isArray(methods) ? methods.map(String) : [] };
}
