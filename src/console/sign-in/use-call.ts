import { useCallback, useMemo, useRef, useState } from 'react';
import { isRecord, type Refusal } from '../api/refusal.ts';
import { refused } from '../api/rest.ts';
import { enter } from '../api/session.ts';
import { useGoOn, useWanted } from './wanted.ts';

/** Calls of the authentication, one at a time. */
export interface Call {
  /** Runs it; null when another one runs. */
  run<Value>(call: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly refusal: Refusal } | null>;
  readonly isBusy: boolean;
  /** Why the last one was refused. */
  readonly refusal: Refusal | null;
  /** Forgets the refusal. */
  clear(): void;
}

/** Like `useAct`, for what goes by REST because its answer sets the cookie. A second try while the first runs does nothing. */
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

/** A login whose password was right and whose second factor is awaited. */
export interface Challenge {
  readonly token: string;
  readonly methods: readonly string[];
}

/** Takes over what a login answered: opens the session and goes to the page that was wanted.
 *  @param to where to go instead
 *  @returns takes the answer; gives the second factor that is awaited, null when the session is open */
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
