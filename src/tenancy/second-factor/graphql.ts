import { codeRule } from './code.ts';
import { triedPasswordRule } from '../login/password.ts';
import { answerType, text } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { guardedRoute, ownLogin, ownLoginWhileEnrolling } from '../../graph/rest.ts';
import { confirmTotp, disableTotp, renewRecoveryCodes, setUpTotp } from './setup.ts';

const TotpSetupType = answerType(
  'TwoFactorSetup',
  'A TOTP secret (RFC 6238: SHA-1, 6 digits, 30 seconds) for an authenticator app. It is shown once.',
  {
    secret: text('The secret in base32, for manual entry.'),
    otpauthUri: text('The secret as an `otpauth:` link.'),
    qrSvg: text('The link as a QR code, an SVG document.'),
  },
);

const RecoveryCodesType = builder.objectRef<string[]>('RecoveryCodes').implement({
  description: 'Recovery codes for the second factor, such as `7K3D-9QXM-2HTV-C4WA-5RNE-8ZP0`. They are shown once.',
  fields: (t) => ({
    recoveryCodes: t.stringList({ description: 'Ten single-use codes.', resolve: (codes) => codes }),
  }),
});

builder.mutationFields((t) => ({
  setUpTwoFactor: t.field({
    type: TotpSetupType,
    description:
      'Creates a TOTP secret. The secret replaces an unconfirmed one and is used at login once confirmed. Only within an hour after the login. Not for API tokens.',
    ...guardedRoute('Authentication', ownLoginWhileEnrolling, { path: '/auth/2fa/setup', errors: ['CONFLICT'] }),
    resolve: (_root, _args, ctx) => setUpTotp(ctx.deps, viewerOf(ctx)),
  }),
  confirmTwoFactor: t.field({
    type: RecoveryCodesType,
    description: 'Enables TOTP with a code from the app. Returns ten recovery codes. Not for API tokens.',
    args: {
      code: t.arg.string({
        ...bounded(codeRule),
        required: true,
        description: 'The current 6-digit code of the app; it cannot be used again.',
      }),
    },
    ...guardedRoute('Authentication', ownLoginWhileEnrolling, { path: '/auth/2fa/confirm', errors: ['CONFLICT'] }),
    resolve: (_root, args, ctx) => confirmTotp(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  disableTwoFactor: t.boolean({
    description:
      'Disables TOTP and deletes its secret. Recovery codes are deleted with the last second factor. Where the organization requires a second factor, the caller must set up another one before anything else. Not for API tokens.',
    args: {
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'The caller’s password.' }),
      code: t.arg.string({
        ...bounded(codeRule),
        required: true,
        description: 'The 6-digit code of the app, or a recovery code.',
      }),
    },
    ...guardedRoute('Authentication', ownLogin, {
      path: '/auth/2fa/disable',
      status: 204,
      errors: ['CONFLICT', 'ACCOUNT_LOCKED'],
    }),
    resolve: (_root, args, ctx) => disableTotp(ctx.deps, viewerOf(ctx), actorOf(ctx), args).then(() => true),
  }),
  renewRecoveryCodes: t.field({
    type: RecoveryCodesType,
    description:
      'Replaces the recovery codes with ten new ones. Also for users who only have passkeys. Not for API tokens.',
    args: {
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'The caller’s password.' }),
      code: t.arg.string({
        ...bounded(codeRule),
        description: 'The 6-digit code of the app, or a recovery code; required if TOTP is on.',
      }),
    },
    ...guardedRoute('Authentication', ownLogin, {
      path: '/auth/2fa/recovery-codes',
      errors: ['CONFLICT', 'ACCOUNT_LOCKED'],
    }),
    resolve: (_root, args, ctx) => renewRecoveryCodes(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
}));
