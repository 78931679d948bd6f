import { newPasswordRule } from './password.ts';
import { emailRule, nameRule, nameText } from './input.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import type { Role } from '../../../prisma/generated/client/enums.ts';
import { type Context, viewerOf } from '../../graph/context.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { organizationOf, OrganizationType } from '../org/graphql.ts';
import { countRecoveryCodes, hasSecondFactor, listSecondFactors } from '../second-factor/store.ts';
import { accessTokenSeconds } from '../sessions/access-token.ts';
import { setRefreshCookie } from '../sessions/cookie.ts';
import type { Viewer } from '../auth/scope.ts';
import { isLogin, type LoginAnswer, type SecondFactorMethod } from '../sessions/open.ts';

/** The input of `register`. */
export const RegisterInput = builder.inputType('RegisterInput', {
  description: 'A user to register, and the organization to create or join.',
  fields: (t) => ({
    email: t.string({
      ...bounded(emailRule),
      required: true,
      description: 'Email address to sign in with, ignoring case.',
    }),
    password: t.string({
      ...bounded(newPasswordRule),
      required: true,
      description: '8 to 128 characters of any kind; the most common passwords are rejected.',
    }),
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    organizationName: t.string({
      ...bounded(nameRule),
      description:
        'Display name of the new organization, 1 to 100 characters on one line; required without `inviteToken`, not allowed with it.',
    }),
    inviteToken: t.string({
      description: 'Token from the link of an invitation; the email must be the invited one.',
    }),
  }),
});

/** The input of `updateMe`. */
export const UpdateMeInput = builder.inputType('UpdateMeInput', {
  description: 'Changes to the caller’s own profile.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
  }),
});

/** The roles, with their descriptions. */
export const roleWords = {
  super_admin: 'All permissions; exactly one per organization.',
  admin: 'All permissions except billing settings, ownership and deleting the organization.',
  member: 'Read access; manages budgets, reports and annotations, and handles anomalies and recommendations.',
  viewer: 'Read access; can save private views and dashboards.',
} as const satisfies Record<Role, string>;

/** The GraphQL type of a role. */
export const RoleType = wordEnum('Role', 'Role of a member in the organization.', roleWords);

/** A user. Every row has these three columns, so that no field is loaded by id only: a viewer serves as a row, too. */
export const UserType = builder.prismaObject('User', {
  description: 'A user.',
  select: { id: true, email: true, name: true },
  findUnique: ({ id }, ctx) => ({
    id,
    memberships: { some: { organizationId: viewerOf(ctx).scope.organizationId } },
  }),
  fields: (t) => ({
    id: t.id({ description: 'UUIDv7 of the user.', resolve: ({ id }) => id }),
    email: t.string({
      ...bounded({ format: 'email' }),
      description: 'Email address of the login, in lower case.',
      resolve: ({ email }) => email,
    }),
    name: t.string({ description: 'Display name.', resolve: ({ name }) => name }),
  }),
});

function userOf({ userId, email, name }: Viewer) {
  return { id: userId, email, name };
}

const MethodType = wordEnum<SecondFactorMethod>('SecondFactorMethod', 'Kind of second factor.', {
  totp: 'A code from an authenticator app (RFC 6238).',
  recovery_code: 'A single-use recovery code.',
  webauthn: 'A passkey.',
});

/** The caller. */
export const MeType = builder.objectRef<Viewer>('Me').implement({
  description: 'The caller.',
  fields: (t) => ({
    user: t.field({ type: UserType, description: 'The user.', resolve: userOf }),
    organization: t.prismaField({
      type: OrganizationType,
      description: 'Organization of the session.',
      resolve: (query, viewer, _args, ctx) => organizationOf(viewer, query, ctx),
    }),
    role: t.expose('role', { type: RoleType, description: 'The caller’s role in the organization.' }),
    accountAccess: t.idList({
      nullable: true,
      description: 'Ids of the cloud accounts in the caller’s scope; null for all accounts, empty for none.',
      resolve: (viewer) => viewer.scope.accountIds && [...viewer.scope.accountIds],
    }),
    twoFactorEnabled: t.boolean({
      description: 'Whether the caller has a second factor: TOTP, or a passkey.',
      resolve: async (viewer, _args, ctx) => (await hasSecondFactor(ctx.deps.db, [viewer.userId])).size > 0,
    }),
    twoFactorSetupRequired: t.exposeBoolean('twoFactorSetupRequired', {
      description: 'Whether the caller must set up a second factor first.',
    }),
    secondFactors: t.field({
      type: [MethodType],
      description: 'Second factors of the caller; empty if none is set up.',
      resolve: (viewer, _args, ctx) => listSecondFactors(ctx.deps.db, viewer.userId),
    }),
    recoveryCodesLeft: t.int({
      description: 'Number of unused recovery codes.',
      resolve: (viewer, _args, ctx) => countRecoveryCodes(ctx.deps.db, viewer.userId),
    }),
  }),
});

/** Parent of a login's fields: the result of a login, or the options of a preceding challenge. */
export type LoginParent = LoginAnswer | { readonly options: object };

type LoginFieldBuilder = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<LoginParent>>['implement']>[0]['fields']>
>[0];

/** Fields shared by all login results. */
export function loginFields(t: LoginFieldBuilder) {
  return {
    accessToken: t.string({
      nullable: true,
      description:
        'JWT to send as `Authorization: Bearer`, valid for 15 minutes; null while a second factor is required.',
      resolve: (answer) => (isLogin(answer) ? answer.accessToken : null),
    }),
    refreshToken: t.string({
      nullable: true,
      description:
        'Single-use token, valid for at most 7 days after the login; null while a second factor is required.',
      resolve: (answer) => (isLogin(answer) ? answer.refreshToken : null),
    }),
    tokenType: t.string({ description: 'Type of the access token: `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.int({
      description: 'Lifetime of an access token in seconds.',
      resolve: () => accessTokenSeconds,
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user; null while a second factor is required.',
      resolve: (answer) => (isLogin(answer) ? userOf(answer.viewer) : null),
    }),
    organization: t.prismaField({
      type: OrganizationType,
      nullable: true,
      description: 'Organization of the session; null while a second factor is required.',
      // Copies the query because Pothos warns if it is not read, and it is not needed while a second factor is
      // pending.
      resolve: ({ ...query }, answer, _args, ctx) =>
        isLogin(answer) ? organizationOf(answer.viewer, query, ctx) : null,
    }),
    twoFactorSetupRequired: t.boolean({
      description:
        'Whether the user must set up a second factor first; until then all other requests fail with TWO_FACTOR_SETUP_REQUIRED.',
      resolve: (answer) => isLogin(answer) && answer.viewer.twoFactorSetupRequired,
    }),
    twoFactorRequired: t.boolean({
      description: 'Whether a second factor is required to get tokens.',
      resolve: (answer) => 'challengeToken' in answer,
    }),
    challengeToken: t.string({
      nullable: true,
      description:
        'Token for the second step of the login, with a code or a passkey; valid for 5 minutes and 5 attempts. Null if no second factor is required.',
      resolve: (answer) => ('challengeToken' in answer ? answer.challengeToken : null),
    }),
    methods: t.field({
      type: [MethodType],
      description: 'Available second factors; empty if none is required.',
      resolve: (answer) => ('challengeToken' in answer ? [...answer.methods] : []),
    }),
  };
}

/** The result of a login. */
export const LoginType = builder.objectRef<LoginParent>('Login').implement({
  description: 'Result of a login. The refresh token is also set as an HttpOnly cookie.',
  fields: loginFields,
});

/** Returns a login result, also storing its refresh token in the cookie. */
export function keepCookie<Answer extends LoginAnswer>(ctx: Context, answer: Answer): Answer {
  if (!ctx.res || !isLogin(answer)) return answer;
  const maxAgeMs = answer.expiresAt.getTime() - ctx.deps.clock.now().getTime();
  setRefreshCookie(ctx.res, ctx.deps.config.publicUrl, answer.refreshToken, maxAgeMs);
  return answer;
}
