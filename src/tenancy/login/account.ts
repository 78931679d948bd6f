import type { Db } from '../../kit/db.ts';
import { type Actor, type AuditRecord, writeAudit } from '../audit/store.ts';
import { findCredentials, listOrganizationIds, renameUser } from './store.ts';
import type { Deps } from '../../kit/deps.ts';
import { boundPassword, parseName } from './input.ts';
import type { Viewer } from '../auth/scope.ts';
import { arg, forbidden } from '../../kit/errors/errors.ts';
import { factorChangedLetter, type FactorChange } from '../mail/letters.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { attemptLogin } from './lockout.ts';
import { verifyPassword } from './password.ts';

/** A user acting on their own login. */
export type UserActor = Actor & { readonly userId: string };

/** Audits a user's action on their own login in each of their organizations, since it concerns all of them. Call it
 *  inside the transaction of the action.
 *  @param actor the user; their current organization does not matter */
export async function auditEverywhere(
  db: Db,
  actor: Omit<UserActor, 'organizationId'>,
  entry: AuditRecord,
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, actor.userId)) {
    await writeAudit(db, { ...actor, organizationId }, entry);
  }
}

/** Audits a change of the caller's second factors, and notifies them by email. Call it inside the transaction of the
 *  change. */
export async function recordFactorChange(
  db: Db,
  deps: Pick<Deps, 'queue' | 'secrets' | 'config' | 'clock'>,
  { viewer, actor }: { readonly viewer: Viewer; readonly actor: UserActor },
  entry: AuditRecord & { readonly action: FactorChange },
): Promise<void> {
  await auditEverywhere(db, actor, entry);
  const at = deps.clock.now();
  const change = { to: viewer.email, name: viewer.name, at, ipAddress: actor.ipAddress, action: entry.action };
  const key = `factor changed ${entry.action} ${entry.resourceId} ${at.getTime()}`;
  await queueMail(db, deps, factorChangedLetter(deps.config, change), key);
}

/** The audit entry of a failed login.
 *  @param reason what was wrong, with the cause if informative */
export function failedLogin(
  userId: string,
  reason: { wrong: 'password' | 'code' | 'passkey'; why?: string },
): AuditRecord {
  return { action: 'failed_login', resourceType: 'user', resourceId: userId, details: { ...reason } };
}

/** Changes the caller's display name, which is shared by all of their organizations.
 *  @returns the updated caller
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
    const entry = { action: 'user_renamed', resourceType: 'user', resourceId: viewer.userId, details } as const;
    await auditEverywhere(db, actor, entry);
  });
  return { ...viewer, name };
}

/** Re-authenticates the caller by password before an irreversible action. A wrong password counts towards the
 *  lockout as at login; a correct one does not reset the count.
 *  @throws {AppError} VALIDATION_ERROR if it cannot be a password; FORBIDDEN if it is wrong; ACCOUNT_LOCKED */
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
  const reason = { wrong: 'password', why: 'the password was requested again' } as const;
  await writeAudit(deps.db, actor, failedLogin(viewer.userId, reason));
  throw forbidden`${arg('password')} is wrong; nothing was changed`;
}
