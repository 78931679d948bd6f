import { generateSync } from 'otplib';
import { login } from '../../../src/tenancy/login/login.ts';
import { isLogin, type Login } from '../../../src/tenancy/sessions/open.ts';
import { authenticate } from '../../../src/tenancy/sessions/authenticate.ts';
import type { Viewer } from '../../../src/tenancy/auth/scope.ts';
import { confirmTotp, setUpTotp } from '../../../src/tenancy/second-factor/setup.ts';
import { origin, password, type tenancyWorld } from '../support.ts';

export type World = Awaited<ReturnType<typeof tenancyWorld>>;

/** A user with TOTP, one minute after its confirmation: the code of the current step is unused. */
export interface Protected {
  readonly viewer: Viewer;
  readonly accessToken: string;
  readonly secret: string;
  readonly recoveryCodes: string[];
}

/** Registers a user and enables TOTP. */
export async function withTotp(world: World, name: string): Promise<Protected> {
  const { viewer, accessToken } = await world.register(name);
  const { secret } = await setUpTotp(world.deps, viewer);
  const recoveryCodes = await confirmTotp(world.deps, viewer, actorFor(viewer), { code: codeOf(world, secret) });
  world.passMs(60_000);
  return { viewer, accessToken, secret, recoveryCodes };
}

/** The code of an authenticator app.
 *  @param steps the number of steps its clock is ahead */
export function codeOf(world: World, secret: string, steps = 0): string {
  const epoch = Math.floor(world.deps.clock.now().getTime() / 1000) + steps * 30;
  return generateSync({ secret, epoch });
}

/** A code that is invalid for all steps around now. */
export function wrongCode(world: World, secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(world, secret, steps)));
  const candidates = ['000000', '111111', '222222', '333333', '444444', '555555'];
  return candidates.find((code) => !near.has(code)) ?? '666666';
}

/** The actor for the audit log. */
export function actorFor(viewer: Viewer) {
  return { organizationId: viewer.scope.organizationId, userId: viewer.userId, email: viewer.email, ...origin };
}

/** Logs in with the correct password.
 *  @throws the errors of the login */
export function logIn(world: World, name: string, totpCode?: string) {
  return login(world.deps, origin, { email: `${name}@example.com`, password, ...(totpCode && { totpCode }) });
}

/** The challenge token of a login that awaits a second factor. */
export async function challengeFor(world: World, name: string): Promise<string> {
  const answer = await logIn(world, name);
  if (isLogin(answer)) throw new Error(`${name} has no second factor`);
  return answer.challengeToken;
}

/** The login method stored in the session. */
export async function methodOf(world: World, answer: Login): Promise<string> {
  const where = { id: answer.viewer.sessionId ?? '' };
  return (await world.deps.db.session.findUniqueOrThrow({ where })).method;
}

/** The caller as resolved by the next request. */
export async function viewerNow(world: World, accessToken: string): Promise<Viewer> {
  const viewer = await authenticate(world.deps, accessToken);
  if (!viewer) throw new Error('The session has ended');
  return viewer;
}
