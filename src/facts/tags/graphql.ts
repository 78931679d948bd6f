import { providersRule } from '../provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageSelection, paged, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { PolicyPage, PolicyType, ProblemEnum, RuleInputType, TagKeyPage, ViolationPage } from './graphql-types.ts';
import { policyLimits } from './policies/rule.ts';
import { keySortFields } from './list-store.ts';
import { violationSortFields } from './violation-list-store.ts';
import { recordInputs } from '../../graph/record-inputs.ts';
import { createTagPolicy, deleteTagPolicy, policyFields, readPolicy, updateTagPolicy } from './policies/policies.ts';
import { pagePolicies, policySortFields } from './policies/store.ts';
import { pageTags, pageViolations } from './run.ts';

const [CreateTagPolicyInput, UpdateTagPolicyInput] = recordInputs('TagPolicy', 'a tag policy', policyFields, {
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
});

const placeArgs = builder.args((t) => ({
  accountId: t.idList({ description: 'Only items in these connected accounts.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Only items at these providers, as slugs such as `aws`.',
  }),
}));
const idArg = 'UUID of the policy.';
const byCost = 'Largest cost first';

builder.queryFields((t) => ({
  tags: t.field({
    ...readRoute('Tags', '/tags', { csv: 'data' }),
    type: TagKeyPage,
    description: 'Lists tag keys of resources and of charges in the last 30 days, highest cost first.',
    complexity: pageComplexity,
    args: {
      search: t.arg.string({ description: 'Text in the key, ignoring case.' }),
      ...placeArgs,
      ...sortArg('TagKey', keySortFields, byCost),
      ...pageArgs(),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => pageTags(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  tagViolations: t.field({
    ...readRoute('Tags', '/tags/violations', { csv: 'data' }),
    type: ViolationPage,
    description:
      'Lists resources that violate enabled tag policies, highest cost first. Costs are compared in the organization’s currency, at the rate of the month of the account’s last complete day; resources without a rate come last. Resources that only have taxes, credits, adjustments, support or commitment charges cannot be tagged and never violate a policy.',
    complexity: pageComplexity,
    args: {
      policyId: t.arg.idList({ description: 'Only violations of these policies.' }),
      key: t.arg.stringList({
        description:
          'Only violations of rules for these keys, ignoring case, with or without the `user:` prefix of AWS.',
      }),
      problem: t.arg({ type: [ProblemEnum], description: 'Only these problems.' }),
      resourceType: t.arg.stringList({ description: 'Only resources of these types.' }),
      ...placeArgs,
      ...sortArg('TagViolation', violationSortFields, byCost),
      ...pageArgs(),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => pageViolations(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  tagPolicies: t.field({
    ...readRoute('Tags', '/tag-policies', { csv: 'data' }),
    type: PolicyPage,
    description:
      'Lists tag policies, newest first. Policies of accounts in the caller’s scope, and of the whole organization.',
    complexity: pageComplexity,
    args: {
      enabled: t.arg.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
      ...sortArg('TagPolicy', policySortFields),
      ...pageArgs(),
    },
    resolve: (_root, args, ctx, info) =>
      paged(args, (page) =>
        pagePolicies(ctx.deps, viewerOf(ctx).scope, args, { ...page, ...pageSelection(ctx, info) }),
      ),
  }),
  tagPolicy: t.prismaField({
    ...readRoute('Tags', '/tag-policies/{id}'),
    type: PolicyType,
    description: 'Returns a tag policy.',
    args: { id: t.arg.id({ required: true, description: 'UUID of the policy.' }) },
    resolve: (query, _root, { id }, ctx) => readPolicy(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createTagPolicy: t.prismaField({
    type: PolicyType,
    description: 'Creates a tag policy. A background job then checks the resources. For Admins.',
    args: {
      input: t.arg({ type: CreateTagPolicyInput, required: true, description: 'The tag policy to create.' }),
    },
    ...writeRoute('Tags', 'tag_policies.write', { method: 'POST', path: '/tag-policies', status: 201 }),
    async resolve(query, _root, { input }, ctx) {
      const { id } = await createTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return readPolicy(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateTagPolicy: t.prismaField({
    type: PolicyType,
    description:
      'Updates a tag policy. A background job then checks the resources again. For Admins; policies of all accounts need access to all accounts.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateTagPolicyInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Tags', 'tag_policies.write', { method: 'PATCH', path: '/tag-policies/{id}' }),
    async resolve(query, _root, { id, input }, ctx) {
      await updateTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readPolicy(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteTagPolicy: t.boolean({
    description:
      'Deletes a tag policy and its violations. For Admins; policies of all accounts need access to all accounts.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Tags', 'tag_policies.write', { method: 'DELETE', path: '/tag-policies/{id}', status: 204 }),
    async resolve(_root, { id }, ctx) {
      await deleteTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));
