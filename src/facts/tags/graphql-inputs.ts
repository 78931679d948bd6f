import { nameRule } from '../../tenancy/auth/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { RuleInputType } from './graphql-types.ts';
import { providerRule } from '../provider.ts';
import { policyLimits, resourceTypesRule, rulesRule } from './input.ts';

const rulesText = `1 to ${policyLimits.rules} rules, one per tag key.`;
const nameText = 'Display name, 1 to 100 characters on one line.';
const providerText = 'Provider in scope, as a slug such as `aws`; null for all.';
const accountText =
  'UUID of the connected account in scope; null for all accounts, only for Admins with access to all.';
const typesText = `Resource types in scope, at most ${policyLimits.resourceTypes}, ignoring case; if empty, all types.`;
const enabledText = 'Whether the policy is evaluated.';

/** The input of `createTagPolicy`. */
export const CreateTagPolicyInput = builder.inputType('CreateTagPolicyInput', {
  description: 'A tag policy to create.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    rules: t.field({ ...bounded(rulesRule), type: [RuleInputType], required: true, description: rulesText }),
    provider: t.string({ ...bounded(providerRule), description: providerText }),
    accountId: t.id({ description: accountText }),
    resourceTypes: t.stringList({ ...bounded(resourceTypesRule), description: typesText }),
    enabled: t.boolean({ defaultValue: true, description: enabledText }),
  }),
});

/** The input of `updateTagPolicy`. */
export const UpdateTagPolicyInput = builder.inputType('UpdateTagPolicyInput', {
  description: 'Changes to a tag policy: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ ...unclearable(nameRule), description: nameText }),
    rules: t.field({
      ...unclearable(rulesRule),
      type: [RuleInputType],
      description: `${rulesText} Replaces the current rules.`,
    }),
    provider: t.string({ ...bounded(providerRule), description: providerText }),
    accountId: t.id({ description: accountText }),
    resourceTypes: t.stringList({
      ...bounded(resourceTypesRule),
      description: `${typesText} Replaces the current types.`,
    }),
    enabled: t.boolean({ ...unclearable(), description: enabledText }),
  }),
});
