import { newPasswordRule } from './password.ts';
import { emailRule, nameRule } from './input.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';

const nameText = 'Display name, 1 to 100 characters on one line.';

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
