import type { Db } from '../../kit/db.ts';
import { arg, fix, invalid, operation } from '../../kit/errors/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { OrgScope } from '../auth/scope.ts';
import { holdMember } from './store.ts';

/** The member to assign. */
export interface Assignee {
  readonly email: string;
  /** Fails for an account that the member cannot see. */
  readonly check: (accountIds: readonly string[]) => void;
}

/** Reads the member to assign, and keeps them from being removed until the transaction ends. Call it before the records are
 *  locked: a removal locks the member first, too.
 *  @param db an open transaction
 *  @throws {AppError} VALIDATION_ERROR for a user who is not a member */
export async function holdAssignee(
  db: Db,
  scope: OrgScope,
  { assigneeId }: { assigneeId?: string | null },
): Promise<Assignee | null> {
  if (assigneeId === undefined || assigneeId === null) return null;
  const member = isUuid(assigneeId) ? await holdMember(db, scope, assigneeId) : null;
  const unable = invalid`${arg('assignee_id', assigneeId)} is not a member of the organization with access to the account${fix}use a user id of ${operation('GET /org/members')}`;
  if (member === null) throw unable;
  const check = (accountIds: readonly string[]) => {
    const { access } = member;
    if (access !== null && accountIds.some((id) => !access.includes(id))) throw unable;
  };
  return { email: member.email, check };
}
