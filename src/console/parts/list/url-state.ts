import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { usePathname, useSearch } from 'wouter/use-browser-location';

/** Changes to the address's query: a list is repeated, null or empty takes the key away. */
export type Changes = Readonly<Record<string, string | readonly string[] | null>>;

/** The page's state, which is the address's query: it can be sent to somebody, and Back takes a change back. */
export interface UrlState {
  /** One value; null where there is none. */
  one(key: string): string | null;
  /** Every value of a key, in order. */
  all(key: string): string[];
  /** Every key of the address, once each, in order. */
  keys(): string[];
  /** Writes changes and goes back to the first page of lists, unless `page` is among them. */
  set(changes: Changes, options?: { readonly replace?: boolean }): void;
  /** Whether any of the keys has a value. */
  has(...keys: readonly string[]): boolean;
  /** The query as it would be after changes, with `?`, for links. */
  with(changes: Changes): string;
}

/** Reads and writes the query of the address. */
export function useUrlState(): UrlState {
  const search = useSearch();
  const path = usePathname();
  const [, go] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const changed = useCallback((changes: Changes) => textOf(query, { page: null, ...changes }), [query]);
  const set = useCallback<UrlState['set']>(
    (changes, options) => {
      const text = changed(changes);
      if (text !== textOf(query, {})) go(`${path}${text}`, { replace: options?.replace ?? false });
    },
    [changed, go, path, query],
  );
  return useMemo(
    () => ({
      one: (key) => query.get(key) || null,
      all: (key) => query.getAll(key).filter((value) => value !== ''),
      keys: () => [...new Set(query.keys())],
      has: (...keys) => keys.some((key) => query.getAll(key).some((value) => value !== '')),
      set,
      with: changed,
    }),
    [query, set, changed],
  );
}

function textOf(query: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(query);
  for (const [key, value] of Object.entries(changes)) {
    next.delete(key);
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) if (one !== '') next.append(key, one);
  }
  const text = next.toString();
  return text === '' ? '' : `?${text}`;
}

/** The page number of the address, from 1; what is no such number is 1. */
export function pageOf(state: UrlState): number {
  const page = Number(state.one('page') ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}

/** Those values of a key that are among the known ones: an address edited by hand asks for nothing that there is not. */
export function knownOf<Value extends string>(state: UrlState, key: string, known: readonly Value[]): Value[] {
  const values = new Set(state.all(key).map((value) => value.toUpperCase()));
  return known.filter((value) => values.has(value));
}

/** Values of a key as the API takes a filter: undefined, which leaves it out, where there are none. */
export function someOf(state: UrlState, key: string): string[] | undefined {
  const values = state.all(key);
  return values.length === 0 ? undefined : values;
}
