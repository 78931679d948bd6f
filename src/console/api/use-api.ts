import type { AnyVariables } from '@urql/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useClient, useQuery, type TypedDocumentNode } from 'urql';
import { refusalOf, type Refusal } from './refusal.ts';

/** API query as a component sees it. Keeps the previous data while new data is loading. */
export interface Answer<Data> {
  readonly data: Data | null;
  readonly refusal: Refusal | null;
  /** No data yet. */
  readonly isLoading: boolean;
  /** The data belongs to earlier variables or is being refetched. */
  readonly isStale: boolean;
  /** Refetches, bypassing the cache. */
  again(): void;
}

interface Options {
  /** Suspends the query while true. */
  readonly pause?: boolean;
}

/** Runs an API query, and reruns it when the variables change. */
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

/** Mutation that a component can run. */
export interface Act<Data, Variables> {
  /** Runs the mutation; null if it was rejected or is already running. */
  act(variables: Variables): Promise<Data | null>;
  readonly isBusy: boolean;
  /** Error of the last attempt. */
  readonly refusal: Refusal | null;
  /** Clears the error. */
  clear(): void;
}

/** Wraps an API mutation. Ignores calls while one is running, so that a double click runs it once. */
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

/** Converts a sort from URL and REST spelling (`cost`, `-cost`) to the GraphQL enum (`COST_ASC`, `COST_DESC`). Does not
 *  validate text from the URL; the API rejects unknown values. */
export function sortValue<Value extends string>(sort: string | null): Value | null {
  if (sort === null) return null;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  return `${sort.replace(/^-/, '').toUpperCase()}_${direction}` as Value;
}
