import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { changePassword } from './change.ts';
import { requestReset } from './forgot.ts';
import { resetPassword } from './reset.ts';

const ForgotPasswordType = builder.objectRef<{ accepted: true }>('ForgotPassword').implement({
  description: 'The answer to whoever forgot a password: the same for every address.',
  fields: (t) => ({
    accepted: t.exposeBoolean('accepted', {
      description: 'Always true. If the address is one of ours, a mail with a link is on its way to it.',
    }),
  }),
});

const newPasswordDescription = '8 to 128 characters of any kind; the most common passwords are refused.';

builder.mutationFields((t) => ({
  forgotPassword: t.field({
    type: ForgotPasswordType,
    description:
      'Sends a mail with a link that lets its reader choose a new password, once and within an hour. Whether there is such a ' +
      'user cannot be told from the answer. A user is sent at most five within an hour.',
    args: { email: t.arg.string({ required: true, description: 'The user’s address; case does not matter.' }) },
    extensions: {
      rest: route({ path: '/auth/forgot-password', status: 202, category: 'auth', public: true }),
    },
    async resolve(_root, args, ctx) {
      await requestReset(ctx.deps, ctx.actor, args);
      return { accepted: true } as const;
    },
  }),
  resetPassword: t.boolean({
    description:
      'Sets a new password with the token of a mail. Every session of the user ends, and so does a lock of their login.',
    args: {
      token: t.arg.string({
        required: true,
        description: 'The `token` of the link in the mail: good once, for an hour.',
      }),
      password: t.arg.string({ required: true, description: newPasswordDescription }),
    },
    extensions: {
      rest: route({ path: '/auth/reset-password', status: 204, category: 'auth', public: true }),
    },
    async resolve(_root, args, ctx) {
      await resetPassword(ctx.deps, ctx.actor, args);
      return true;
    },
  }),
  changePassword: t.boolean({
    description:
      'Sets a new password for the caller, whose other sessions end. A wrong old password counts as a failed login. Not for ' +
      'API tokens.',
    authScopes: { signedIn: true, interactive: true, can: 'self.write' },
    args: {
      password: t.arg.string({ required: true, description: 'The password as it is now.' }),
      newPassword: t.arg.string({ required: true, description: newPasswordDescription }),
    },
    extensions: {
      rest: route({ path: '/auth/change-password', status: 204, category: 'write', errors: ['ACCOUNT_LOCKED'] }),
    },
    async resolve(_root, args, ctx) {
      await changePassword(ctx.deps, viewerOf(ctx), actorOf(ctx), args);
      return true;
    },
  }),
}));

function route(rest: Omit<RestRoute, 'tags' | 'method'>): RestRoute {
  return { method: 'POST', tags: ['Authentication'], ...rest };
}
