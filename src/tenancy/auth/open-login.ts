import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { fix, forbidden } from '../../kit/errors.ts';
import { writeAudit } from '../audit/store.ts';
import { openSession, type LoginMethod, type OpenSession, type Origin } from './session.ts';
import { listOrganizationIds } from './store.ts';

/** Whoever logs in. */
export interface Person {
  readonly userId: string;
  readonly email: string;
}

/** A refusal takes this long, whatever it had to write: writing costs a few milliseconds, and only a known address has
 *  somewhere to write to. Far above what a refusal needs on a machine that is not overloaded. */
const refusalMs = 200;

/** Opens a session for a user who has proven who they are, in the organization used last, else the one joined first. Call
 *  it inside the transaction that used up what they proved it with.
 *  @throws {AppError} FORBIDDEN when the user no longer belongs to an organization */
export async function openLogin(
  db: Db,
  deps: Pick<Deps, 'clock' | 'secrets'>,
  origin: Origin,
  proven: { user: Person; method: LoginMethod },
): Promise<OpenSession> {
  const { user, method } = proven;
  const [organizationId] = await listOrganizationIds(db, user.userId);
  if (!organizationId) {
    throw forbidden`"${user.email}" no longer belongs to an organization${fix}ask for an invitation`;
  }
  const actor = { organizationId, userId: user.userId, email: user.email, ...origin };
  const session = await openSession(db, deps, actor, method);
  await writeAudit(db, actor, {
    action: 'login',
    resourceType: 'session',
    resourceId: session.sessionId,
    details: { method },
  });
  return session;
}

/** Records a failed login. Nobody is signed in, so the entry names the address that was tried, in every organization that
 *  it could have opened.
 *  @param reason what was wrong: `password`, `code` or `passkey`, and why where it tells something */
export async function recordFailedLogin(
  db: Db,
  origin: Origin,
  user: Person,
  reason: { wrong: 'password' | 'code' | 'passkey'; why?: string },
): Promise<void> {
  for (const organizationId of await listOrganizationIds(db, user.userId)) {
    const actor = { organizationId, userId: null, email: user.email, ...origin };
    await writeAudit(db, actor, {
      action: 'failed_login',
      resourceType: 'user',
      resourceId: user.userId,
      details: { ...reason },
    });
  }
}

/** Waits until a refusal has taken as long as every refusal does.
 *  @param startedMs `performance.now()` when the work began that a known address makes longer */
export async function delayRefusal(startedMs: number): Promise<void> {
  await delay(Math.max(0, startedMs + refusalMs - performance.now()));
}
