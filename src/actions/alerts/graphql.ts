import { CreateAlertRuleInput, UpdateAlertRuleInput } from './graphql-inputs.ts';
import { providersRule } from '../../facts/provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { createAlertRule, deleteAlertRule, pageRules, readRule, updateAlertRule } from './change.ts';
import { AlertRulePage, AlertRuleType } from './graphql-types.ts';
import { ruleSortFields } from './store.ts';

const idArg = 'UUID of the rule.';
const authScopes = { signedIn: true, can: 'alert_rules.write' } as const;

builder.queryFields((t) => ({
  alertRules: t.field({
    type: AlertRulePage,
    description: 'Lists alert rules, newest first. Only rules whose accounts are all in the caller’s scope.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      accountId: t.arg.idList({ description: 'Only items of these connected accounts.' }),
      provider: t.arg.stringList({
        ...bounded(providersRule),
        description: 'Only items of these providers, as slugs such as `aws`.',
      }),
      service: t.arg.stringList({ description: 'Only items of these services.' }),
      enabled: t.arg.boolean({ description: 'True: only enabled items. False: only disabled items.' }),
      ...sortArg('AlertRule', ruleSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/alert-rules', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageRules(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  alertRule: t.prismaField({
    type: AlertRuleType,
    description: 'Returns an alert rule.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/alert-rules/{id}', category: 'read' }) },
    resolve: (query, _root, { id }, ctx) => readRule(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createAlertRule: t.prismaField({
    type: AlertRuleType,
    description:
      'Creates an alert rule, owned by the caller. A background job evaluates it for the last complete day and every later one. For Admins.',
    authScopes,
    args: {
      input: t.arg({ type: CreateAlertRuleInput, required: true, description: 'The alert rule to create.' }),
    },
    extensions: { rest: route({ method: 'POST', path: '/alert-rules', status: 201, category: 'write' }) },
    async resolve(query, _root, { input }, ctx) {
      const { id } = await createAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return readRule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateAlertRule: t.prismaField({
    type: AlertRuleType,
    description:
      'Updates an alert rule. A changed condition is evaluated again for the last complete day, unless the rule has already notified for that day. For Admins.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateAlertRuleInput, required: true, description: 'Fields to change.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/alert-rules/{id}', category: 'write' }) },
    async resolve(query, _root, { id, input }, ctx) {
      await updateAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readRule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteAlertRule: t.boolean({
    description: 'Deletes an alert rule. For Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'DELETE', path: '/alert-rules/{id}', status: 204, category: 'write' }) },
    async resolve(_root, { id }, ctx) {
      await deleteAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Alert rules'], ...rest };
}
