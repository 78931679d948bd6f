import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { arg, fix, forbidden } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { writeAudit, type Actor, type AuditRecord } from '../audit/store.ts';
import { unknownAccount, type OrgScope } from '../auth/scope.ts';

// Shared by budgets, alert rules, tag policies and report schedules: each concerns one account, or all accounts
// (null).

/** Filter for every read: only records within the scope. Records about all accounts are hidden from restricted
 *  members. */
export function inside({ organizationId, accountIds }: OrgScope): {
  organizationId: string;
  accountId?: { in: string[] };
} {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

/** Checks that a record grants no more access than its creator has.
 *  @param kind in the plural, such as `budgets`
 *  @throws {AppError} VALIDATION_ERROR for an account that is unknown or outside the scope; FORBIDDEN for all
 *  accounts with a restricted scope */
export async function checkAccount(db: Db, scope: OrgScope, accountId: string | null, kind: string): Promise<void> {
  if (accountId === null && scope.accountIds !== null)
    throw forbidden`${arg('account_id')} is required for your ${kind} because you have access to some accounts only${fix}set it to one of them`;
  if (accountId !== null && !(isUuid(accountId) && (await isAccount(db, scope, accountId))))
    throw unknownAccount(arg('account_id', accountId));
}

/** Whether the account is in the scope, connected or not. */
async function isAccount(db: Db, { organizationId, accountIds }: OrgScope, id: string): Promise<boolean> {
  if (accountIds !== null && !accountIds.includes(id)) return false;
  return (await db.account.count({ where: { organizationId, id } })) > 0;
}

/** Runs a write of a record about an account, which may be deleted concurrently.
 *  @throws {AppError} VALIDATION_ERROR if the account is gone */
export async function writeAbout<T>(accountId: string | null, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
    throw isGone && accountId !== null ? unknownAccount(arg('account_id', accountId)) : error;
  }
}

/** Audits an action on a record about an account, with one entry for each account it was or is about: members
 *  restricted to one of them only see the entry of that one.
 *  @param act `states`: before and after; `changed`: fields in GraphQL spelling */
export async function auditAbout<Thing extends { readonly id: string; readonly accountId: string | null }>(
  db: Db,
  actor: Actor,
  act: Pick<AuditRecord, 'action' | 'resourceType'> & { states: readonly Thing[]; changed?: readonly string[] },
  detailsOf: (thing: Thing) => Prisma.InputJsonObject,
): Promise<void> {
  const { action, resourceType, states, changed } = act;
  for (const [accountId, thing] of new Map(states.map((state) => [state.accountId, state]))) {
    const details = { ...detailsOf(thing), ...(changed && { changed: changed.map(snakeOf) }) };
    await writeAudit(db, actor, { action, resourceType, resourceId: thing.id, accountId, details });
  }
}
