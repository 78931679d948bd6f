import type { AnyVariables } from '@urql/core';
import { useEffect, useMemo, useState } from 'react';
import { stringifyVariables, useClient, type TypedDocumentNode } from 'urql';
import { lasting } from './client.ts';
import { refusalOf, type Refusal } from './refusal.ts';
import { useAnswer, type Options } from './use-api.ts';

/** Largest page of the API. */
const perPage = 100;

/** All records of a list, as a component sees them. */
export interface Records<Row> {
  /** Records that have arrived; null until the first page has. */
  readonly rows: readonly Row[] | null;
  /** Error of a page, after which no more are read. */
  readonly refusal: Refusal | null;
  /** Whether all pages have arrived and none is stale. */
  readonly isWhole: boolean;
}

/** An answer with one list. */
export type Lists<Row> = Readonly<
  Record<string, { readonly data: readonly Row[]; readonly pagination: { readonly totalPages: number } } | null>
>;

/** Variables of a list without filters. */
export interface PageVariables {
  readonly page?: number | null;
  readonly perPage?: number | null;
}

/** A page after the first. */
interface Page<Row> {
  readonly rows: readonly Row[];
  readonly refusal: Refusal | null;
  readonly isStale: boolean;
}

/** Reads all pages of a list, one after another, until one is refused. Most lists have one page.
 *  @param query has one field, the list, and takes `page` and `perPage` */
export function useAllPages<Row, Variables extends PageVariables>(
  query: TypedDocumentNode<Lists<Row>, Variables>,
  variables: Omit<NoInfer<Variables>, keyof PageVariables>,
  { pause = false, isLasting = false }: Options = {},
): Records<Row> {
  const client = useClient();
  const key = stringifyVariables({ ...variables, perPage });
  const asked = useMemo((): Variables => JSON.parse(key), [key]);
  const first = useAnswer(query, asked, { pause, isLasting });
  const list = Object.values(first.data ?? {})[0] ?? null;
  // An empty list has no page.
  const totalPages = list?.pagination.totalPages || 1;
  const [others, setOthers] = useState<readonly Page<Row>[]>([]);
  useEffect(() => {
    // The previous pages stay visible, as stale, until they are read again.
    setOthers((known) =>
      known.length === 0 ? known : known.slice(0, totalPages - 1).map((one) => ({ ...one, isStale: true })),
    );
    if (pause) return undefined;
    const reading: { unsubscribe(): void }[] = [];
    const read = (page: number) => {
      if (page > totalPages) return;
      let isFollowed = false;
      const result = client.query<Lists<Row>, AnyVariables>(query, { ...asked, page }, isLasting ? lasting : {});
      const shown = result.subscribe(({ data, error, stale }) => {
        const refusal = error ? refusalOf(error) : null;
        const rows = (!refusal && Object.values(data ?? {})[0]?.data) || [];
        setOthers((known) => known.toSpliced(page - 2, 1, { rows, refusal, isStale: stale }));
        if (refusal || stale || isFollowed) return;
        isFollowed = true;
        read(page + 1);
      });
      reading.push(shown);
    };
    read(2);
    return () => reading.forEach((one) => one.unsubscribe());
  }, [client, query, asked, totalPages, pause, isLasting]);
  return useMemo(() => {
    const rows = list && [...list.data, ...others.flatMap((one) => one.rows)];
    const refusal = first.refusal ?? others.find((one) => one.refusal)?.refusal ?? null;
    const isCurrent = !first.isStale && others.every(({ isStale }) => !isStale);
    return { rows, refusal, isWhole: list !== null && !refusal && isCurrent && others.length === totalPages - 1 };
  }, [list, others, first.refusal, first.isStale, totalPages]);
}
