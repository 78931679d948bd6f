import type pg from 'pg';
import { storedSplits, type Split } from './splits.ts';

/** Reads the splits that answers use, of an enabled virtual tag. */
export async function readLiveSplits(
  pool: pg.Pool,
  { organizationId }: { readonly organizationId: string },
  key: string,
): Promise<Split[]> {
  const { rows } = await pool.query<{ splits: unknown }>(
    `/* readLiveSplits */ SELECT live->'splits' AS splits FROM virtual_tags WHERE organization_id = $1 AND key = $2 AND enabled`,
    [organizationId, key],
  );
  return rows[0] ? storedSplits(rows[0].splits) : [];
}
