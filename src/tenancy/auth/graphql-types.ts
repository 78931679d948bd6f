import { Role } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { OrganizationType } from '../org/graphql.ts';
import { readOrganization } from '../org/organization.ts';
import { countRecoveryCodes, hasSecondFactor, listSecondFactors } from '../second-factor/store.ts';
import { accessTokenSeconds } from './access-token.ts';
import { setRefreshCookie } from './cookie.ts';
import type { Viewer } from './scope.ts';
import { isLogin, secondFactorMethods, type LoginAnswer } from './session.ts';

/** The roles, in whatever answer they stand. */
export const RoleType = builder.enumType('Role', {
  description: 'What a member may do in the organization.',
  values: {
    SUPER_ADMIN: { value: Role.super_admin, description: 'Everything; exactly one per organization.' },
    ADMIN: { value: Role.admin, description: 'Everything but billing, ownership and deleting the organization.' },
    MEMBER: { value: Role.member, description: 'Reads, manages budgets, acts on anomalies and recommendations.' },
    VIEWER: { value: Role.viewer, description: 'Reads.' },
  },
});

/** A user, in whatever answer they stand. */
export /** A person, as they may see themselves. */
const UserType = builder.objectRef<Pick<Viewer, 'userId' | 'email' | 'name'>>('User').implement({
  description: 'A person who can log in.',
  fields: (t) => ({
    id: t.exposeID('userId', { description: 'UUIDv7 of the user.' }),
    email: t.exposeString('email', { description: 'The address they log in with, in lower case.' }),
    name: t.exposeString('name', { description: 'Their display name.' }),
  }),
});

const MethodType = builder.enumType('SecondFactorMethod', {
  description: 'How a second factor can be proven.',
  values: {
    TOTP: { value: secondFactorMethods.totp, description: 'A code of the authenticator app (RFC 6238).' },
    RECOVERY_CODE: { value: secondFactorMethods.recoveryCode, description: 'A recovery code, good once.' },
    WEBAUTHN: { value: secondFactorMethods.webauthn, description: 'A passkey.' },
  },
});

/** The caller. */
export const MeType = builder.objectRef<Viewer>('Me').implement({
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
    twoFactorEnabled: t.boolean({
      description: 'Whether the caller has a second factor: TOTP, or a passkey.',
      resolve: async (viewer, _args, ctx) => (await hasSecondFactor(ctx.deps.db, [viewer.userId])).size > 0,
    }),
    twoFactorSetupRequired: t.exposeBoolean('twoFactorSetupRequired', {
      description: 'Whether the organization requires a second factor that the caller has yet to set up.',
    }),
    secondFactors: t.field({
      type: [MethodType],
      description: 'What the caller can prove a second factor with; empty where they have none.',
      resolve: (viewer, _args, ctx) => listSecondFactors(ctx.deps.db, viewer.userId),
    }),
    recoveryCodesLeft: t.int({
      description: 'How many of the caller’s recovery codes are unused.',
      resolve: (viewer, _args, ctx) => countRecoveryCodes(ctx.deps.db, viewer.userId),
    }),
  }),
});

/** What the fields of a login are read from: an answer, or a question that comes before it. */
export type LoginParent = LoginAnswer | { readonly options: object };

type LoginFieldBuilder = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<LoginParent>>['implement']>[0]['fields']>
>[0];

/** What every answer to a login has. */
export function loginFields(t: LoginFieldBuilder) {
  return {
    accessToken: t.string({
      nullable: true,
      description:
        'JWT to send as `Authorization: Bearer`, good for 15 minutes; null while a second factor is awaited.',
      resolve: (answer) => (isLogin(answer) ? answer.accessToken : null),
    }),
    refreshToken: t.string({
      nullable: true,
      description: 'Good once, for 7 days from the login; null while a second factor is awaited.',
      resolve: (answer) => (isLogin(answer) ? answer.refreshToken : null),
    }),
    tokenType: t.string({ description: 'How the access token is sent: `Bearer`.', resolve: () => 'Bearer' }),
    expiresIn: t.int({
      description: 'How long an access token lives, in seconds.',
      resolve: () => accessTokenSeconds,
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'Who logged in; null while a second factor is awaited.',
      resolve: (answer) => (isLogin(answer) ? answer.viewer : null),
    }),
    organization: t.field({
      type: OrganizationType,
      nullable: true,
      description: 'The organization that the session is in; null while a second factor is awaited.',
      resolve: (answer, _args, ctx) => (isLogin(answer) ? readOrganization(ctx.deps, answer.viewer) : null),
    }),
    twoFactorSetupRequired: t.boolean({
      description:
        'Whether the organization requires a second factor that the user has yet to set up; until then everything else is refused with TWO_FACTOR_SETUP_REQUIRED.',
      resolve: (answer) => isLogin(answer) && answer.viewer.twoFactorSetupRequired,
    }),
    twoFactorRequired: t.boolean({
      description: 'Whether a second factor is awaited before there are tokens.',
      resolve: (answer) => 'challengeToken' in answer,
    }),
    challengeToken: t.string({
      nullable: true,
      description:
        'Leads on to the second factor (`verifyTwoFactor`, `authenticateWithPasskey`), for 5 minutes and 5 tries; null when none is awaited.',
      resolve: (answer) => ('challengeToken' in answer ? answer.challengeToken : null),
    }),
    methods: t.field({
      type: [MethodType],
      description: 'Second factors to choose from; empty when none is awaited.',
      resolve: (answer) => ('challengeToken' in answer ? [...answer.methods] : []),
    }),
  };
}

/** What a login leads to. */
export const LoginType = builder.objectRef<LoginParent>('Login').implement({
  description: 'What a login leads to. The refresh token also comes in a cookie that no script can read.',
  fields: loginFields,
});

/** Hands an answer on, its refresh token also in the cookie. */
export function keepCookie<Answer extends LoginAnswer>(ctx: Context, answer: Answer): Answer {
  if (!ctx.res || !isLogin(answer)) return answer;
  const maxAgeMs = answer.expiresAt.getTime() - ctx.deps.clock.now().getTime();
  setRefreshCookie(ctx.res, ctx.deps.config.publicUrl, answer.refreshToken, maxAgeMs);
  return answer;
}
