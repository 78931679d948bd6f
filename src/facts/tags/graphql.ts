import { enabledArg, placeArgs } from '../graphql.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, paged, pageField, selectedPage } from '../../graph/paging.ts';
import { readRoute } from '../../graph/rest.ts';
import { PolicyPage, PolicyType, ProblemEnum, RuleInputType, TagKeyPage, ViolationPage } from './graphql-types.ts';
import { policyLimits } from './policies/rule.ts';
import { keySortFields } from './list-store.ts';
import { violationSortFields } from './violation-list-store.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { createTagPolicy, deleteTagPolicy, policyFields, updateTagPolicy } from './policies/policies.ts';
import { pagePolicies, policies, policySortFields } from './policies/store.ts';
import { pageTags, pageViolations } from './run.ts';

const byCost = 'Largest cost first';

builder.queryFields((t) => ({
  tags: t.field({
    ...readRoute('Tags', '/tags', { csv: 'data' }),
    ...pageField(TagKeyPage),
    description: 'Lists tag keys of resources and of charges in the last 30 days, highest cost first.',
    args: {
      search: t.arg.string({ description: 'Text in the key, ignoring case.' }),
      ...placeArgs,
      ...listArgs('TagKey', keySortFields, byCost),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => pageTags(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  tagViolations: t.field({
    ...readRoute('Tags', '/tags/violations', { csv: 'data' }),
    ...pageField(ViolationPage),
    description:
      'Lists resources that violate enabled tag policies, highest cost first. Costs are compared in the organization’s currency, month by month like `converted`; resources without a rate come last. Resources with only tax, credit, adjustment, support or commitment charges count only if the provider’s inventory lists them.',
    args: {
      policyId: t.arg.idList({ description: 'Only violations of these policies.' }),
      key: t.arg.stringList({
        description:
          'Only violations of rules for these keys, ignoring case, with or without the `user:` prefix of AWS.',
      }),
      problem: t.arg({ type: [ProblemEnum], description: 'Only these problems.' }),
      resourceType: t.arg.stringList({ description: 'Only resources of these types.' }),
      byResource: t.arg.boolean({
        description:
          'True: pages consist of resources, each with all of its violations, and `perPage` and `total` count resources. Sorting by key or policy uses the first key of each resource. Default: false.',
      }),
      ...placeArgs,
      ...listArgs('TagViolation', violationSortFields, byCost),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => pageViolations(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  tagPolicies: t.field({
    ...readRoute('Tags', '/tag-policies', { csv: 'data' }),
    ...pageField(PolicyPage),
    description:
      'Lists tag policies, newest first. Policies of accounts in the caller’s scope, and of the whole organization.',
    args: {
      ...enabledArg,
      ...listArgs('TagPolicy', policySortFields),
    },
    resolve: selectedPage((ctx, args, page) => pagePolicies(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
}));

recordOperations('TagPolicy', 'a tag policy', {
  type: PolicyType,
  tag: 'Tags',
  path: '/tag-policies',
  can: 'tag_policies.write',
  fields: policyFields,
  shown: {
    name: { type: 'String', text: 'Display name, 1 to 100 characters on one line.' },
    rules: {
      type: [RuleInputType],
      text: `1 to ${policyLimits.rules} rules, one per tag key.`,
      onUpdate: ' Replaces the current rules.',
    },
    provider: { type: 'String', text: 'Provider in scope, as a slug such as `aws`; null for all.' },
    accountId: {
      type: 'ID',
      text: 'UUID of the connected account in scope; null for all accounts, only for Admins with access to all.',
    },
    resourceTypes: {
      type: ['String'],
      text: `Resource types in scope, at most ${policyLimits.resourceTypes}, ignoring case; if empty, all types.`,
      onUpdate: ' Replaces the current types.',
    },
    enabled: { type: 'Boolean', text: 'Whether the policy is evaluated.' },
  },
  descriptions: {
    id: 'UUID of the policy.',
    read: 'Returns a tag policy.',
    create: 'Creates a tag policy. A background job then checks the resources. For Admins.',
    update:
      'Updates a tag policy. A background job then checks the resources again. For Admins; policies of all accounts require access to all accounts.',
    remove:
      'Deletes a tag policy and its violations. For Admins; policies of all accounts require access to all accounts.',
  },
  read: (deps, { scope }, id, query) => policies.read(deps, scope, id, query),
  create: createTagPolicy,
  update: updateTagPolicy,
  remove: deleteTagPolicy,
});
