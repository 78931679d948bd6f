import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { arg, choice, operation, fix, forbidden } from '../../kit/errors.ts';
import { requireById } from '../../kit/ids.ts';
import { unchanged, notNull } from '../../kit/refusals.ts';
import { writeAudit, type Actor } from '../audit/store.ts';
import type { Viewer } from '../auth/scope.ts';
import { parseAccess } from './access.ts';
import { lockForChange, type Acting } from './acting.ts';
import { findMembership, updateMembership, type AccountAccess, type Membership } from './store.ts';

/** What changes of a member; what is absent stays. */
export interface MemberChange {
  readonly id: string;
  readonly role?: Role | null;
  /** Null: all accounts. */
  readonly accountAccess?: AccountAccess;
}

/** From the least to the most that a role may do. */
const ranks = [Role.viewer, Role.member, Role.admin, Role.super_admin] as const;

/** Changes a member's role, the accounts they may see, or both, from their next request on. An Admin may lower themself.
 *  @throws {AppError} VALIDATION_ERROR when nothing is named, or an account is unknown; NOT_FOUND; FORBIDDEN for the Super
 *  Admin, for making one, and for granting more than the caller may see */
export async function updateMember(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: Actor,
  change: MemberChange,
): Promise<void> {
  if (change.role === undefined && change.accountAccess === undefined) throw unchanged('role', 'account_access');
  if (change.role === null) throw notNull('role');
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const before = await findMember(db, acting, change.id);
    refuseOwner(before, change.role);
    const after = await changed(db, acting, before, change);
    await updateMembership(db, acting.scope.organizationId, before.id, after);
    await recordRole(db, actor, before, after.role);
    await recordAccess(db, actor, before, after.access);
  });
}

/** The member of an id.
 *  @throws {AppError} NOT_FOUND for an unknown id and one of another organization alike */
export function findMember(db: Db, acting: Acting, id: string): Promise<Membership> {
  return requireById('Member', id, () => findMembership(db, acting.scope.organizationId, { id }));
}

function refuseOwner(before: Membership, role: Role | null | undefined): void {
  if (before.role === Role.super_admin)
    throw forbidden`The Super Admin cannot be changed${fix}they can transfer ownership with ${operation('POST /org/transfer-ownership')}`;
  if (role === Role.super_admin)
    throw forbidden`${arg('role')} cannot be ${choice('role', role)}${fix}the Super Admin can transfer ownership with ${operation('POST /org/transfer-ownership')}`;
}

async function changed(
  db: Db,
  acting: Acting,
  before: Membership,
  change: MemberChange,
): Promise<Pick<Membership, 'role' | 'access'>> {
  const role = change.role ?? before.role;
  const access =
    change.accountAccess === undefined
      ? before.access
      : besideOthers(acting, before, await parseAccess(db, acting.scope, change.accountAccess));
  const isRaised = ranks.indexOf(role) > ranks.indexOf(before.role);
  return { role, access: isRaised ? withinOwn(acting, access) : access };
}

/** Who sees some accounts only knows nothing of the others that a member may see: they stay as they are. */
function besideOthers(acting: Acting, before: Membership, access: AccountAccess): AccountAccess {
  const { accountIds } = acting.scope;
  if (accountIds === null || access === null || before.access === null) return access;
  return [...access, ...before.access.filter((id) => !accountIds.includes(id))];
}

/** A higher role is a grant on every account that the member sees, so from who sees some only it holds for those: the
 *  member keeps no other, or they would be granted more than the caller's own scope. That there are others is not told.
 *  @throws {AppError} FORBIDDEN when the member sees all accounts */
function withinOwn(acting: Acting, access: AccountAccess): AccountAccess {
  const { accountIds } = acting.scope;
  if (accountIds === null) return access;
  if (access !== null) return access.filter((id) => accountIds.includes(id));
  throw forbidden`${arg('account_access')} must be accounts of yours to give the member a higher role: you have access to some accounts only, and the member has access to all`;
}

async function recordRole(db: Db, actor: Actor, before: Membership, role: Role): Promise<void> {
  if (role === before.role) return;
  const details = { email: before.email, role: { from: before.role, to: role } };
  await writeAudit(db, actor, { action: 'role_changed', resourceType: 'member', resourceId: before.id, details });
}

/** One entry for each account: who may see that account only reads of that one alone, and whom the account concerns is
 *  found by it. One more where the member saw all, or is to. */
async function recordAccess(db: Db, actor: Actor, before: Membership, after: AccountAccess): Promise<void> {
  const entry = { action: 'account_access_changed', resourceType: 'member', resourceId: before.id } as const;
  const { email } = before;
  if ((before.access === null) !== (after === null)) {
    const [from, to] = [before.access, after].map((access) => (access === null ? 'all' : 'listed'));
    await writeAudit(db, actor, { ...entry, details: { email, sees: { from: from ?? '', to: to ?? '' } } });
  }
  const [old, now] = [new Set(before.access), new Set(after)];
  for (const id of now.difference(old))
    await writeAudit(db, actor, { ...entry, accountId: id, details: { email, account_id: id, granted: true } });
  for (const id of old.difference(now))
    await writeAudit(db, actor, { ...entry, accountId: id, details: { email, account_id: id, granted: false } });
}
