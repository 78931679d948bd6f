import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf, type Context } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { clearRefreshCookie, readRefreshCookie } from './cookie.ts';
import { keepCookie, LoginType, MeType } from './graphql-types.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refresh } from './refresh.ts';
import { register } from './register.ts';
import { renameMe } from './rename.ts';
import { verifySecondFactor } from './verify.ts';

const nameText = 'Display name, 1 to 100 characters on one line.';

builder.queryFields((t) => ({
  me: t.field({
    type: MeType,
    description: 'The caller: user, organization, role, account access and second factors.',
    authScopes: { enrolling: true },
    extensions: { rest: route({ method: 'GET', path: '/auth/me', category: 'read' }) },
    resolve: (_root, _args, ctx) => viewerOf(ctx),
  }),
}));

builder.mutationFields((t) => ({
  register: t.field({
    type: LoginType,
    description:
      'Makes a user, and logs them in: into a new organization of their own, in which they are the Super Admin, or into the ' +
      'one that invited them. Who belongs to no organization any more registers again, with the password they had or with ' +
      'an invitation; after the password, a second factor of theirs is awaited as it is at a login.',
    args: {
      email: t.arg.string({ required: true, description: 'Address to log in with; case does not matter.' }),
      password: t.arg.string({
        required: true,
        description: '8 to 128 characters of any kind; the most common passwords are refused.',
      }),
      name: t.arg.string({ required: true, description: nameText }),
      organizationName: t.arg.string({
        description:
          'Display name of the new organization, 1 to 100 characters on one line; required without `inviteToken`, and absent with it.',
      }),
      inviteToken: t.arg.string({
        description: 'The token in the link of an invitation; the email must be the one that was invited.',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/register',
        status: 201,
        category: 'auth',
        public: true,
        errors: ['FORBIDDEN', 'CONFLICT', 'ACCOUNT_LOCKED'],
      }),
    },
    resolve: async (_root, args, ctx) => keepCookie(ctx, await register(ctx.deps, ctx.actor, args)),
  }),
  updateMe: t.field({
    type: MeType,
    description: 'Changes the caller’s own display name, in every organization of theirs.',
    authScopes: { signedIn: true, can: 'self.write' },
    args: { name: t.arg.string({ required: true, description: nameText }) },
    extensions: { rest: route({ method: 'PATCH', path: '/auth/me', category: 'write' }) },
    resolve: (_root, { name }, ctx) => renameMe(ctx.deps, viewerOf(ctx), actorOf(ctx), name),
  }),
  login: t.field({
    type: LoginType,
    description:
      'Logs in with email and password, into the organization used last. A user with a second factor gets no tokens yet but ' +
      'a challenge that leads on to it, unless a code came along. Wrong passwords and codes lock the address for a while.',
    args: {
      email: t.arg.string({ required: true, description: 'The user’s address; case does not matter.' }),
      password: t.arg.string({ required: true, description: 'The user’s password.' }),
      totpCode: t.arg.string({
        description:
          'The 6 digits of the authenticator app, or a recovery code; not looked at where the user has no second factor.',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/login',
        category: 'auth',
        public: true,
        errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_LOCKED'],
      }),
    },
    resolve: async (_root, args, ctx) => keepCookie(ctx, await login(ctx.deps, ctx.actor, args)),
  }),
  verifyTwoFactor: t.field({
    type: LoginType,
    description:
      'Ends a login that awaits a second factor, with a TOTP code or a recovery code. A wrong code counts as a failed login.',
    args: {
      challengeToken: t.arg.string({
        required: true,
        description: 'The `challengeToken` that the login answered: for 5 minutes, 5 tries and one success.',
      }),
      code: t.arg.string({
        required: true,
        description: 'The 6 digits of the authenticator app, or a recovery code. Each is good once.',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/verify-2fa',
        category: 'auth',
        public: true,
        errors: ['UNAUTHORIZED', 'FORBIDDEN', 'ACCOUNT_LOCKED'],
      }),
    },
    resolve: async (_root, args, ctx) => keepCookie(ctx, await verifySecondFactor(ctx.deps, ctx.actor, args)),
  }),
  refresh: t.field({
    type: LoginType,
    description:
      'Exchanges a refresh token for an access token and the next refresh token. For 10 seconds the old one gives the same ' +
      'successor; its use after that ends the session.',
    args: {
      refreshToken: t.arg.string({
        description: 'The refresh token; absent or null: the one in the cookie (REST only).',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/refresh',
        category: 'auth',
        public: true,
        errors: ['UNAUTHORIZED'],
      }),
    },
    resolve: async (_root, args, ctx) =>
      keepCookie(ctx, await refresh(ctx.deps, ctx.actor, args.refreshToken ?? cookieOf(ctx) ?? '')),
  }),
  logout: t.boolean({
    description:
      'Ends the session of the refresh token, else that of the Bearer token, else that of the cookie. Always true.',
    args: {
      refreshToken: t.arg.string({ description: 'The refresh token whose session ends; absent or null: see above.' }),
    },
    extensions: {
      rest: route({
        path: '/auth/logout',
        status: 204,
        category: 'write',
        public: true,
        errors: ['UNAUTHORIZED'],
      }),
    },
    resolve: async (_root, args, ctx) => {
      const request = { refreshToken: args.refreshToken ?? null, viewer: ctx.viewer, cookie: cookieOf(ctx) };
      await logout(ctx.deps, ctx.actor, request);
      if (ctx.res) clearRefreshCookie(ctx.res, ctx.deps.config.publicUrl);
      return true;
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'path' | 'category'>): RestRoute {
  return { method: 'POST', status: 200, tags: ['Authentication'], ...rest };
}

/** The cookie is scoped to REST's authentication routes: whatever else comes with it is not the browser's doing. */
function cookieOf(ctx: Context): string | null {
  return ctx.rest && ctx.res ? readRefreshCookie(ctx.res, ctx.deps.config) : null;
}
