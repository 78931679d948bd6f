import { useCallback, useMemo } from 'react';
import { useQuery, type TypedDocumentNode } from 'urql';
import type { AnyVariables } from '@urql/core';
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
