import type { Pool } from 'pg';
import { Prisma } from '../../../../prisma/generated/client/client.ts';
import type { CostQuery } from '../query.ts';
import type { RankedRow } from './ranking.ts';
import { ownership, run, type LedgerSlice, type Sql } from './sql.ts';
import type { Ledger } from '../ledger.ts';

/** Display names of row values. */
export interface Labels {
  /** Returns the display name of a value; null if unknown.
   *  @param at index of the value in the keys */
  labelOf(keys: RankedRow['keys'], at: number): string | null;
  /** Inventory id of the resource that the row is grouped by; null: none. */
  resourceIdOf(keys: RankedRow['keys']): string | null;
}

interface LabelRow {
  readonly dimension: string;
  readonly value: string;
  readonly label: string | null;
  /** Inventory id. */
  readonly id: string | null;
}

/** Labels for an answer without rows. */
export const noLabels: Labels = { labelOf: () => null, resourceIdOf: () => null };

/** Reads the display names of row values, from accounts in both scope and question. If a value has several names, the first
 *  in alphabetical order wins. */
export async function readLabels(
  pool: Pool,
  slice: Ledger & LedgerSlice,
  { dimensions }: Pick<CostQuery, 'dimensions'>,
  rows: readonly RankedRow[],
): Promise<Labels> {
  const parts = dimensions.flatMap((dimension, at): Sql[] => {
    const values = [...new Set(rows.flatMap(({ keys }) => keys[at] ?? []))];
    const select = selects[dimension as keyof typeof selects] as
      ((slice: LedgerSlice, values: string[]) => Sql) | undefined;
    return select === undefined ? [] : [select(slice, values)];
  });
  const accounts = new Map(slice.accounts.map(({ id, name }) => [id, name]));
  const found = new Map<string, LabelRow>();
  if (parts.length > 0) {
    const sql = Prisma.sql`/* costs: labels */ ${Prisma.join(parts, ' UNION ALL ')} ORDER BY 1, 2, 3, 4`;
    for (const row of await run<LabelRow>(pool, sql)) {
      const key = `${row.dimension} ${row.value}`;
      if (!found.has(key)) found.set(key, row);
    }
  }
  const rowOf = (keys: RankedRow['keys'], at: number) => found.get(`${dimensions[at]} ${keys[at]}`);
  const resource = dimensions.indexOf('resource');
  return {
    labelOf: (keys, at) =>
      (dimensions[at] === 'account' ? accounts.get(keys[at] ?? '') : rowOf(keys, at)?.label) || null,
    resourceIdOf: (keys) => rowOf(keys, resource)?.id ?? null,
  };
}

const selects = {
  sub_account: (slice: LedgerSlice, values: string[]) => Prisma.sql`SELECT 'sub_account' AS dimension, code AS value,
  name AS label, NULL AS id FROM sub_accounts WHERE ${ownership(slice)} AND code = ANY(${values}) AND name <> ''`,
  region: (slice: LedgerSlice, values: string[]) => Prisma.sql`SELECT 'region' AS dimension, code AS value,
  name AS label, NULL AS id FROM regions WHERE ${ownership(slice)} AND code = ANY(${values}) AND name <> ''`,
  // Found by primary key: the id is derived from provider and native id, as the codebook's `idOf` does.
  resource: (slice: LedgerSlice, values: string[]) => Prisma.sql`SELECT 'resource' AS dimension, native_id AS value,
  name AS label, id::text AS id FROM inventory_resources WHERE ${ownership(slice)} AND native_id = ANY(${values})
  AND resource_id = ANY(ARRAY(
    SELECT (('x' || left(md5(known.provider || chr(31) || native.id), 16))::bit(64) >> 1)::bigint
    FROM (SELECT DISTINCT provider FROM services WHERE ${ownership(slice)}) AS known, unnest(${values}::text[]) AS native(id)))`,
};

/** Reads the names of sub-accounts, by account, provider and code.
 *  @returns pairs of a key made by `keyOf` and the name */
export async function readSubAccountNames(
  pool: Pool,
  slice: LedgerSlice,
  keyOf: (accountId: string, provider: string, code: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await run<{ account_id: string; provider: string; code: string; name: string }>(
    pool,
    Prisma.sql`/* costs: sub-accounts */ SELECT account_id, provider, code, name FROM sub_accounts WHERE ${ownership(slice)}`,
  );
  return new Map(
    rows.map(({ account_id: accountId, provider, code, name }) => [keyOf(accountId, provider, code), name]),
  );
}
