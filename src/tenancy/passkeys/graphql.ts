import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf, type Context } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageType, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { invalid } from '../../kit/errors.ts';
import { keepCookie, loginFields, type LoginParent } from '../auth/graphql-types.ts';
import { loginOptions, logInWithPasskey, secondFactorOptions } from './authenticate.ts';
import { pagePasskeys, removePasskey, updatePasskey } from './manage.ts';
import { registerPasskey, registrationOptions } from './register.ts';
import { passkeySortFields, type Passkey } from './store.ts';

/** Either the question or what came of the answer. */
interface Registration {
  readonly options: object | null;
  readonly passkey: Passkey | null;
}

const PasskeyType = builder.objectRef<Passkey>('Passkey').implement({
  description: 'A passkey (WebAuthn credential) of the caller.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the passkey.' }),
    name: t.exposeString('name', { description: 'What its owner calls it.' }),
    deviceType: t.exposeString('deviceType', {
      description: '`singleDevice` for one that cannot leave its device, `multiDevice` for one that is synced.',
    }),
    backedUp: t.exposeBoolean('backedUp', { description: 'Whether it is backed up now, as it said when last used.' }),
    transports: t.stringList({
      description: 'How browsers reach its authenticator, such as `internal`, `hybrid`, `usb`.',
      resolve: ({ transports }) => [...transports],
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was registered.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last logged somebody in; null: never.',
    }),
  }),
});

const RegistrationType = builder.objectRef<Registration>('PasskeyRegistration').implement({
  description: 'A step of registering a passkey: first the options, then the passkey.',
  fields: (t) => ({
    options: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What `PublicKeyCredential.parseCreationOptionsFromJSON` takes, in WebAuthn’s own spelling; good once and for 5 minutes. Null once the passkey is registered.',
      resolve: ({ options }) => options,
    }),
    id: t.id({
      nullable: true,
      description: 'UUIDv7 of the passkey; null before it is registered.',
      resolve: ({ passkey }) => passkey?.id ?? null,
    }),
    name: t.string({
      nullable: true,
      description: 'What its owner calls it; null before it is registered.',
      resolve: ({ passkey }) => passkey?.name ?? null,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was registered; null before that.',
      resolve: ({ passkey }) => passkey?.createdAt ?? null,
    }),
    passkey: t.field({
      type: PasskeyType,
      nullable: true,
      description: 'The whole of it; null before it is registered.',
      extensions: { rest: false },
      resolve: ({ passkey }) => passkey,
    }),
  }),
});

const PasskeyLoginType = builder.objectRef<LoginParent>('PasskeyLogin').implement({
  description: 'A step of logging in with a passkey: first the options, then what every login leads to.',
  fields: (t) => ({
    options: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'What `PublicKeyCredential.parseRequestOptionsFromJSON` takes, in WebAuthn’s own spelling; good once and for 5 minutes. Null once somebody is logged in.',
      resolve: (answer) => ('options' in answer ? answer.options : null),
    }),
    ...loginFields(t),
  }),
});

const PasskeyPage = pageType('Passkey', PasskeyType);

// Where the organization requires a second factor, these are open to who has yet to set one up.
const whileEnrolling = { enrolling: true, interactive: true, can: 'self.write' } as const;
const authScopes = { signedIn: true, interactive: true, can: 'self.write' } as const;

builder.queryFields((t) => ({
  passkeys: t.field({
    type: PasskeyPage,
    description: 'The caller’s own passkeys, newest first. Not for API tokens.',
    authScopes: whileEnrolling,
    complexity: pageComplexity,
    args: { ...sortArg(passkeySortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/auth/passkeys', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pagePasskeys(ctx.deps, viewerOf(ctx), args.sortBy ?? null, page);
      return pageOf(rows, total, page);
    },
  }),
}));

builder.mutationFields((t) => ({
  registerPasskey: t.field({
    type: RegistrationType,
    description:
      'Registers a passkey in two steps: without `response` it answers the options, with `name` and `response` it keeps the ' +
      'passkey. Counts as a second factor at once. Not for API tokens.',
    authScopes: whileEnrolling,
    args: {
      name: t.arg.string({ description: 'What to call it, 1 to 100 characters on one line; needed with `response`.' }),
      response: t.arg({
        type: 'JSON',
        description:
          'What `navigator.credentials.create` gave, as its `toJSON` writes it. Absent: the options are asked for.',
      }),
    },
    extensions: { rest: route({ path: '/auth/webauthn/register', category: 'auth', errors: ['CONFLICT'] }) },
    resolve: (_root, { name, response }, ctx) => stepOfRegistration(ctx, name ?? null, response ?? null),
  }),
  authenticateWithPasskey: t.field({
    type: PasskeyLoginType,
    description:
      'Logs in with a passkey in two steps: without `response` it answers the options, with it the login. With ' +
      '`challengeToken` the passkey is the second factor of a login with a password; without, it is enough alone and has to ' +
      'verify its user.',
    args: {
      challengeToken: t.arg.string({
        description: 'The `challengeToken` that the login answered; the same in both steps.',
      }),
      email: t.arg.string({ description: 'Whose passkey it is to be; absent: any that the authenticator has.' }),
      response: t.arg({
        type: 'JSON',
        description:
          'What `navigator.credentials.get` gave, as its `toJSON` writes it. Absent: the options are asked for.',
      }),
    },
    extensions: {
      rest: route({
        path: '/auth/webauthn/authenticate',
        category: 'auth',
        public: true,
        errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'ACCOUNT_LOCKED'],
      }),
    },
    resolve: (_root, { challengeToken, email, response }, ctx) =>
      stepOfLogin(ctx, {
        challengeToken: challengeToken ?? null,
        email: email ?? null,
        response: response ?? null,
      }),
  }),
  updatePasskey: t.field({
    type: PasskeyType,
    description: 'Renames one of the caller’s own passkeys. Not for API tokens.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: 'UUID of the passkey.' }),
      name: t.arg.string({ required: true, description: 'What to call it, 1 to 100 characters on one line.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/auth/passkeys/{id}' }) },
    resolve: (_root, args, ctx) => updatePasskey(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deletePasskey: t.boolean({
    description:
      'Removes one of the caller’s own passkeys. Where the organization requires a second factor and this was the last, the ' +
      'next has to be set up before anything else. Not for API tokens. Always true.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: 'UUID of the passkey.' }) },
    extensions: { rest: route({ method: 'DELETE', path: '/auth/passkeys/{id}', status: 204 }) },
    async resolve(_root, { id }, ctx) {
      await removePasskey(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

async function stepOfRegistration(
  ctx: Context,
  name: string | null,
  response: Record<string, unknown> | null,
): Promise<Registration> {
  const viewer = viewerOf(ctx);
  if (response === null) return { options: await registrationOptions(ctx.deps, viewer), passkey: null };
  if (name === null) throw invalid('name is required with response: what to call the passkey');
  return { options: null, passkey: await registerPasskey(ctx.deps, viewer, actorOf(ctx), { name, response }) };
}

async function stepOfLogin(
  ctx: Context,
  given: { challengeToken: string | null; email: string | null; response: Record<string, unknown> | null },
): Promise<LoginParent> {
  const { challengeToken, email, response } = given;
  if (challengeToken !== null && email !== null)
    throw invalid('email has no place beside challenge_token: leave it out');
  if (response !== null)
    return keepCookie(ctx, await logInWithPasskey(ctx.deps, ctx.actor, { response, challengeToken, email }));
  if (challengeToken !== null) return { options: await secondFactorOptions(ctx.deps, challengeToken) };
  return { options: await loginOptions(ctx.deps, email) };
}

function route(rest: Pick<RestRoute, 'path'> & Partial<RestRoute>): RestRoute {
  return { method: 'POST', status: 200, tags: ['Authentication'], category: 'write', ...rest };
}
