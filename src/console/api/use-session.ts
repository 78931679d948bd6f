import { useSyncExternalStore } from 'react';
import { sessionState, subscribe, type SessionState } from './session.ts';

/** Where this tab stands with its session. */
export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, sessionState);
}
