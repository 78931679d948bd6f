import { Prisma } from '../../../prisma/generated/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { arg, fix, forbidden } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { writeAudit, type Actor, type AuditRecord } from '../audit/store.ts';
import { unknownAccount, type OrgScope } from '../auth/scope.ts';

// What budgets, alert rules, tag policies and report schedules have in common: each is about one account, or about all (null).

/** Condition of every read: what lies wholly inside the scope. What is about all accounts is hidden from restricted members. */
export function inside({ organizationId, accountIds }: OrgScope): {
  organizationId: string;
  accountId?: { in: string[] };
} {
  return { organizationId, ...(accountIds && { accountId: { in: [...accountIds] } }) };
}

/** Checks that something grants no more than its creator may see.
 *  @param kind in the plural, such as `budgets`
 *  @throws {AppError} VALIDATION_ERROR for an unknown account, and one outside the scope alike; FORBIDDEN for all accounts
 *  with a restricted scope */
export async function checkAccount(db: Db, scope: OrgScope, accountId: string | null, kind: string): Promise<void> {
  if (accountId === null && scope.accountIds !== null)
    throw forbidden`${arg('account_id')} is required for your ${kind} because you have access to some accounts only${fix}set it to one of them`;
  if (accountId !== null && !(isUuid(accountId) && (await isAccount(db, scope, accountId))))
    throw unknownAccount(arg('account_id', accountId));
}

/** Whether it is an account of the scope, connected or not. */
async function isAccount(db: Db, { organizationId, accountIds }: OrgScope, id: string): Promise<boolean> {
  if (accountIds !== null && !accountIds.includes(id)) return false;
  return (await db.account.count({ where: { organizationId, id } })) > 0;
}

/** Runs a write of something about an account, which may be deleted at the same time.
 *  @throws {AppError} VALIDATION_ERROR when the account is gone */
export async function writeAbout<T>(accountId: string | null, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isGone = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2003';
    throw isGone && accountId !== null ? unknownAccount(arg('account_id', accountId)) : error;
  }
}

/** Audits an act on something about an account, once for each account that it was or is about: members who may see only one
 *  of the accounts read only of that one.
 *  @param act `states`: before and after; `changed`: fields, as GraphQL spells them */
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

function snakeOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
