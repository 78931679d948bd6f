import { codeRule } from '../second-factor/code.ts';
import { triedPasswordRule } from './password.ts';
import { emailRule } from './input.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, type Context, viewerOf } from '../../graph/context.ts';
import { guardedRoute, publicRoute, writeRoute } from '../../graph/rest.ts';
import { clearRefreshCookie, readRefreshCookie } from '../sessions/cookie.ts';
import { keepCookie, LoginType, MeType, RegisterInput, UpdateMeInput } from './graphql-types.ts';
import { login, verifySecondFactor } from './login.ts';
import { logout } from '../sessions/logout.ts';
import { refresh } from '../sessions/refresh.ts';
import { register } from './register.ts';
import { renameMe } from './account.ts';

const loginErrors = ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_LOCKED'] as const;

builder.queryFields((t) => ({
  me: t.field({
    type: MeType,
    description: 'Returns the caller: user, organization, role, account access and second factors.',
    ...guardedRoute('Authentication', { enrolling: true }, { method: 'GET', path: '/auth/me' }),
    resolve: (_root, _args, ctx) => viewerOf(ctx),
  }),
}));

builder.mutationFields((t) => ({
  register: t.field({
    type: LoginType,
    description:
      'Registers a user and signs them in. Creates an organization with the user as Super Admin, or accepts an invitation. Users who no longer belong to an organization register again, with their old password or an invitation; users with a second factor then get a challenge, as at login.',
    args: { input: t.arg({ type: RegisterInput, required: true, description: 'The user to register.' }) },
    ...publicRoute('Authentication', {
      path: '/auth/register',
      status: 201,
      errors: ['FORBIDDEN', 'CONFLICT', 'ACCOUNT_LOCKED'],
    }),
    resolve: async (_root, { input }, ctx) => keepCookie(ctx, await register(ctx.deps, ctx.actor, input)),
  }),
  updateMe: t.field({
    type: MeType,
    description: 'Changes the caller’s display name, in all their organizations.',
    args: { input: t.arg({ type: UpdateMeInput, required: true, description: 'Fields to change.' }) },
    ...writeRoute('Authentication', 'self.write', { method: 'PATCH', path: '/auth/me' }),
    resolve: (_root, { input }, ctx) => renameMe(ctx.deps, viewerOf(ctx), actorOf(ctx), input.name),
  }),
  login: t.field({
    type: LoginType,
    description:
      'Signs in with email and password. The session is in the organization that was used last. Users with a second factor get a challenge instead of tokens, unless the request includes the code. Repeated wrong passwords and codes lock the login temporarily.',
    args: {
      email: t.arg.string({
        ...bounded(emailRule),
        required: true,
        description: 'Email address of the user, ignoring case.',
      }),
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'The user’s password.' }),
      totpCode: t.arg.string({
        ...bounded(codeRule),
        description:
          'The 6-digit code of the authenticator app, or a recovery code; ignored if the user has no second factor.',
      }),
    },
    ...publicRoute('Authentication', { path: '/auth/login', errors: loginErrors }),
    resolve: async (_root, args, ctx) => keepCookie(ctx, await login(ctx.deps, ctx.actor, args)),
  }),
  verifyTwoFactor: t.field({
    type: LoginType,
    description: 'Completes a login with a TOTP code or a recovery code. A wrong code counts as a failed login.',
    args: {
      challengeToken: t.arg.string({
        required: true,
        description: 'The `challengeToken` of the login: valid for 5 minutes, 5 attempts and one success.',
      }),
      code: t.arg.string({
        ...bounded(codeRule),
        required: true,
        description: 'The 6-digit code of the authenticator app, or a recovery code. Each can be used once.',
      }),
    },
    ...publicRoute('Authentication', { path: '/auth/verify-2fa', errors: loginErrors }),
    resolve: async (_root, args, ctx) => keepCookie(ctx, await verifySecondFactor(ctx.deps, ctx.actor, args)),
  }),
  refresh: t.field({
    type: LoginType,
    description:
      'Exchanges a refresh token for a new access token and refresh token. For 10 seconds, the old refresh token returns the latest one; using it later ends the session.',
    args: {
      refreshToken: t.arg.string({
        description: 'The refresh token; if absent or null, the one in the cookie is used (REST only).',
      }),
    },
    ...publicRoute('Authentication', { path: '/auth/refresh', refreshCookie: true, errors: ['UNAUTHORIZED'] }),
    resolve: async (_root, args, ctx) =>
      keepCookie(ctx, await refresh(ctx.deps, ctx.actor, args.refreshToken ?? cookieOf(ctx) ?? '')),
  }),
  logout: t.boolean({
    description:
      'Ends a session: the one of the refresh token in the body, else of the Bearer token, else of the cookie.',
    args: {
      refreshToken: t.arg.string({
        description:
          'Refresh token of the session to end. If absent or null, the Bearer token or the cookie identifies the session.',
      }),
    },
    ...publicRoute('Authentication', {
      path: '/auth/logout',
      refreshCookie: true,
      status: 204,
      category: 'write',
      errors: ['UNAUTHORIZED'],
    }),
    resolve: async (_root, args, ctx) => {
      const request = { refreshToken: args.refreshToken ?? null, viewer: ctx.viewer, cookie: cookieOf(ctx) };
      await logout(ctx.deps, ctx.actor, request);
      if (ctx.res) clearRefreshCookie(ctx.res, ctx.deps.config.publicUrl);
      return true;
    },
  }),
}));

/** The cookie is scoped to REST's authentication routes: with any other request, it was not sent by a browser. */
function cookieOf(ctx: Context): string | null {
  return ctx.rest && ctx.res ? readRefreshCookie(ctx.res, ctx.deps.config) : null;
}
