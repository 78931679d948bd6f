import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { PolicyPage, PolicyType, ProblemEnum, RuleInputType, TagKeyPage, ViolationPage } from './graphql-types.ts';
import { policyLimits } from './input.ts';
import { keySortFields } from './list-store.ts';
import { violationSortFields } from './violation-list-store.ts';
import { createTagPolicy, deleteTagPolicy, pagePolicies, updateTagPolicy } from './policies.ts';
import { policySortFields } from './policy-store.ts';
import { pageTags, pageViolations } from './run.ts';

const idArg = 'UUID of the policy.';
const authScopes = { signedIn: true, can: 'tag_policies.write' } as const;
const soon = 'Resources are judged anew within moments, in a job.';
const byCost = 'Largest cost first';

builder.queryFields((t) => ({
  tags: t.field({
    type: TagKeyPage,
    description: 'The tag keys that resources, and charges of the last 30 days, carry; the largest cost first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      search: t.arg.string({ description: 'Only keys that hold this text, whatever its case.' }),
      accountId: t.arg.idList({ description: 'Only in these connected accounts.' }),
      provider: t.arg.stringList({ description: 'Only at these providers, as slugs such as `aws`.' }),
      ...sortArg(keySortFields, byCost),
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
      'The resources that break enabled tag policies, and how; the largest cost first, as the organization’s currency ' +
      'has it by the rate of the month of the account’s last complete day, what has no rate last. What ' +
      'nobody can tag breaks none: what is known from taxes, credits, adjustments, support or commitments alone.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      policyId: t.arg.idList({ description: 'Only of these policies.' }),
      key: t.arg.stringList({
        description: 'Only of rules for these keys, whatever their case, with or without the `user:` of AWS.',
      }),
      problem: t.arg({ type: [ProblemEnum], description: 'Only these problems.' }),
      resourceType: t.arg.stringList({ description: 'Only resources of these types.' }),
      accountId: t.arg.idList({ description: 'Only in these connected accounts.' }),
      provider: t.arg.stringList({ description: 'Only at these providers, as slugs such as `aws`.' }),
      ...sortArg(violationSortFields, byCost),
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
      'The tag policies that are about accounts which the caller may see, those of the whole organization among them; ' +
      'newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      enabled: t.arg.boolean({ description: 'Only those that are enabled, or that are not.' }),
      ...sortArg(policySortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/tag-policies', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pagePolicies(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
}));

const rulesText = `What it expects: 1 to ${policyLimits.rules} rules, one a key.`;
const nameText = 'Display name, 1 to 100 characters on one line.';
const providerText = 'Provider whose resources it is about, as a slug such as `aws`; null: every one.';
const accountText =
  'UUID of the connected account whose resources it is about; null: every one, for Admins who see all accounts.';
const typesText = `Resource types that it is about, at most ${policyLimits.resourceTypes}, whatever their case; none: every one.`;
const enabledText = 'Whether resources are judged by it.';

builder.mutationFields((t) => ({
  createTagPolicy: t.field({
    type: PolicyType,
    description: `Makes a tag policy. ${soon} For Admins.`,
    authScopes,
    args: {
      name: t.arg.string({ required: true, description: nameText }),
      rules: t.arg({ type: [RuleInputType], required: true, description: rulesText }),
      provider: t.arg.string({ description: providerText }),
      accountId: t.arg.id({ description: accountText }),
      resourceTypes: t.arg.stringList({ description: typesText }),
      enabled: t.arg.boolean({ defaultValue: true, description: enabledText }),
    },
    extensions: { rest: route({ method: 'POST', path: '/tag-policies', status: 201, category: 'write' }) },
    resolve: (_root, args, ctx) => createTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  updateTagPolicy: t.field({
    type: PolicyType,
    description: `Changes what is named of a tag policy. ${soon} For Admins; a policy of every account, for those who see all.`,
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      name: t.arg.string({ description: nameText }),
      rules: t.arg({ type: [RuleInputType], description: `${rulesText} In place of those it had.` }),
      provider: t.arg.string({ description: providerText }),
      accountId: t.arg.id({ description: accountText }),
      resourceTypes: t.arg.stringList({ description: `${typesText} In place of those it had.` }),
      enabled: t.arg.boolean({ description: enabledText }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/tag-policies/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateTagPolicy(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deleteTagPolicy: t.boolean({
    description:
      'Deletes a tag policy, and with it its violations. For Admins; a policy of every account, for those who see all.',
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
