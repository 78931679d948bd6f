import { providersRule } from '../provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { CreateTagPolicyInput, UpdateTagPolicyInput } from './graphql-inputs.ts';
import { PolicyPage, PolicyType, ProblemEnum, TagKeyPage, ViolationPage } from './graphql-types.ts';
import { keySortFields } from './list-store.ts';
import { violationSortFields } from './violation-list-store.ts';
import { createTagPolicy, deleteTagPolicy, pagePolicies, updateTagPolicy } from './policies.ts';
import { readPolicy } from './policy-access.ts';
import { policySortFields } from './policy-store.ts';
import { pageTags, pageViolations } from './run.ts';

const idArg = 'UUID of the policy.';
const authScopes = { signedIn: true, can: 'tag_policies.write' } as const;
const byCost = 'Largest cost first';

builder.queryFields((t) => ({
  tags: t.field({
    type: TagKeyPage,
    description: 'Lists tag keys of resources and of charges in the last 30 days, highest cost first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      search: t.arg.string({ description: 'Text in the key, ignoring case.' }),
      accountId: t.arg.idList({ description: 'Only items in these connected accounts.' }),
      provider: t.arg.stringList({
        ...bounded(providersRule),
        description: 'Only items at these providers, as slugs such as `aws`.',
      }),
      ...sortArg('TagKey', keySortFields, byCost),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/tags', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageTags(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  tagViolations: t.field({
    type: ViolationPage,
    description:
      'Lists resources that violate enabled tag policies, highest cost first. Costs are compared in the organization’s currency, at the rate of the month of the account’s last complete day; resources without a rate come last. Resources that only have taxes, credits, adjustments, support or commitment charges cannot be tagged and never violate a policy.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      policyId: t.arg.idList({ description: 'Only violations of these policies.' }),
      key: t.arg.stringList({
        description:
          'Only violations of rules for these keys, ignoring case, with or without the `user:` prefix of AWS.',
      }),
      problem: t.arg({ type: [ProblemEnum], description: 'Only these problems.' }),
      resourceType: t.arg.stringList({ description: 'Only resources of these types.' }),
      accountId: t.arg.idList({ description: 'Only items in these connected accounts.' }),
      provider: t.arg.stringList({
        ...bounded(providersRule),
        description: 'Only items at these providers, as slugs such as `aws`.',
      }),
      ...sortArg('TagViolation', violationSortFields, byCost),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/tags/violations', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageViolations(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  tagPolicies: t.field({
    type: PolicyPage,
    description:
      'Lists tag policies, newest first. Policies of accounts in the caller’s scope, and of the whole organization.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      enabled: t.arg.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
      ...sortArg('TagPolicy', policySortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/tag-policies', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pagePolicies(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  tagPolicy: t.prismaField({
    type: PolicyType,
    description: 'Returns a tag policy.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: 'UUID of the policy.' }) },
    extensions: { rest: route({ method: 'GET', path: '/tag-policies/{id}', category: 'read' }) },
    resolve: (query, _root, { id }, ctx) => readPolicy(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createTagPolicy: t.prismaField({
    type: PolicyType,
    description: 'Creates a tag policy. A background job then checks the resources. For Admins.',
    authScopes,
    args: {
      input: t.arg({ type: CreateTagPolicyInput, required: true, description: 'The tag policy to create.' }),
    },
    extensions: { rest: route({ method: 'POST', path: '/tag-policies', status: 201, category: 'write' }) },
    async resolve(query, _root, { input }, ctx) {
      const { id } = await createTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return readPolicy(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateTagPolicy: t.prismaField({
    type: PolicyType,
    description:
      'Updates a tag policy. A background job then checks the resources again. For Admins; policies of all accounts need access to all accounts.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateTagPolicyInput, required: true, description: 'Fields to change.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/tag-policies/{id}', category: 'write' }) },
    async resolve(query, _root, { id, input }, ctx) {
      await updateTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readPolicy(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteTagPolicy: t.boolean({
    description:
      'Deletes a tag policy and its violations. For Admins; policies of all accounts need access to all accounts.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'DELETE', path: '/tag-policies/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await deleteTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Tags'], ...rest };
}
