import { Role } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { OrganizationType } from '../org/graphql.ts';
import { readOrganization } from '../org/organization.ts';
import { accessTokenSeconds } from './access-token.ts';
import { clearRefreshCookie, readRefreshCookie, setRefreshCookie } from './cookie.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { refresh } from './refresh.ts';
import { register } from './register.ts';
import type { Viewer } from './scope.ts';
import type { Login } from './session.ts';

const RoleType = builder.enumType('Role', {
  description: 'What a member may do in the organization.',
  values: {
    SUPER_ADMIN: { value: Role.super_admin, description: 'Everything; exactly one per organization.' },
    ADMIN: { value: Role.admin, description: 'Everything but billing, ownership and deleting the organization.' },
    MEMBER: { value: Role.member, description: 'Reads, manages budgets, acts on anomalies and recommendations.' },
    VIEWER: { value: Role.viewer, description: 'Reads.' },
  },
});

const UserType = builder.objectRef<Viewer>('User').implement({
  description: 'A person who can log in.',
  fields: (t) => ({
    id: t.exposeID('userId', { description: 'UUIDv7 of the user.' }),
    email: t.exposeString('email', { description: 'The address they log in with, in lower case.' }),
    name: t.exposeString('name', { description: 'Their display name.' }),
  }),
});

const MeType = builder.objectRef<Viewer>('Me').implement({
  description: 'The caller, as the server knows them at this moment.',
  fields: (t) => ({
    user: t.field({ type: UserType, description: 'Who is calling.', resolve: (viewer) => viewer }),
    organization: t.field({
      type: OrganizationType,
      description: 'The organization that the session is in.',
      resolve: (viewer, _args, ctx) => readOrganization(ctx.deps, viewer),
    }),
    role: t.expose('role', { type: RoleType, description: 'The caller’s role in the organization.' }),
    accountAccess: t.idList({
      nullable: true,
      description: 'Ids of the cloud accounts the caller may see; null for every account, empty for none.',
      resolve: (viewer) => viewer.scope.accountIds && [...viewer.scope.accountIds],
    }),
  }),
});

const LoginType = builder.objectRef<Login>('Login').implement({
  description: 'What a login leads to. The refresh token also comes in a cookie that no script can read.',
  fields: (t) => ({
    accessToken: t.exposeString('accessToken', {
      nullable: true,
      description:
        'JWT to send as `Authorization: Bearer`, good for 15 minutes; null while a second factor is awaited.',
    }),
    refreshToken: t.exposeString('refreshToken', {
      nullable: true,
      description: 'Good once, for 7 days from the login; null while a second factor is awaited.',
    }),
    tokenType: t.string({ description: 'How the access token is sent: `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.int({
      description: 'How long the access token lives, in seconds.',
      resolve: () => accessTokenSeconds,
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who logged in; null while a second factor is awaited.',
      resolve: ({ viewer }) => viewer,
    }),
    organization: t.field({
      type: OrganizationType,
      nullable: true,
      description: 'The organization that the session is in; null while a second factor is awaited.',
      resolve: ({ viewer }, _args, ctx) => readOrganization(ctx.deps, viewer),
    }),
    twoFactorSetupRequired: t.boolean({
      description: 'Whether the organization requires a second factor that the user has yet to set up.',
      resolve: () => false,
    }),
    twoFactorRequired: t.boolean({
      description: 'Whether a second factor is awaited before there are tokens.',
      resolve: () => false,
    }),
    challengeToken: t.string({
      nullable: true,
      description: 'Leads on to the second factor, for 5 minutes; null when none is awaited.',
      resolve: () => null,
    }),
    methods: t.stringList({
      description: 'Second factors to choose from; empty when none is awaited.',
      resolve: () => [],
    }),
  }),
});

builder.queryFields((t) => ({
  me: t.field({
    type: MeType,
    description: 'The caller: user, organization, role and account access.',
    authScopes: { signedIn: true },
    extensions: { rest: route({ method: 'GET', path: '/auth/me', category: 'read' }) },
    resolve: (_root, _args, ctx) => viewerOf(ctx),
  }),
}));

builder.mutationFields((t) => ({
  register: t.field({
    type: LoginType,
    description: 'Makes a user and an organization of their own, in which they are the Super Admin, and logs them in.',
    args: {
      email: t.arg.string({ required: true, description: 'Address to log in with; case does not matter.' }),
      password: t.arg.string({
        required: true,
        description: '8 to 128 characters of any kind; the most common passwords are refused.',
      }),
      name: t.arg.string({ required: true, description: 'Display name, 1 to 100 characters on one line.' }),
      organizationName: t.arg.string({
        required: true,
        description: 'Display name of the new organization, 1 to 100 characters on one line.',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/register',
        status: 201,
        category: 'auth',
        public: true,
        errors: ['FORBIDDEN', 'CONFLICT'],
      }),
    },
    resolve: async (_root, args, ctx) => keepCookie(ctx, await register(ctx.deps, ctx.actor, args)),
  }),
  login: t.field({
    type: LoginType,
    description: 'Logs in with email and password, into the organization used last.',
    args: {
      email: t.arg.string({ required: true, description: 'The user’s address; case does not matter.' }),
      password: t.arg.string({ required: true, description: 'The user’s password.' }),
    },
    extensions: {
      rest: route({ path: '/auth/login', category: 'auth', public: true, errors: ['UNAUTHORIZED', 'FORBIDDEN'] }),
    },
    resolve: async (_root, args, ctx) => keepCookie(ctx, await login(ctx.deps, ctx.actor, args)),
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

function keepCookie(ctx: Context, session: Login): Login {
  const maxAgeMs = session.expiresAt.getTime() - ctx.deps.clock.now().getTime();
  if (ctx.res) setRefreshCookie(ctx.res, ctx.deps.config.publicUrl, session.refreshToken, maxAgeMs);
  return session;
}

/** The cookie is scoped to REST's authentication routes: whatever else comes with it is not the browser's doing. */
function cookieOf(ctx: Context): string | null {
  return ctx.rest && ctx.res ? readRefreshCookie(ctx.res) : null;
}
