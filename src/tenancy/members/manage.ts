import type { Db } from '../../kit/db.ts';
import { arg, choice, conflict, fix, forbidden, invalid, operation, unauthorized } from '../../kit/errors/errors.ts';
import { isUuid, requireById } from '../../kit/ids.ts';
import { type OrgScope, orgScope, roleForbids, unknownAccount, type Viewer } from '../auth/scope.ts';
import {
  type AccountAccess,
  deleteMembership,
  findMembership,
  knownAccounts,
  lockMembers,
  lockMembership,
  type Membership,
  updateMembership,
} from './store.ts';
import { can, type Permission } from '../auth/permissions.ts';
import { Role } from '../../../prisma/generated/client/enums.ts';
import type { Deps } from '../../kit/deps.ts';
import { notNull, unchanged } from '../../kit/errors/refusals.ts';
import { type Actor, writeAudit } from '../audit/store.ts';
import { unlockLogin } from '../login/lockout.ts';
import { passOn, revokeInvites, strikeAddress, unassign } from './inherit-store.ts';
import { confirmPassword } from '../login/account.ts';

/** Validates the accounts that the caller grants to a member: restricted callers can grant only their own accounts,
 *  and others count as unknown.
 *  @param wanted null for all accounts
 *  @throws {AppError} VALIDATION_ERROR naming the id; FORBIDDEN for all accounts if the caller is restricted */
export async function parseAccess(db: Db, scope: OrgScope, wanted: AccountAccess): Promise<AccountAccess> {
  if (wanted === null) {
    if (scope.accountIds === null) return null;
    throw forbidden`${arg('account_access')} cannot grant access to all accounts because you have access to some only${fix}list some of your accounts`;
  }
  const known = await knownAccounts(db, scope, wanted.filter(isUuid));
  wanted.forEach((id, index) => {
    if (!known.has(id)) throw unknownAccount(arg(`account_access[${index}]`, id));
  });
  return [...new Set(wanted)].sort();
}

/** Rejects a change of a member or an invitation with more access than the caller has.
 *  @throws {AppError} FORBIDDEN */
export function refuseBeyond({ accountIds }: OrgScope, access: AccountAccess, kind: 'member' | 'invitation'): void {
  if (includes(accountIds, access)) return;
  throw forbidden`The ${kind} has access to more accounts than you${fix}ask an Admin with access to all accounts`;
}

function includes(all: readonly string[] | null, access: AccountAccess): boolean {
  return all === null || (access?.every((id) => all.includes(id)) ?? false);
}

/** The caller's membership, read under the lock on members. */
interface Acting extends Membership {
  readonly scope: OrgScope;
}

/** Locks the organization's members for a change and reads the caller again: they may have been removed or lost
 *  their role since the request started.
 *  @throws {AppError} UNAUTHORIZED if they are no longer a member; FORBIDDEN if they no longer have the permission */
export async function lockForChange(db: Db, viewer: Viewer, permission: Permission): Promise<Acting> {
  const { organizationId } = viewer.scope;
  await lockMembers(db, organizationId);
  const own = await findMembership(db, organizationId, { userId: viewer.userId });
  if (!own) throw unauthorized`You are no longer a member of this organization`;
  if (!can(own.role, permission)) throw roleForbids(own.role);
  return { ...own, scope: orgScope(organizationId, own.access) };
}

/** A change of a member; absent fields stay the same. */
interface MemberChange {
  readonly id: string;
  readonly role?: Role | null;
  /** The role that the client has read. Absent: the change is unconditional. */
  readonly ifRole?: Role | null;
  /** Null: all accounts. */
  readonly accountAccess?: AccountAccess;
  /** The access that the client has read, in the caller's scope. Absent: the change is unconditional. */
  readonly ifAccountAccess?: AccountAccess;
}

/** Changes a member's role, accessible accounts, or both, effective with their next request. Admins may demote
 *  themselves. Pending invitations that the member could no longer send are revoked.
 *  @throws {AppError} VALIDATION_ERROR if nothing changes, or an account is unknown; NOT_FOUND; FORBIDDEN for
 *  changing the Super Admin, for assigning that role, for granting more access than the caller has, and for changing
 *  a member with access to all accounts, or the role of one with more accounts, without having that access; CONFLICT if
 *  the role or the access has changed since the client read it */
export async function updateMember(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  change: MemberChange,
): Promise<void> {
  if (change.role === undefined && change.accountAccess === undefined) throw unchanged('role', 'account_access');
  if (change.role === null) throw notNull('role');
  if (change.ifRole === null) throw notNull('if_role');
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const before = await findMember(db, acting, change.id);
    refuseOwner(before, change.role);
    // In a list of accounts, a restricted caller changes only their own ones.
    if (before.access === null || change.role !== undefined) refuseBeyond(acting.scope, before.access, 'member');
    requireRole(before, change);
    await requireAccess(db, acting.scope, before, change);
    const after = await changed(db, acting, before, change);
    await updateMembership(db, acting.scope.organizationId, before.id, after);
    const mayStillSend = (access: AccountAccess) => can(after.role, 'members.write') && includes(after.access, access);
    const { userId } = before;
    const { organizationId } = acting.scope;
    await withdraw({ deps, db, actor }, { organizationId, userId }, (access) => !mayStillSend(access));
    await recordRole(db, actor, before, after.role);
    await recordAccess(db, actor, before, after.access);
  });
}

/** Finds a member by id.
 *  @throws {AppError} NOT_FOUND for an id that is unknown or of another organization */
function findMember(db: Db, acting: Acting, id: string): Promise<Membership> {
  return requireById('Member', id, () => findMembership(db, acting.scope.organizationId, { id }));
}

/** @throws {AppError} CONFLICT if others have changed the role since the client read it */
function requireRole({ role }: Membership, { ifRole: read }: MemberChange): void {
  if (read === undefined || read === role) return;
  throw conflict`${arg('if_role')} is not the current role of the member${fix}reload it, then apply your change again`;
}

/** @throws {AppError} CONFLICT if others have changed the access, as far as the caller sees it, since the client read it */
async function requireAccess(
  db: Db,
  scope: OrgScope,
  { access }: Membership,
  { ifAccountAccess: read }: MemberChange,
): Promise<void> {
  if (read === undefined) return;
  const visible = access && (await knownAccounts(db, scope, access));
  const isSame = visible && read ? visible.symmetricDifference(new Set(read)).size === 0 : visible === read;
  if (!isSame)
    throw conflict`${arg('if_account_access')} is not the current access of the member${fix}reload it, then apply your change again`;
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
  if (change.accountAccess === undefined) return { role, access: before.access };
  return { role, access: besideOthers(acting, before, await parseAccess(db, acting.scope, change.accountAccess)) };
}

/** Keeps the member's accounts that a restricted caller cannot see. */
function besideOthers(acting: Acting, before: Membership, access: AccountAccess): AccountAccess {
  const { accountIds } = acting.scope;
  if (accountIds === null || access === null || before.access === null) return access;
  return [...access, ...before.access.filter((id) => !accountIds.includes(id))];
}

async function recordRole(db: Db, actor: Actor, before: Membership, role: Role): Promise<void> {
  if (role === before.role) return;
  const details = { email: before.email, role: { from: before.role, to: role } };
  await writeAudit(db, actor, { action: 'role_changed', resourceType: 'member', resourceId: before.id, details });
}

/** Writes one audit entry per account, so that members restricted to an account see only its entry, and all members
 *  affected by it can be found. Adds one entry if the member had or gets access to all accounts. */
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

/** Revokes pending invitations of a member, and audits it. */
async function withdraw(
  { deps, db, actor }: { deps: Pick<Deps, 'clock'>; db: Db; actor: Actor },
  { organizationId, userId }: { organizationId: string; userId: string },
  isRevoked: (access: AccountAccess) => boolean = () => true,
): Promise<void> {
  const revoked = await revokeInvites(db, { organizationId, userId, now: deps.clock.now() }, isRevoked);
  for (const { id, email } of revoked)
    await writeAudit(db, actor, {
      action: 'invite_revoked',
      resourceType: 'invite',
      resourceId: id,
      details: { email },
    });
}

/** Removes a member: their sessions and API tokens end with the next request, their private views and dashboards are
 *  deleted, their pending invitations are revoked, their other records pass to the Super Admin, and their assignments
 *  end. Their address receives no more notifications of the organization. The user keeps their other organizations. Admins
 *  may remove themselves.
 *  @throws {AppError} NOT_FOUND; FORBIDDEN for the Super Admin and for a member with more access than the caller */
export async function removeMember(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const { organizationId } = acting.scope;
    const member = await findMember(db, acting, id);
    const owner = await findMembership(db, organizationId, { role: Role.super_admin });
    if (!owner || owner.id === member.id)
      throw forbidden`The Super Admin cannot be removed${fix}they must transfer ownership first`;
    refuseBeyond(acting.scope, member.access, 'member');
    await lockMembership(db, organizationId, member.id);
    await withdraw({ deps, db, actor }, { organizationId, userId: member.userId });
    await passOn(db, organizationId, { from: member.userId, to: owner.userId });
    await strikeAddress(db, organizationId, member.email);
    await deleteMembership(db, organizationId, member.id);
    await unassign(db, organizationId, member.userId);
    // Omits the number of transferred records, which would reveal accounts that readers of the log may not see.
    const details = { email: member.email, role: member.role, passed_to: owner.email };
    await writeAudit(db, actor, { action: 'user_removed', resourceType: 'member', resourceId: member.id, details });
  });
}

/** Unlocks a member's login after failed attempts and resets their count.
 *  @throws {AppError} NOT_FOUND */
export async function unlockMember(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  viewer: Viewer,
  actor: Actor,
  id: string,
): Promise<void> {
  await deps.db.$transaction(async (db) => {
    const acting = await lockForChange(db, viewer, 'members.write');
    const { email } = await findMember(db, acting, id);
    await unlockLogin(db, deps, email);
    const details = { email };
    await writeAudit(db, actor, { action: 'user_unlocked', resourceType: 'member', resourceId: id, details });
  });
}

/** Makes another member the Super Admin, with access to all accounts; the former one becomes an Admin. Of two
 *  concurrent transfers only one succeeds, because the caller is then no longer the Super Admin.
 *  @throws {AppError} VALIDATION_ERROR for an unknown member; FORBIDDEN if the caller is not the Super Admin, or the
 *  password is wrong; ACCOUNT_LOCKED; CONFLICT if the member is already the Super Admin */
export async function transferOwnership(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  input: { memberId: string; password: string },
): Promise<void> {
  const { scope } = viewer;
  await findHeir(deps.db, scope, input.memberId);
  await confirmPassword(deps, viewer, actor, input.password);
  await deps.db.$transaction(async (db) => {
    const own = await lockForChange(db, viewer, 'organization.transfer');
    const heir = await findHeir(db, scope, input.memberId);
    if (heir.id === own.id) throw conflict`${arg('member_id', heir.id)} is already the Super Admin`;
    // In this order, because the database never allows two Super Admins.
    await updateMembership(db, scope.organizationId, own.id, { role: Role.admin, access: null });
    await updateMembership(db, scope.organizationId, heir.id, { role: Role.super_admin, access: null });
    const details = { from: own.email, to: heir.email };
    const entry = { action: 'ownership_transferred', resourceType: 'organization', details } as const;
    await writeAudit(db, actor, { ...entry, resourceId: scope.organizationId });
  });
}

async function findHeir(db: Db, scope: OrgScope, id: string): Promise<Membership> {
  const heir = isUuid(id) ? await findMembership(db, scope.organizationId, { id }) : null;
  if (!heir)
    throw invalid`${arg('member_id', id)} is not a member of the organization${fix}use an id from ${operation('GET /org/members')}`;
  return heir;
}
