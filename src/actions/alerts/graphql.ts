import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { createAlertRule, deleteAlertRule, pageRules, readRule, updateAlertRule } from './change.ts';
import { AlertMetricType, AlertOperatorType, AlertRulePage, AlertRuleType } from './graphql-types.ts';
import { ruleSortFields } from './store.ts';

const idArg = 'UUID of the rule.';
const authScopes = { signedIn: true, can: 'alert_rules.write' } as const;

builder.queryFields((t) => ({
  alertRules: t.field({
    type: AlertRulePage,
    description: 'The alert rules that are wholly about accounts which the caller may see; newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      accountId: t.arg.idList({ description: 'Only those about these connected accounts.' }),
      provider: t.arg.stringList({ description: 'Only those about these providers, as slugs such as `aws`.' }),
      service: t.arg.stringList({ description: 'Only those about these services.' }),
      enabled: t.arg.boolean({ description: 'Only those that are enabled, or that are not.' }),
      ...sortArg(ruleSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/alert-rules', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageRules(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  alertRule: t.field({
    type: AlertRuleType,
    description: 'One alert rule that is wholly about accounts which the caller may see.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/alert-rules/{id}', category: 'read' }) },
    resolve: (_root, { id }, ctx) => readRule(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

const nameText = 'Display name, 1 to 100 characters on one line.';
const metricText = 'What it looks at.';
const operatorText = 'How the figure must stand to the threshold.';
const thresholdText =
  'What the figure is compared with: money in the organization’s currency, or percent; at most 6 decimals.';
const accountText =
  'UUID of the connected account that it is about; null: all accounts, for those who see all. Naming it ends a filter that ' +
  'an owner who has left had put on the rule.';
const providerText = 'Provider that it is about, as a slug such as `aws`; null: all.';
const serviceText = 'Service that it is about, FOCUS ServiceName; null: all.';
const keyText = 'Only charges that carry this tag key, with or without the `user:` of AWS; null: all.';
const valueText = 'Only charges with this value of the tag; null: any value. Needs `tagKey`.';
const emailsText = 'Addresses that are told beside the owner’s, at most 20.';
const slackText = 'Whether it is told through its owner’s webhook too.';
const enabledText = 'Whether it tells anybody anything.';

builder.mutationFields((t) => ({
  createAlertRule: t.field({
    type: AlertRuleType,
    description:
      'Makes an alert rule, which the caller owns. It is held against the last complete day within moments, in a job, and ' +
      'against each later one. For Admins.',
    authScopes,
    args: {
      name: t.arg.string({ required: true, description: nameText }),
      metric: t.arg({ type: AlertMetricType, required: true, description: metricText }),
      operator: t.arg({ type: AlertOperatorType, required: true, description: operatorText }),
      threshold: t.arg({ type: 'Decimal', required: true, description: thresholdText }),
      accountId: t.arg.id({ description: accountText }),
      provider: t.arg.string({ description: providerText }),
      service: t.arg.string({ description: serviceText }),
      tagKey: t.arg.string({ description: keyText }),
      tagValue: t.arg.string({ description: valueText }),
      emails: t.arg.stringList({ description: emailsText }),
      slack: t.arg.boolean({ defaultValue: false, description: slackText }),
      enabled: t.arg.boolean({ defaultValue: true, description: enabledText }),
    },
    extensions: { rest: route({ method: 'POST', path: '/alert-rules', status: 201, category: 'write' }) },
    resolve: (_root, args, ctx) => createAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  updateAlertRule: t.field({
    type: AlertRuleType,
    description:
      'Changes what is named of an alert rule. Where its condition changes, it is held against the last complete day anew, ' +
      'but for a day on which it was told already. For Admins.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      name: t.arg.string({ description: nameText }),
      metric: t.arg({ type: AlertMetricType, description: metricText }),
      operator: t.arg({ type: AlertOperatorType, description: operatorText }),
      threshold: t.arg({ type: 'Decimal', description: thresholdText }),
      accountId: t.arg.id({ description: accountText }),
      provider: t.arg.string({ description: providerText }),
      service: t.arg.string({ description: serviceText }),
      tagKey: t.arg.string({ description: keyText }),
      tagValue: t.arg.string({ description: valueText }),
      emails: t.arg.stringList({ description: `${emailsText} In place of those it had.` }),
      slack: t.arg.boolean({ description: slackText }),
      enabled: t.arg.boolean({ description: enabledText }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/alert-rules/{id}', category: 'write' }) },
    resolve: (_root, args, ctx) => updateAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
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
