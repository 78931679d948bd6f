import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { writeAudit } from '../audit/store.ts';
import type { Origin } from '../auth/session.ts';
import { listOrganizationIds } from '../auth/store.ts';
import { passwordChangedLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { replacePassword, type Owner } from './store.ts';

/** How a password came to be another one. */
export interface Replacement {
  readonly owner: Owner;
  readonly passwordHash: string;
  readonly by: 'change' | 'reset';
  /** The session that goes on; null: every one ends. */
  readonly keptSessionId: string | null;
}

/** Puts a new password in the place of the old one, ends what the old one led to, records it wherever the user is a member,
 *  and tells them by mail. Call it inside a transaction that has locked the owner. */
export async function replace(
  db: Db,
  deps: Pick<Deps, 'queue' | 'secrets' | 'clock' | 'config'>,
  origin: Origin,
  { owner, passwordHash, by, keptSessionId }: Replacement,
): Promise<void> {
  const { userId, email, name } = owner;
  const at = deps.clock.now();
  await replacePassword(db, userId, passwordHash, at);
  const ended = await revokeSessionsOf(db, userId, keptSessionId, at);
  for (const organizationId of await listOrganizationIds(db, userId)) {
    const actor = { ...origin, organizationId, userId, email };
    const details = { by, sessions_ended: ended };
    await writeAudit(db, actor, { action: 'password_changed', resourceType: 'user', resourceId: userId, details });
  }
  const change = { to: email, name, at, ipAddress: origin.ipAddress, isReset: by === 'reset' };
  await queueMail(db, deps, passwordChangedLetter(deps.config, change), `password changed ${userId} ${at.getTime()}`);
}
