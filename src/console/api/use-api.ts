import type { AnyVariables } from '@urql/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useClient, useQuery, type TypedDocumentNode } from 'urql';
import { refusalOf, type Refusal } from './refusal.ts';

/** A question to the API as a component sees it. The last answer stays while a newer one is on its way. */
export interface Answer<Data> {
  readonly data: Data | null;
  readonly refusal: Refusal | null;
  /** Nothing to show yet. */
  readonly isLoading: boolean;
  /** What is shown answers an earlier question, or is being asked again. */
  readonly isStale: boolean;
  /** Asks again, past what is kept. */
  again(): void;
}

interface Options {
  /** Does not ask, as long as it is true. */
  readonly pause?: boolean;
}

/** Asks the API, and again whenever the variables change. */
export function useAnswer<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false }: Options = {},
): Answer<Data> {
  const [{ data, error, fetching, stale }, execute] = useQuery<Data, AnyVariables>({ query, variables, pause });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const refusal = useMemo(() => (error ? refusalOf(error) : null), [error]);
  return useMemo(() => {
    const isLoading = !pause && !refusal && (data === undefined || data === null);
    return { data: refusal ? null : (data ?? null), refusal, isLoading, isStale: fetching || stale, again };
  }, [data, refusal, fetching, stale, pause, again]);
}

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

/** The GraphQL value of a sort that addresses and REST spell `cost` or `-cost`: `COST_ASC` or `COST_DESC`. Text from an
 *  address is not checked; the API refuses unknown values. */
export function sortValue<Value extends string>(sort: string | null): Value | null {
  if (sort === null) return null;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  return `${sort.replace(/^-/, '').toUpperCase()}_${direction}` as Value;
}
