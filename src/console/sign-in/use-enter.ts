import { useCallback } from 'react';
import { isRecord } from '../api/refusal.ts';
import { enter } from '../api/session.ts';
import { useGoOn, useWanted } from './wanted.ts';

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
