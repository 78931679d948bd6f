import type { Pool } from 'pg';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
import { detectors } from './detectors/all.ts';

const types = detectors.filter(({ endsUsage }) => endsUsage).map(({ type }) => type);

/** The resources of an account whose usage ends with a recommendation that somebody may still apply.
 *  @returns their ids (`idOf`), as decimal text */
export async function listEndingResources(
  { pool }: { readonly pool: Pool },
  scope: OrgScope,
  accountId: string,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `/* listEndingResources */ SELECT DISTINCT resource_id::text AS id FROM recommendations
     WHERE organization_id = $1 AND account_id = $2 AND status IN ('open', 'in_progress') AND type = ANY($3)
     AND resource_id IS NOT NULL ORDER BY 1`,
    [scope.organizationId, accountId, types],
  );
  return rows.map(({ id }) => id);
}
