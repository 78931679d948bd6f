import { useCallback, useMemo, useRef, useState } from 'react';
import { useClient, type TypedDocumentNode } from 'urql';
import type { AnyVariables } from '@urql/core';
import { refusalOf, type Refusal } from './refusal.ts';

/** A change that a component can ask for. */
export interface Act<Data, Variables> {
  /** Does it; null when it was refused, or is being done already. */
  act(variables: Variables): Promise<Data | null>;
  readonly isBusy: boolean;
  /** Why the last try was refused. */
  readonly refusal: Refusal | null;
  /** Forgets the refusal. */
  clear(): void;
}

/** A mutation of the API. A second try while the first runs does nothing: a double click is one wish. */
export function useAct<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const client = useClient();
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const act = useCallback(
    async (variables: Variables) => {
      if (running.current) return null;
      running.current = true;
      setBusy(true);
      try {
        const { data, error } = await client.mutation<Data, AnyVariables>(mutation, variables).toPromise();
        setRefusal(error ? refusalOf(error) : null);
        return error ? null : (data ?? null);
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    [client, mutation],
  );
  const clear = useCallback(() => setRefusal(null), []);
  return useMemo(() => ({ act, isBusy, refusal, clear }), [act, isBusy, refusal, clear]);
}
