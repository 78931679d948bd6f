import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { usePathname, useSearch } from 'wouter/use-browser-location';

/** Changes to the URL query: a list becomes repeated keys; null or empty removes the key. */
export type Changes = Readonly<Record<string, string | readonly string[] | null>>;

/** Page state, stored in the URL query, so that it can be shared and Back undoes changes. */
export interface UrlState {
  /** Single value; null if absent. */
  one(key: string): string | null;
  /** All values of a key, in order. */
  all(key: string): string[];
  /** Distinct keys of the query, in order. */
  keys(): string[];
  /** Applies changes and returns lists to their first page, unless `page` is among the changes. */
  set(changes: Changes, options?: { readonly replace?: boolean }): void;
  /** Whether any of the keys has a value. */
  has(...keys: readonly string[]): boolean;
  /** Query with changes applied, with `?`, for links. */
  with(changes: Changes): string;
}

/** Reads and writes the URL query. */
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

/** One-based page number from the URL; 1 if invalid. */
export function pageOf(state: UrlState): number {
  const page = Number(state.one('page') ?? 1);
  return Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1;
}

/** Values of a key that are among the known ones; ignores unknown values of a manually edited URL. */
export function knownOf<Value extends string>(state: UrlState, key: string, known: readonly Value[]): Value[] {
  const values = new Set(state.all(key).map((value) => value.toUpperCase()));
  return known.filter((value) => values.has(value));
}

/** Values of a key as an API filter; undefined, which omits the filter, if there are none. */
export function someOf(state: UrlState, key: string): string[] | undefined {
  const values = state.all(key);
  return values.length === 0 ? undefined : values;
}
