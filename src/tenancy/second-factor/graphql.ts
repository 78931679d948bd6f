import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { disableTotp } from './disable.ts';
import { renewRecoveryCodes } from './recovery.ts';
import { confirmTotp, setUpTotp, type TotpSetup } from './setup.ts';

const TotpSetupType = builder.objectRef<TotpSetup>('TwoFactorSetup').implement({
  description: 'A TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds) for an authenticator app. It is shown once.',
  fields: (t) => ({
    secret: t.exposeString('secret', { description: 'The secret in base32, for typing in.' }),
    otpauthUri: t.exposeString('otpauthUri', { description: 'The secret as an `otpauth:` link.' }),
    qrSvg: t.exposeString('qrSvg', { description: 'The link as a QR code, an SVG document.' }),
  }),
});

const RecoveryCodesType = builder.objectRef<string[]>('RecoveryCodes').implement({
  description: 'Codes that stand in for the second factor, such as `7K3D-9QXM-2HTV`. They are shown once.',
  fields: (t) => ({
    recoveryCodes: t.stringList({ description: 'Ten codes, each good once.', resolve: (codes) => codes }),
  }),
});

// Where the organization requires a second factor, these two are open to who has yet to set one up.
const whileEnrolling = { enrolling: true, interactive: true, can: 'self.write' } as const;
const authScopes = { signedIn: true, interactive: true, can: 'self.write' } as const;

builder.mutationFields((t) => ({
  setUpTwoFactor: t.field({
    type: TotpSetupType,
    description:
      'Makes a TOTP secret, in place of one that was never confirmed. It is asked for at login once it is confirmed. Not for ' +
      'API tokens.',
    authScopes: whileEnrolling,
    extensions: { rest: route({ path: '/auth/2fa/setup', errors: ['CONFLICT'] }) },
    resolve: (_root, _args, ctx) => setUpTotp(ctx.deps, viewerOf(ctx)),
  }),
  confirmTwoFactor: t.field({
    type: RecoveryCodesType,
    description: 'Turns TOTP on with a code of the app, and gives ten recovery codes. Not for API tokens.',
    authScopes: whileEnrolling,
    args: {
      code: t.arg.string({ required: true, description: 'The 6 digits that the app shows; they are used up by this.' }),
    },
    extensions: { rest: route({ path: '/auth/2fa/confirm', errors: ['CONFLICT'] }) },
    resolve: (_root, args, ctx) => confirmTotp(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  disableTwoFactor: t.boolean({
    description:
      'Turns TOTP off and destroys its secret; recovery codes end with the last second factor. Where the organization ' +
      'requires one, the next has to be set up before anything else. Not for API tokens. Always true.',
    authScopes,
    args: {
      password: t.arg.string({ required: true, description: 'The caller’s password.' }),
      code: t.arg.string({ required: true, description: 'The 6 digits of the app, or a recovery code.' }),
    },
    extensions: { rest: route({ path: '/auth/2fa/disable', status: 204, errors: ['CONFLICT', 'ACCOUNT_LOCKED'] }) },
    async resolve(_root, args, ctx) {
      await disableTotp(ctx.deps, viewerOf(ctx), actorOf(ctx), args);
      return true;
    },
  }),
  renewRecoveryCodes: t.field({
    type: RecoveryCodesType,
    description:
      'Gives ten new recovery codes in place of all earlier ones, also to who has passkeys alone. Not for API tokens.',
    authScopes,
    args: {
      password: t.arg.string({ required: true, description: 'The caller’s password.' }),
      code: t.arg.string({ description: 'The 6 digits of the app, or a recovery code; required where TOTP is on.' }),
    },
    extensions: { rest: route({ path: '/auth/2fa/recovery-codes', errors: ['CONFLICT', 'ACCOUNT_LOCKED'] }) },
    resolve: (_root, args, ctx) => renewRecoveryCodes(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
}));

function route(rest: Pick<RestRoute, 'path'> & Partial<RestRoute>): RestRoute {
  return { method: 'POST', status: 200, tags: ['Authentication'], category: 'write', ...rest };
}
