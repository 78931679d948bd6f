import { useCallback, useMemo, useRef, useState } from 'react';
import { isRecord, type Refusal } from '../api/refusal.ts';
import { refused } from '../api/rest.ts';
import { enter } from '../api/session.ts';
import { useGoOn, useWanted } from './wanted.ts';

/** State of an authentication call; only one runs at a time. */
export interface Call {
  /** Runs a call; null if another one is running. */
  run<Value>(call: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly refusal: Refusal } | null>;
  readonly isBusy: boolean;
  /** Error of the last call. */
  readonly refusal: Refusal | null;
  /** Clears the error. */
  clear(): void;
}

/** Like `useAct`, for REST calls whose response sets the cookie. Ignores calls while one is running. */
export function useCall(): Call {
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const run = useCallback<Call['run']>(async (call) => {
    if (running.current) return null;
    running.current = true;
    setBusy(true);
    try {
      const result = await refused(call());
      setRefusal('refusal' in result ? result.refusal : null);
      return result;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setRefusal(null), []);
  return useMemo(() => ({ run, isBusy, refusal, clear }), [run, isBusy, refusal, clear]);
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
