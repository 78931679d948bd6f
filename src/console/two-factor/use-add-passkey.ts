import { useCallback } from 'react';
import type { Refusal } from '../api/refusal.ts';
import { useAct } from '../api/use-act.ts';
import { makePasskey } from '../sign-in/passkey.ts';
import { useCall } from '../sign-in/use-call.ts';
import { RegisterPasskey } from './queries.ts';

interface AddPasskey {
  /** Has the browser make one, and the server keep it. @returns whether there is one now */
  add(name: string): Promise<boolean>;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  clear(): void;
}

/** Adds a passkey for whoever is signed in. */
export function useAddPasskey(): AddPasskey {
  const asking = useAct(RegisterPasskey);
  const making = useCall();
  const { act } = asking;
  const { run } = making;
  const add = useCallback(
    async (name: string) => {
      const result = await run(async () => {
        const options = (await act({}))?.registerPasskey?.options;
        if (!options) return false;
        const response = await makePasskey(options);
        return (await act({ name, response: { ...response } }))?.registerPasskey?.id != null;
      });
      return result !== null && 'value' in result && result.value;
    },
    [act, run],
  );
  const clear = () => {
    asking.clear();
    making.clear();
  };
  return { add, isBusy: making.isBusy, refusal: asking.refusal ?? making.refusal, clear };
}
