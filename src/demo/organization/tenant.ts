import type { Deps } from '../../kit/deps.ts';
import { AppError, type ErrorCode } from '../../kit/errors/errors.ts';
import { keyFromFile } from '../../kit/secrets/keys.ts';
import { login } from '../../tenancy/login/login.ts';
import { hashPassword } from '../../tenancy/login/password.ts';
import { register } from '../../tenancy/login/register.ts';
import type { Actor } from '../../tenancy/audit/store.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { updateOrganization } from '../../tenancy/org/organization.ts';
import { isLogin, type LoginAnswer } from '../../tenancy/sessions/open.ts';
import { findUser, setPasswordHash } from './store.ts';

/** The sample organization. */
export const demoOrganization = {
  name: 'Brightwater Outfitters',
  user: 'Robin Demo',
  email: 'demo@costkeep.example',
} as const;

/** Origin of the demo's actions in the audit log. */
export const demoOrigin = { ipAddress: '127.0.0.1', userAgent: 'npm run demo' } as const;

/** The demo's user in the audit log. */
export function demoActor({ scope, userId, email }: Viewer): Actor {
  return { ...demoOrigin, organizationId: scope.organizationId, userId, email };
}

type TenantDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets' | 'queue'>;

/** Credentials of the sample user. */
export interface DemoTenant {
  readonly viewer: Viewer;
  readonly email: string;
  readonly password: string;
}

/** Opens the sample organization and its Super Admin, created on first start. The password is generated and stored
 *  in the data folder: a reachable server must not have a password known from the documentation. */
export async function openTenant(deps: TenantDeps): Promise<DemoTenant> {
  const { email } = demoOrganization;
  const password = Buffer.from(keyFromFile(deps.config.dataDir, 'demo.key')).toString('base64url').slice(0, 20);
  const viewer =
    (await unless('UNAUTHORIZED', signIn(deps, password))) ??
    (await unless('CONFLICT', registerDemo(deps, password))) ??
    (await resetPassword(deps, password));
  return { viewer, email, password };
}

/** Returns the signed-in viewer, or null for an error with this code. */
async function unless(code: ErrorCode, attempt: Promise<Viewer>): Promise<Viewer | null> {
  try {
    return await attempt;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return null;
    throw error;
  }
}

async function signIn(deps: TenantDeps, password: string): Promise<Viewer> {
  return viewerOf(deps, await login(deps, demoOrigin, { email: demoOrganization.email, password }));
}

/** A visitor of the demo may have set up a second factor; for the operator, the password is enough. */
async function viewerOf(deps: TenantDeps, answer: LoginAnswer): Promise<Viewer> {
  return isLogin(answer) ? answer.viewer : findUser(deps.db, demoOrganization.email);
}

async function registerDemo(deps: TenantDeps, password: string): Promise<Viewer> {
  const { name: organizationName, user: name, email } = demoOrganization;
  // The demo may create its user regardless of the REGISTRATION setting.
  const opened = { ...deps, config: { ...deps.config, registration: 'open' as const } };
  const viewer = await viewerOf(deps, await register(opened, demoOrigin, { email, password, name, organizationName }));
  // Not that of the bill that is loaded first: the demo's exchange rates are to dollars.
  await updateOrganization(deps, viewer, demoActor(viewer), { currency: 'USD' });
  return viewer;
}

/** The user exists but the data folder is new: an external database outlived it. */
async function resetPassword(deps: TenantDeps, password: string): Promise<Viewer> {
  const passwordHash = await hashPassword(password, deps.config.passwordCost);
  await setPasswordHash(deps.db, demoOrganization.email, passwordHash);
  return signIn(deps, password);
}
