import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** The resources of the inventory with these ids that the caller may see, gone or not, for queries that join them. Found
 *  account by account, as their index is. */
export function resourcesById({ organizationId, accountIds }: OrgScope, ids: readonly string[]): Prisma.Sql {
  const seen = accountIds ? Prisma.sql`AND a.id = ANY(${[...accountIds]}::uuid[])` : Prisma.empty;
  return Prisma.sql`SELECT i.account_id, i.resource_id, i.provider, i.native_id
    FROM accounts a JOIN inventory_resources i ON i.account_id = a.id AND i.organization_id = a.organization_id
    WHERE a.organization_id = ${organizationId}::uuid AND i.id = ANY(${[...ids]}::uuid[]) ${seen}`;
}
