import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors.ts';
import { writeAudit } from '../audit/store.ts';
import { boundPassword, parseEmail } from './input.ts';
import { verifyPassword } from './password.ts';
import { answerLogin, openSession, type Login, type Origin } from './session.ts';
import { findCredentials, listOrganizationIds, type Credentials } from './store.ts';

/** A refusal takes this long, whatever it had to write: writing costs a few milliseconds, and only a known address has
 *  somewhere to write to. Far above what a refusal needs on a machine that is not overloaded. */
const refusalMs = 200;

/** Logs in with email and password, into the organization used last, else the one joined first.
 *  @throws {AppError} VALIDATION_ERROR naming the field; UNAUTHORIZED for a wrong password and an unknown address alike;
 *  FORBIDDEN when the user belongs to no organization any more */
export async function login(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>,
  origin: Origin,
  input: { email: string; password: string },
): Promise<Login> {
  const email = parseEmail(input.email);
  const password = boundPassword(input.password);
  const startedMs = performance.now();
  const user = await findCredentials(deps.db, email);
  const isCorrect = await verifyPassword(password, user?.passwordHash ?? null);
  if (!user || !isCorrect) {
    if (user) await recordFailure(deps, origin, user);
    await delay(Math.max(0, startedMs + refusalMs - performance.now()));
    throw new AppError('UNAUTHORIZED', 'The email or the password is wrong');
  }
  return answerLogin(deps, await openFor(deps, origin, user));
}

async function openFor(deps: Pick<Deps, 'db' | 'clock' | 'secrets'>, origin: Origin, user: Credentials) {
  return deps.db.$transaction(async (db) => {
    const [organizationId] = await listOrganizationIds(db, user.userId);
    if (!organizationId) {
      throw new AppError('FORBIDDEN', `"${user.email}" belongs to no organization any more: ask for an invitation`);
    }
    const actor = { organizationId, userId: user.userId, email: user.email, ...origin };
    const session = await openSession(db, deps, actor);
    await writeAudit(db, actor, { action: 'login', resourceType: 'session', resourceId: session.sessionId });
    return session;
  });
}

/** Nobody is signed in, so the entry names the address that was tried, in every organization that it could have opened. */
async function recordFailure(deps: Pick<Deps, 'db'>, origin: Origin, user: Credentials): Promise<void> {
  await deps.db.$transaction(async (db) => {
    for (const organizationId of await listOrganizationIds(db, user.userId)) {
      const actor = { organizationId, userId: null, email: user.email, ...origin };
      await writeAudit(db, actor, { action: 'failed_login', resourceType: 'user', resourceId: user.userId });
    }
  });
}
