import type { Db } from '../../kit/db.ts';
import { type Actor, type AuditRecord, writeAudit } from '../audit/store.ts';
import { findCredentials, listOrganizationIds, renameUser } from './store.ts';
import type { Deps } from '../../kit/deps.ts';
import { boundPassword, parseName } from './input.ts';
import type { Viewer } from '../auth/scope.ts';
import { arg, forbidden } from '../../kit/errors/errors.ts';
import { attemptLogin } from './lockout.ts';
import { verifyPassword } from './password.ts';

/** A user who acts on their own login. */
export type UserActor = Actor & { readonly userId: string };

/** Records what a user did to their own login in every organization that it opens: it concerns each of them. Call it inside
 *  the transaction of the act.
 *  @param actor the user; in which organization they are now does not matter */
export async function auditEverywhere(
  db: Db,
  actor: Omit<UserActor, 'organizationId'>,
  entry: AuditRecord,
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, actor.userId)) {
    await writeAudit(db, { ...actor, organizationId }, entry);
  }
}

/** Changes the caller's own display name, which every organization of theirs shows.
 *  @returns the caller as they are now
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export async function renameMe(
  deps: Pick<Deps, 'db'>,
  viewer: Viewer,
  actor: UserActor,
  input: string,
): Promise<Viewer> {
  const name = parseName(input, 'name');
  await deps.db.$transaction(async (db) => {
    const before = await renameUser(db, viewer.userId, name);
    if (before === name) return;
    const details = { name: { from: before, to: name } };
    await auditEverywhere(db, actor, {
      action: 'user_renamed',
      resourceType: 'user',
      resourceId: viewer.userId,
      details,
    });
  });
  return { ...viewer, name };
}

/** Has the caller prove once more that it is them, before what cannot be undone. A wrong password counts towards the
 *  lockout as it does at login; a right one leaves the count as it is.
 *  @throws {AppError} VALIDATION_ERROR when it cannot be a password; FORBIDDEN when it is wrong; ACCOUNT_LOCKED */
export async function confirmPassword(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  password: string,
): Promise<void> {
  const given = boundPassword(password);
  const attempt = async () => {
    const user = await findCredentials(deps.db, viewer.email);
    return (await verifyPassword(given, user?.passwordHash ?? null, deps.config.passwordCost)) ? true : null;
  };
  if (await attemptLogin(deps, viewer.email, attempt, () => false)) return;
  const details = { wrong: 'password', why: 'the password was asked for again' };
  await writeAudit(deps.db, actor, {
    action: 'failed_login',
    resourceType: 'user',
    resourceId: viewer.userId,
    details,
  });
  throw forbidden`${arg('password')} is wrong; nothing was changed`;
}
