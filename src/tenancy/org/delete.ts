import type { Deps } from '../../kit/deps.ts';
import { inTransaction } from '../../kit/database/transaction.ts';
import { forbidden } from '../../kit/errors.ts';
import type { Actor } from '../audit/store.ts';
import { confirmPassword } from '../auth/confirm-password.ts';
import type { Viewer } from '../auth/scope.ts';
import { eraseOrganization } from './delete-store.ts';

/** Deletes the caller's organization for good: members, tokens, settings, accounts with their credentials, every figure, the
 *  audit log, and what waits in the queue. Its users stay, with their other organizations. All of it or nothing; when it
 *  answers, it is gone. The audit log goes too, so the operator's log is what remembers.
 *  @throws {AppError} FORBIDDEN when the password is wrong, or the caller is not the Super Admin any more; ACCOUNT_LOCKED */
export async function deleteOrganization(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'secrets' | 'log' | 'config'>,
  viewer: Viewer,
  actor: Actor,
  password: string,
): Promise<void> {
  await confirmPassword(deps, viewer, actor, password);
  const { organizationId } = viewer.scope;
  const name = await inTransaction(deps.pool, (client) =>
    eraseOrganization(client, { organizationId, ownerId: viewer.userId, now: deps.clock.now() }),
  );
  if (name === null) throw forbidden`You are no longer the Super Admin of this organization`;
  const { userId, email, ipAddress } = actor;
  deps.log.warn({ organizationId, name, userId, email, ipAddress }, 'An organization was deleted by its Super Admin');
}
