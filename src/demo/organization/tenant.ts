import type { Deps } from '../../kit/deps.ts';
import { AppError, type ErrorCode } from '../../kit/errors/errors.ts';
import { keyFromFile } from '../../kit/secrets/keys.ts';
import { login } from '../../tenancy/login/login.ts';
import { hashPassword } from '../../tenancy/login/password.ts';
import { register } from '../../tenancy/login/register.ts';
import type { Viewer } from '../../tenancy/auth/scope.ts';
import { isLogin, type LoginAnswer } from '../../tenancy/sessions/open.ts';
import { findUser, setPasswordHash } from './store.ts';

/** The sample organization. */
export const demoOrganization = {
  name: 'Brightwater Outfitters',
  user: 'Robin Demo',
  email: 'demo@costkeep.example',
} as const;

/** Where the demo acts from, for the audit log. */
export const demoOrigin = { ipAddress: '127.0.0.1', userAgent: 'npm run demo' } as const;

type TenantDeps = Pick<Deps, 'db' | 'pool' | 'clock' | 'config' | 'secrets'>;

/** Who can sign in to the sample. */
export interface DemoTenant {
  readonly viewer: Viewer;
  readonly email: string;
  readonly password: string;
}

/** The sample's organization and its Super Admin, made at the first start. The password is generated and kept in the data
 *  folder: a server that others reach must not have one that is known from the documentation. */
export async function openTenant(deps: TenantDeps): Promise<DemoTenant> {
  const { email } = demoOrganization;
  const password = Buffer.from(keyFromFile(deps.config.dataDir, 'demo.key')).toString('base64url').slice(0, 20);
  const viewer =
    (await unless('UNAUTHORIZED', signIn(deps, password))) ??
    (await unless('CONFLICT', registerDemo(deps, password))) ??
    (await resetPassword(deps, password));
  return { viewer, email, password };
}

/** Who is signed in, or null for an error of this code. */
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

/** Whoever looked around in the demo may have set up a second factor: the password is enough for the operator. */
async function viewerOf(deps: TenantDeps, answer: LoginAnswer): Promise<Viewer> {
  return isLogin(answer) ? answer.viewer : findUser(deps.db, demoOrganization.email);
}

async function registerDemo(deps: TenantDeps, password: string): Promise<Viewer> {
  const { name: organizationName, user: name, email } = demoOrganization;
  // Whoever starts the demo may make its user, whatever REGISTRATION says to the outside.
  const opened = { ...deps, config: { ...deps.config, registration: 'open' as const } };
  return viewerOf(deps, await register(opened, demoOrigin, { email, password, name, organizationName }));
}

/** The user is there, but the data folder is new: a database of its own outlived it. */
async function resetPassword(deps: TenantDeps, password: string): Promise<Viewer> {
  const passwordHash = await hashPassword(password, deps.config.passwordCost);
  await setPasswordHash(deps.db, demoOrganization.email, passwordHash);
  return signIn(deps, password);
}
