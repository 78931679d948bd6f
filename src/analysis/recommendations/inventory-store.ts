import type { Pool } from 'pg';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** What the inventory holds of a resource. */
export interface InventoryState {
  readonly name: string;
  readonly type: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether the provider's last listing holds it. */
  readonly isListed: boolean;
  readonly isGone: boolean;
}

/** Reads what the inventory holds of some resources.
 *  @param by their ids (`idOf`), or their native ids: of these the oldest entry
 *  @returns by that id; without those that the inventory does not hold */
export async function readInventory(
  pool: Pool,
  scope: OrgScope,
  accountId: string,
  by: { readonly column: 'resource_id' | 'native_id'; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, InventoryState>> {
  const type = by.column === 'resource_id' ? 'bigint[]' : 'text[]';
  const { rows } = await pool.query<InventoryState & { key: string }>(
    `/* readInventory */ SELECT DISTINCT ON (i.${by.column}) i.${by.column}::text AS key, i.name, i.resource_type AS type, i.tags,
       i.metadata, l.resource_id IS NOT NULL AS "isListed", i.gone_at IS NOT NULL AS "isGone"
     FROM inventory_resources i LEFT JOIN inventory_listings l ON l.organization_id = i.organization_id
       AND l.account_id = i.account_id AND l.resource_id = i.resource_id
     WHERE i.organization_id = $1 AND i.account_id = $2 AND i.${by.column} = ANY($3::${type}) ORDER BY i.${by.column}, i.id`,
    [scope.organizationId, accountId, by.ids],
  );
  return new Map(rows.map(({ key, ...state }) => [key, state]));
}
