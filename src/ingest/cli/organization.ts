import { randomBytes } from 'node:crypto';
import type { Db } from '../../kit/db.ts';
import type { Deps } from '../../kit/deps.ts';
import { AppError, fix, invalid } from '../../kit/errors/errors.ts';
import { register } from '../../tenancy/login/register.ts';
import { orgScope, type Viewer } from '../../tenancy/auth/scope.ts';
import { isLogin } from '../../tenancy/sessions/open.ts';
import type { IngestOptions } from './options.ts';

/** Origin of the command line in the audit log. */
export const operator = { ipAddress: '127.0.0.1', userAgent: 'npm run ingest' } as const;

/** Organization to load into, and the new login if one was created. */
export interface Recipient {
  readonly viewer: Viewer;
  readonly organizationName: string;
  readonly made: { readonly email: string; readonly password: string } | null;
}

type RecipientDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Selects the organization by name or id, by a user, or as the only one. On an empty server, creates one with a Super Admin
 *  and a generated password: otherwise no user could see the data.
 *  @throws {AppError} VALIDATION_ERROR listing the choices when the selection is ambiguous */
export async function chooseRecipient(deps: RecipientDeps, options: IngestOptions): Promise<Recipient> {
  const all = await findOrganizations(deps.db, { organization: null, email: null });
  if (all.length === 0) return makeRecipient(deps, options);
  const found = await findOrganizations(deps.db, options);
  const [one] = found;
  if (!one || found.length > 1)
    throw new AppError('VALIDATION_ERROR', unclear(options, found.length > 1 ? found : all, one !== undefined));
  const viewer = await findOwner(deps.db, one.id);
  if (!viewer) throw invalid`Organization "${one.name}" has no Super Admin${fix}choose another one with --organization`;
  return { viewer, organizationName: one.name, made: null };
}

function unclear(
  options: IngestOptions,
  choices: readonly { id: string; name: string }[],
  isAmbiguous: boolean,
): string {
  const named = [
    ...(options.organization === null ? [] : [`--organization "${options.organization}"`]),
    ...(options.email === null ? [] : [`--email "${options.email}"`]),
  ].join(' and ');
  const subject = named === '' ? 'There are' : `${named} matches`;
  const problem = `${subject} ${isAmbiguous ? 'several organizations' : 'no organization'}`;
  const list = choices.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  return `${problem}. Choose one by its id:\n${list}`;
}

async function makeRecipient(deps: RecipientDeps, options: IngestOptions): Promise<Recipient> {
  const email = options.email ?? 'admin@costkeep.example';
  const password = randomBytes(15).toString('base64url');
  const organizationName = options.organization ?? 'Default';
  // The operator may always create the first user, whatever REGISTRATION allows.
  const opened = { ...deps, config: { ...deps.config, registration: 'open' as const } };
  const answer = await register(opened, operator, { email, password, name: 'Administrator', organizationName });
  // The user is new, so there is no second factor yet.
  if (!isLogin(answer)) throw new Error(`The new user "${email}" already has a second factor`);
  const { viewer } = answer;
  return { viewer, organizationName, made: { email: viewer.email, password } };
}

/** An organization in a command-line list. */
interface NamedOrganization {
  readonly id: string;
  readonly name: string;
}

/** Maximum number of organizations in a message. */
const listed = 20;

/** Finds organizations by id, name or email of a member, oldest first; without criteria, the oldest ones. Unscoped, because the
 *  caller is the server's operator. */
function findOrganizations(
  db: Db,
  by: { readonly organization: string | null; readonly email: string | null },
): Promise<NamedOrganization[]> {
  const { organization, email } = by;
  const isId = organization !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(organization);
  return db.organization.findMany({
    where: {
      ...(organization === null ? {} : isId ? { id: organization } : { name: organization }),
      ...(email === null ? {} : { memberships: { some: { user: { email: email.toLowerCase() } } } }),
    },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: listed,
  });
}

/** Returns the Super Admin of an organization, on whose behalf the operator acts; null if there is none. */
async function findOwner(db: Db, organizationId: string): Promise<Viewer | null> {
  const owner = await db.membership.findFirst({
    where: { organizationId, role: 'super_admin' },
    select: { role: true, user: { select: { id: true, email: true, name: true } } },
    orderBy: { id: 'asc' },
  });
  if (!owner) return null;
  const { id, email, name } = owner.user;
  const scope = orgScope(organizationId, null);
  return {
    userId: id,
    email,
    name,
    role: owner.role,
    sessionId: null,
    token: null,
    twoFactorSetupRequired: false,
    scope,
  };
}
