import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';

/** In every read of what is about an account or about all: what lies wholly inside the caller's scope. What is about all
 *  accounts is nothing to who sees some. */
export function inside({ organizationId, accountIds }: OrgScope): {
  organizationId: string;
  accountId?: { in: string[] };
} {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

/** Whether it is an account of the scope, connected or not. */
export async function isAccount(db: Db, scope: OrgScope, id: string): Promise<boolean> {
  const { organizationId, accountIds } = scope;
  if (accountIds !== null && !accountIds.includes(id)) return false;
  return (await db.account.count({ where: { organizationId, id } })) > 0;
}

/** Whether an error says that what a row refers to is gone. */
export function refersToNothing(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
}
