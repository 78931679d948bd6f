import { nameRule } from '../../tenancy/login/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { CredentialsInput, SettingsInput } from './settings/graphql-types.ts';
import { ProviderEnum } from './graphql-types.ts';

/** The input of `connectAccount`. */
export const ConnectAccountInput = builder.inputType('ConnectAccountInput', {
  description: 'An account to connect.',
  fields: (t) => ({
    name: t.string({
      ...bounded(nameRule),
      required: true,
      description: 'Display name, 1 to 100 characters.',
    }),
    provider: t.field({
      type: ProviderEnum,
      required: true,
      description: 'How the account is connected.',
    }),
    credentials: t.field({
      type: CredentialsInput,
      description: 'Credentials for the provider; none for a local `focus` folder. Write-only.',
    }),
    settings: t.field({
      type: SettingsInput,
      description: 'Location of the billing data.',
    }),
  }),
});

/** The input of `updateAccount`. */
export const UpdateAccountInput = builder.inputType('UpdateAccountInput', {
  description: 'Changes to an account: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({
      ...unclearable(nameRule),
      description: 'New display name, 1 to 100 characters.',
    }),
    credentials: t.field({
      ...unclearable(),
      type: CredentialsInput,
      description: 'New credentials for the same account at the provider, checked before they are saved.',
    }),
    settings: t.field({
      ...unclearable(),
      type: SettingsInput,
      description:
        'Changes of the billing data’s location: given fields are replaced, null clears, others are unchanged.',
    }),
  }),
});
