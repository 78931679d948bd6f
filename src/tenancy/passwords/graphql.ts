import { newPasswordRule, triedPasswordRule } from '../login/password.ts';
import { emailRule } from '../login/input.ts';
import { answerType, flag } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { guardedRoute, ownLogin, publicRoute } from '../../graph/rest.ts';
import { changePassword, resetPassword } from './change.ts';
import { requestReset } from './forgot.ts';

const ForgotPasswordType = answerType(
  'ForgotPassword',
  'Response to a password reset request, the same for every address.',
  { accepted: flag('Always true. If the address is registered, an email with a link is sent to it.') },
);

const newPasswordDescription = '8 to 128 characters of any kind; the most common passwords are rejected.';

builder.mutationFields((t) => ({
  forgotPassword: t.field({
    type: ForgotPasswordType,
    description:
      'Sends a password reset link by email. The link works once, within an hour. The response does not reveal whether the user exists; a user gets at most five emails per hour.',
    args: {
      email: t.arg.string({
        ...bounded(emailRule),
        required: true,
        description: 'Email address of the user, ignoring case.',
      }),
    },
    ...publicRoute('Authentication', { path: '/auth/forgot-password', status: 202 }),
    async resolve(_root, args, ctx) {
      await requestReset(ctx.deps, ctx.actor, args);
      return { accepted: true };
    },
  }),
  resetPassword: t.boolean({
    description:
      'Sets a new password with the token from a reset email. Ends all sessions of the user and lifts a login lock.',
    args: {
      token: t.arg.string({
        required: true,
        description: 'The `token` from the link in the email: single-use, valid for an hour.',
      }),
      password: t.arg.string({ ...bounded(newPasswordRule), required: true, description: newPasswordDescription }),
    },
    ...publicRoute('Authentication', { path: '/auth/reset-password', status: 204 }),
    resolve: (_root, args, ctx) => resetPassword(ctx.deps, ctx.actor, args).then(() => true),
  }),
  changePassword: t.boolean({
    description:
      'Changes the caller’s password. Ends all other sessions. A wrong old password counts as a failed login. Not for API tokens.',
    args: {
      password: t.arg.string({ ...bounded(triedPasswordRule), required: true, description: 'Current password.' }),
      newPassword: t.arg.string({ ...bounded(newPasswordRule), required: true, description: newPasswordDescription }),
    },
    ...guardedRoute('Authentication', ownLogin, {
      path: '/auth/change-password',
      status: 204,
      errors: ['ACCOUNT_LOCKED'],
    }),
    resolve: (_root, args, ctx) => changePassword(ctx.deps, viewerOf(ctx), actorOf(ctx), args).then(() => true),
  }),
}));
