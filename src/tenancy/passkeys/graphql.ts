import { queryFromInfo } from '@pothos/plugin-prisma';
import { emailRule, nameRule, nameText, parseName } from '../login/input.ts';
import { columns, exposed, flag, instant, json, of, orNull, text, texts, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf, type Context } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { guardedRoute, ownLogin, ownLoginWhileEnrolling, publicRoute } from '../../graph/rest.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { arg, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { keepCookie, loginFields, type LoginParent } from '../login/graphql-types.ts';
import { loginOptions, logInWithPasskey, secondFactorOptions } from './authenticate.ts';
import { removePasskey, updatePasskey } from './manage.ts';
import { registerPasskey, registrationOptions } from './register.ts';
import { pagePasskeys, passkeySortFields, type Passkey } from './store.ts';

/** Either the options or the registered passkey, with its fields. */
interface Registration extends Partial<Passkey> {
  readonly options: object | null;
  readonly passkey: Passkey | null;
}

const PasskeyDeviceType = wordEnum<string>('PasskeyDeviceType', 'Whether a passkey can be synced between devices.', {
  singleDevice: 'Bound to one device.',
  multiDevice: 'Can be synced between devices.',
});

const PasskeyType = builder.prismaObject('Passkey', {
  description: 'A passkey (WebAuthn credential) of the caller.',
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, userId: viewerOf(ctx).userId }),
  fields: (t) =>
    columns(t, 'Passkey', {
      id: uuid('UUIDv7 of the passkey.'),
      name: text('Display name.'),
      deviceType: of(PasskeyDeviceType, 'Whether it can be synced between devices.'),
      backedUp: flag('Whether it was backed up at its last use.'),
      transports: texts('How browsers communicate with the authenticator, such as `internal`, `hybrid`, `usb`.'),
      createdAt: instant('Registration time.'),
      lastUsedAt: orNull(instant('Last use; null if never used.')),
    }),
});

const RegistrationType = builder.objectRef<Registration>('PasskeyRegistration').implement({
  description: 'A step of registering a passkey: first the options, then the passkey.',
  fields: (t) => ({
    ...exposed(t, {
      options: orNull(
        json(
          'Input of `PublicKeyCredential.parseCreationOptionsFromJSON`, with the field names of WebAuthn; single-use, valid for 5 minutes. Null after the registration.',
        ),
      ),
      id: orNull(uuid('UUIDv7 of the passkey; null before it is registered.')),
      name: orNull(text('Display name; null before it is registered.', bounded(nameRule))),
      deviceType: orNull(
        of(PasskeyDeviceType, 'Whether it can be synced between devices; null before it is registered.'),
      ),
      backedUp: orNull(flag('Whether it is backed up; null before it is registered.')),
      transports: orNull(texts('How browsers communicate with the authenticator; null before it is registered.')),
      createdAt: orNull(instant('When the passkey was registered; null before that.')),
      lastUsedAt: orNull(instant('Last use; null if never used.')),
    }),
    passkey: t.field({
      type: PasskeyType,
      nullable: true,
      description: 'The passkey; null before it is registered.',
      extensions: { rest: false },
      resolve: ({ passkey }) => passkey,
    }),
  }),
});

const PasskeyLoginType = builder.objectRef<LoginParent>('PasskeyLogin').implement({
  description: 'A step of signing in with a passkey: first the options, then the login.',
  fields: (t) => ({
    options: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Input of `PublicKeyCredential.parseRequestOptionsFromJSON`, with the field names of WebAuthn; single-use, valid for 5 minutes. Null after the login.',
      resolve: (answer) => ('options' in answer ? answer.options : null),
    }),
    ...loginFields(t),
  }),
});

const PasskeyPage = pageType('Passkey', PasskeyType);

builder.queryFields((t) => ({
  passkeys: t.field({
    ...pageField(PasskeyPage),
    description: 'Lists the caller’s passkeys, newest first. Not for API tokens.',
    args: listArgs('Passkey', passkeySortFields),
    ...guardedRoute('Authentication', ownLoginWhileEnrolling, { method: 'GET', path: '/auth/passkeys', csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pagePasskeys(ctx.deps, viewerOf(ctx), { ...args, ...page })),
  }),
}));

const UpdatePasskeyInput = builder.inputType('UpdatePasskeyInput', {
  description: 'Changes to a passkey.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
  }),
});

/** Why the recorded examples of the two ceremonies cannot be replayed. */
const challengeText =
  'The options contain a single-use challenge, and a response is valid for its challenge only: create each `response` in the browser from new options. A response in an example shows the format and is not accepted.';

builder.mutationFields((t) => ({
  registerPasskey: t.field({
    type: RegistrationType,
    description: `Registers a passkey, in two steps. Without \`response\` it returns the options; with \`name\` and \`response\` it stores the passkey, which counts as a second factor immediately. Only within an hour after the login. ${challengeText} Not for API tokens.`,
    args: {
      name: t.arg.string({
        ...bounded(nameRule),
        description: 'Display name, 1 to 100 characters on one line; required with `response`.',
      }),
      response: t.arg({
        type: 'JSON',
        description:
          'Result of `navigator.credentials.create`, serialized to JSON. If absent, the options are returned.',
      }),
    },
    ...guardedRoute('Authentication', ownLoginWhileEnrolling, {
      path: '/auth/webauthn/register',
      createsWith: 'response',
      category: 'auth',
      errors: ['CONFLICT'],
    }),
    resolve: (_root, { name, response }, ctx) => stepOfRegistration(ctx, name ?? null, response ?? null),
  }),
  authenticateWithPasskey: t.field({
    type: PasskeyLoginType,
    description: `Signs in with a passkey, in two steps. Without \`response\` it returns the options; with \`response\` it returns the login. With \`challengeToken\`, the passkey is the second factor of a password login; without it, the passkey is sufficient on its own and must verify the user. ${challengeText}`,
    args: {
      challengeToken: t.arg.string({
        description: 'The `challengeToken` of the login, the same in both steps.',
      }),
      email: t.arg.string({
        ...bounded(emailRule),
        description: 'Email address of the passkey’s user; if absent, any passkey of the authenticator is accepted.',
      }),
      response: t.arg({
        type: 'JSON',
        description: 'Result of `navigator.credentials.get`, serialized to JSON. If absent, the options are returned.',
      }),
    },
    ...publicRoute('Authentication', {
      path: '/auth/webauthn/authenticate',
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'ACCOUNT_LOCKED'],
    }),
    resolve: (_root, args, ctx) => stepOfLogin(ctx, args),
  }),
  updatePasskey: t.field({
    type: PasskeyType,
    description: 'Renames a passkey of the caller. Not for API tokens.',
    args: {
      id: t.arg.id({ required: true, description: 'UUID of the passkey.' }),
      input: t.arg({ type: UpdatePasskeyInput, required: true, description: 'Fields to change.' }),
    },
    ...guardedRoute('Authentication', ownLogin, { method: 'PATCH', path: '/auth/passkeys/{id}' }),
    resolve(_root, { id, input }, ctx, info) {
      const { select } = queryFromInfo({ context: ctx, info, select: { id: true } });
      return updatePasskey(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id, select });
    },
  }),
  deletePasskey: t.boolean({
    description:
      'Deletes a passkey of the caller. Where the organization requires a second factor and this was the last one, the caller must set up another one before anything else. Only within an hour after the login. Not for API tokens.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the passkey.' }) },
    ...guardedRoute('Authentication', ownLogin, { method: 'DELETE', path: '/auth/passkeys/{id}' }),
    resolve: (_root, { id }, ctx) => removePasskey(ctx.deps, viewerOf(ctx), actorOf(ctx), id).then(() => true),
  }),
}));

async function stepOfRegistration(
  ctx: Context,
  name: string | null,
  response: Record<string, unknown> | null,
): Promise<Registration> {
  const viewer = viewerOf(ctx);
  // Validated in the first step, too, although it is not needed there: invalid arguments are never ignored.
  if (name !== null) parseName(name, 'name');
  if (response === null) return { options: await registrationOptions(ctx.deps, viewer), passkey: null };
  if (name === null)
    throw invalid`${arg('name')} is required with ${mention('response')}: the display name of the passkey`;
  const passkey = await registerPasskey(ctx.deps, viewer, actorOf(ctx), { name, response });
  return { ...passkey, options: null, passkey };
}

async function stepOfLogin(
  ctx: Context,
  given: { challengeToken?: string | null; email?: string | null; response?: Record<string, unknown> | null },
): Promise<LoginParent> {
  const { challengeToken = null, email = null, response = null } = given;
  if (challengeToken !== null && email !== null)
    throw invalid`${arg('email')} cannot be combined with ${mention('challenge_token')}${fix}leave it out`;
  if (response !== null)
    return keepCookie(ctx, await logInWithPasskey(ctx.deps, ctx.actor, { response, challengeToken, email }));
  if (challengeToken !== null) return { options: await secondFactorOptions(ctx.deps, challengeToken) };
  return { options: await loginOptions(ctx.deps, email) };
}
