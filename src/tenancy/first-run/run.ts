import { ConfigError } from '../../kit/config/config.ts';
import type { InitSettings } from '../../kit/config/init.ts';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError } from '../../kit/errors/errors.ts';
import { writeAudit } from '../audit/store.ts';
import { orgScope } from '../auth/scope.ts';
import { parseEmail, parseName } from '../login/input.ts';
import { checkNewPassword, hashPassword } from '../login/password.ts';
import {
  insertOrganization,
  insertUser,
  isWithoutOrganizations,
  lockAndCountOrganizations,
  type NewUser,
  renewLeftUser,
} from '../login/store.ts';
import { isToken, keepToken } from '../tokens/run.ts';

/** Origin of the first start in the audit log. */
const origin = { ipAddress: '127.0.0.1', userAgent: 'COSTKEEP_INIT' } as const;

/** Creates the organization of `COSTKEEP_INIT_*` with its Super Admin and API token, unless the database has an organization.
 *  Of several servers that start at once, one creates it.
 *  @throws {ConfigError} with one line per invalid variable */
export async function createFirstOrganization(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'log'>): Promise<void> {
  const { init } = deps.config;
  if (init === null) return;
  const isCreated = (await isWithoutOrganizations(deps.db)) && (await create(deps, parse(deps.config, init)));
  if (isCreated) deps.log.info('The organization of COSTKEEP_INIT_ORGANIZATION was created');
  else deps.log.info('COSTKEEP_INIT_ variables are ignored: the database has an organization');
}

function parse(config: Deps['config'], init: InitSettings): InitSettings {
  const problems: string[] = [];
  const check = (value: string, parseValue: () => string): string => {
    try {
      return parseValue();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(error.message);
      return value;
    }
  };
  const email = check(init.email, () => parseEmail(init.email, 'COSTKEEP_INIT_EMAIL'));
  const parsed = {
    organization: check(init.organization, () => parseName(init.organization, 'COSTKEEP_INIT_ORGANIZATION')),
    email,
    name: check(init.name, () => parseName(init.name, 'COSTKEEP_INIT_NAME')),
    password: check(init.password, () => {
      const owner = { email, names: [init.name, init.organization] };
      checkNewPassword(config, init.password, owner, 'COSTKEEP_INIT_PASSWORD');
      return init.password;
    }),
    token: init.token?.trim() ?? null,
  };
  // Every request with a token without the checksum would be rejected.
  if (parsed.token !== null && !isToken(parsed.token))
    problems.push('COSTKEEP_INIT_TOKEN is not an API token; set it to the output of: npm run --silent token:new');
  if (problems.length > 0) throw new ConfigError(problems);
  return parsed;
}

/** @returns false if another server was first */
async function create(deps: Pick<Deps, 'db' | 'clock' | 'config'>, init: InitSettings): Promise<boolean> {
  const passwordHash = await hashPassword(init.password, deps.config.passwordCost);
  const user = { email: init.email, name: init.name, passwordHash, createdAt: deps.clock.now() };
  return deps.db.$transaction(async (db) => {
    if ((await lockAndCountOrganizations(db)) > 0) return false;
    await insert(db, user, init);
    return true;
  });
}

async function insert(db: Db, user: NewUser, { organization, token }: InitSettings): Promise<void> {
  const { email, name, createdAt } = user;
  // A user of a deleted organization gets the new password: the operator needs no proof of the address.
  const userId = (await renewLeftUser(db, user)) ?? (await insertUser(db, user));
  const organizationId = await insertOrganization(db, { name: organization, ownerId: userId, createdAt });
  const actor = { organizationId, userId, email, ...origin };
  const details = { name, organization_name: organization };
  await writeAudit(db, actor, { action: 'user_registered', resourceType: 'user', resourceId: userId, details });
  if (token === null) return;
  const owner = { userId, scope: orgScope(organizationId, null) };
  const named = { token, name: 'COSTKEEP_INIT_TOKEN', readOnly: false, createdAt, expiresAt: null };
  await keepToken(db, owner, actor, named);
}
