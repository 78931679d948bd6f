import type { AnyVariables } from '@urql/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createRequest, useClient, useQuery, type TypedDocumentNode } from 'urql';
import { lasting } from './client.ts';
import { refusalOf, refusalOfChange, type Refusal } from './refusal.ts';
import { refused } from './rest.ts';

/** API query as a component sees it. Keeps the previous data while new data is loading, and when a refetch fails, so that no
 *  input is lost. */
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

/** How a query is read. */
export interface Options {
  /** Suspends the query while true. */
  readonly pause?: boolean;
  /** Whether its answer changes only with syncs, or rarely; see `lasting`. */
  readonly isLasting?: boolean;
}

/** Runs an API query, and reruns it when the variables change. */
export function useAnswer<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  { pause = false, isLasting = false }: Options = {},
): Answer<Data> {
  const [{ data, error, fetching, stale }, execute] = useQuery<Data, AnyVariables>({
    query,
    variables,
    pause,
    ...(isLasting && { context: lasting }),
  });
  const again = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  const refusal = useMemo(() => (error ? refusalOf(error) : null), [error]);
  const isStale = fetching || stale;
  const kept = useKept(createRequest(query, variables).key, error || isStale ? undefined : data);
  return useMemo(() => {
    const known = (refusal ? null : data) ?? kept ?? null;
    return { data: known, refusal, isLoading: !pause && !refusal && known === null, isStale, again };
  }, [data, kept, refusal, isStale, pause, again]);
}

/** Keeps the last data of a request.
 *  @param data new data; undefined if there is none */
function useKept<Data>(key: number, data: Data | undefined): Data | undefined {
  const [last, setLast] = useState({ key, data });
  if (data !== undefined && (last.key !== key || last.data !== data)) setLast({ key, data });
  return last.key === key ? last.data : undefined;
}

/** Refetches when something that the answer depends on has changed, such as a finished sync.
 *  @param sign value that changes with it; null while unknown
 *  @param afterMs delay before the refetch, in milliseconds */
export function useAgainWhen<Data>(sign: string | null, { again }: Answer<Data>, afterMs = 0): void {
  const seen = useRef(sign);
  useEffect(() => {
    if (sign === null || sign === seen.current) return undefined;
    const isFirst = seen.current === null;
    seen.current = sign;
    if (isFirst) return undefined;
    if (afterMs === 0) return again();
    const timer = setTimeout(again, afterMs);
    return () => clearTimeout(timer);
  }, [sign, again, afterMs]);
}

/** Mutation that a component can run. */
export interface Act<Data, Variables> extends Omit<Call, 'run'> {
  /** Runs the mutation; null if it was rejected or is already running. */
  act(variables: Variables): Promise<Data | null>;
}

/** State of calls, of which only one runs at a time. */
export interface Call {
  /** Runs a call; null if another one is running. */
  run<Value>(call: () => Promise<Value>): Promise<{ readonly value: Value } | { readonly refusal: Refusal } | null>;
  readonly isBusy: boolean;
  /** Error of the last call. */
  readonly refusal: Refusal | null;
  /** Clears the error. */
  clear(): void;
}

/** Wraps calls of the API. Ignores calls while one is running, so that a double click runs it once. */
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

/** Wraps an API mutation. */
export function useAct<Data, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const client = useClient();
  const { run, ...state } = useCall();
  const act = useCallback(
    async (variables: Variables) => {
      const result = await run(async () => {
        const { data, error } = await client.mutation<Data, AnyVariables>(mutation, variables).toPromise();
        if (error) throw refusalOfChange(error);
        return data ?? null;
      });
      return result && 'value' in result ? result.value : null;
    },
    [client, mutation, run],
  );
  return { act, ...state };
}

/** Converts a sort from URL and REST spelling (`cost`, `-cost`) to the GraphQL enum (`COST_ASC`, `COST_DESC`). Does not
 *  validate text from the URL; the API rejects unknown values. */
export function sortValue<Value extends string>(sort: string | null): Value | null {
  if (sort === null) return null;
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  return `${sort.replace(/^-/, '').toUpperCase()}_${direction}` as Value;
}
