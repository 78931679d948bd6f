import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** The name of a connected account; null when it is gone. */
export async function readAccountName(db: Db, scope: OrgScope, id: string): Promise<string | null> {
  const where = { id, organizationId: scope.organizationId };
  return (await db.account.findFirst({ where, select: { name: true } }))?.name ?? null;
}
