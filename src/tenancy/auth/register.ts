import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors.ts';
import { writeAudit } from '../audit/store.ts';
import { parseEmail, parseName } from './input.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import { answerLogin, openSession, type Login, type Origin } from './session.ts';
import { insertTenant, lockAndCountUsers } from './store.ts';

/** What a new user says about themselves. */
export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly organizationName: string;
}

/** Makes a user and an organization of their own, in which they are the Super Admin, and logs them in.
 *  @throws {AppError} VALIDATION_ERROR naming the field; FORBIDDEN when the operator closed registration (`REGISTRATION`);
 *  CONFLICT when the address is taken */
export async function register(
  deps: Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>,
  origin: Origin,
  input: Registration,
): Promise<Login> {
  const email = parseEmail(input.email);
  const name = parseName(input.name, 'name');
  const organizationName = parseName(input.organizationName, 'organization_name');
  checkNewPassword(input.password, email);
  if (deps.config.registration === 'invite') throw closed('This server takes new users by invitation only');
  const passwordHash = await hashPassword(input.password);
  const createdAt = deps.clock.now();
  const session = await deps.db.$transaction(async (db) => {
    if (deps.config.registration === 'first') await refuseSecondUser(db);
    const tenant = await insertTenant(db, { email, name, passwordHash, organizationName, createdAt });
    const actor = { ...tenant, email, ...origin };
    const details = { name, organization_name: organizationName };
    await writeAudit(db, actor, {
      action: 'user_registered',
      resourceType: 'user',
      resourceId: tenant.userId,
      details,
    });
    return openSession(db, deps, actor, 'password');
  });
  return answerLogin(deps, session);
}

async function refuseSecondUser(db: Db): Promise<void> {
  if ((await lockAndCountUsers(db)) > 0)
    throw closed('The first user of this server has registered, and it takes no others');
}

function closed(reason: string): AppError {
  return new AppError('FORBIDDEN', `${reason}: ask an Admin for an invitation`);
}
