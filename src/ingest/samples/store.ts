import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** Lists the ids of the accounts with sample data, connected or not. */
export async function listSampleIds(db: Db, { organizationId }: OrgScope): Promise<string[]> {
  const rows = await db.account.findMany({
    where: { organizationId, sampleOf: { not: null } },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}
