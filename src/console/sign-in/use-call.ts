import { useCallback, useMemo, useRef, useState } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { refused } from '../api/rest.ts';

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
