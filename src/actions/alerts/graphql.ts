import { providersRule } from '../../facts/provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { createAlertRule, deleteAlertRule, pageRules, readRule, updateAlertRule } from './change.ts';
import { AlertRulePage, AlertRuleType, AlertMetricType, AlertOperatorType } from './graphql-types.ts';
import { ruleSortFields } from './store.ts';
import { recordInputs } from '../../graph/record-inputs.ts';
import { nameShown, notifiedShown, targetShown } from '../../analysis/budgets/graphql-shared.ts';
import { ruleFields } from './input.ts';

const [CreateAlertRuleInput, UpdateAlertRuleInput] = recordInputs('AlertRule', 'an alert rule', ruleFields, {
  name: nameShown,
  metric: { type: AlertMetricType, text: 'Metric.' },
  operator: { type: AlertOperatorType, text: 'How the value of the metric is compared with the threshold.' },
  threshold: {
    type: 'Decimal',
    text: 'Threshold: money in the organization’s currency, or percent; at most 6 decimals.',
  },
  ...targetShown,
  tagKey: {
    type: 'String',
    text: 'Only charges with this tag key, with or without the `user:` prefix of AWS; null for all charges.',
  },
  tagValue: {
    type: 'String',
    text: 'Only charges with this tag value; null for any value. Requires `tagKey`.',
  },
  ...notifiedShown,
  enabled: { type: 'Boolean', text: 'Whether the rule is evaluated and sends notifications.' },
});

const idArg = 'UUID of the rule.';

builder.queryFields((t) => ({
  alertRules: t.field({
    type: AlertRulePage,
    description: 'Lists alert rules, newest first. Only rules whose accounts are all in the caller’s scope.',
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
    ...readRoute('Alert rules', '/alert-rules', { csv: 'data' }),
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
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Alert rules', '/alert-rules/{id}'),
    resolve: (query, _root, { id }, ctx) => readRule(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createAlertRule: t.prismaField({
    type: AlertRuleType,
    description:
      'Creates an alert rule, owned by the caller. A background job evaluates it for the last complete day and every later one. For Admins.',
    args: {
      input: t.arg({ type: CreateAlertRuleInput, required: true, description: 'The alert rule to create.' }),
    },
    ...writeRoute('Alert rules', 'alert_rules.write', { method: 'POST', path: '/alert-rules', status: 201 }),
    async resolve(query, _root, { input }, ctx) {
      const { id } = await createAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return readRule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateAlertRule: t.prismaField({
    type: AlertRuleType,
    description:
      'Updates an alert rule. A changed condition is evaluated again for the last complete day, unless the rule has already notified for that day. For Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateAlertRuleInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Alert rules', 'alert_rules.write', { method: 'PATCH', path: '/alert-rules/{id}' }),
    async resolve(query, _root, { id, input }, ctx) {
      await updateAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readRule(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteAlertRule: t.boolean({
    description: 'Deletes an alert rule. For Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Alert rules', 'alert_rules.write', { method: 'DELETE', path: '/alert-rules/{id}', status: 204 }),
    async resolve(_root, { id }, ctx) {
      await deleteAlertRule(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));
