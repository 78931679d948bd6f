import { providersRule } from '../../facts/provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { createBudget, deleteBudget, updateBudget } from './change.ts';
import { budgetBooks, BudgetPage, BudgetStatusType, BudgetType, BudgetPeriodType } from './graphql-types.ts';
import { budgetSortFields, pageBudgets, readBudget } from './list.ts';
import { CostMetricType } from '../../facts/costs/graphql-types.ts';
import { recordInputs } from '../../graph/record-inputs.ts';
import { nameShown, notifiedShown, targetShown } from './graphql-shared.ts';
import { budgetFields, budgetLimits } from './input.ts';

const [CreateBudgetInput, UpdateBudgetInput] = recordInputs('Budget', 'a budget', budgetFields, {
  name: nameShown,
  amount: { type: 'Decimal', text: 'Amount per calendar month in the budget’s currency: above 0, at most 6 decimals.' },
  currency: { type: 'String', text: 'ISO 4217 currency; cannot be changed later. Default: the organization’s.' },
  period: { type: BudgetPeriodType, text: 'Budget period.' },
  ...targetShown,
  alertThresholds: {
    type: ['Decimal'],
    text:
      `Alert thresholds in percent of the amount: at most ${budgetLimits.thresholds}, each above 0 and at most ` +
      `${budgetLimits.percent}, with at most 6 decimals, without duplicates. Each alerts once per calendar month.`,
    onCreate: ' Default: 80 and 100.',
    onUpdate: ' Replaces the current thresholds.',
  },
  ...notifiedShown,
  costMetric: { type: CostMetricType, text: 'Cost metric compared with the amount.' },
});

const idArg = 'UUID of the budget.';

builder.queryFields((t) => ({
  budgets: t.field({
    type: BudgetPage,
    description:
      'Lists budgets with their spend in the current month (UTC), newest first. Only budgets whose accounts are all in the caller’s scope.',
    complexity: pageComplexity,
    args: {
      accountId: t.arg.idList({ description: 'Only items of these connected accounts.' }),
      provider: t.arg.stringList({
        ...bounded(providersRule),
        description: 'Only items of these providers, as slugs such as `aws`.',
      }),
      service: t.arg.stringList({ description: 'Only items of these services.' }),
      status: t.arg({ type: [BudgetStatusType], description: 'Only items with these statuses.' }),
      ...sortArg('Budget', budgetSortFields),
      ...pageArgs(),
    },
    ...readRoute('Budgets', '/budgets', { csv: 'data' }),
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const reader = { scope: viewerOf(ctx).scope, books: budgetBooks(ctx) };
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageBudgets(ctx.deps, reader, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  budget: t.prismaField({
    type: BudgetType,
    description: 'Returns a budget with spend, forecast and alerts of the current month (UTC).',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...readRoute('Budgets', '/budgets/{id}', { errors: ['BUDGET_NOT_FOUND'] }),
    resolve: (query, _root, { id }, ctx) => readBudget(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createBudget: t.prismaField({
    type: BudgetType,
    description:
      'Creates a budget, owned by the caller. If thresholds are already reached this month, only the highest one sends a notification. For Members and Admins.',
    args: {
      input: t.arg({ type: CreateBudgetInput, required: true, description: 'The budget to create.' }),
    },
    ...writeRoute('Budgets', 'budgets.write', { method: 'POST', path: '/budgets', status: 201 }),
    async resolve(query, _root, { input }, ctx) {
      const { id } = await createBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), input);
      return readBudget(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  updateBudget: t.prismaField({
    type: BudgetType,
    description:
      'Updates a budget. If the change means that thresholds are reached, only the highest one sends a notification, unless it already did this month. For Members and Admins.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateBudgetInput, required: true, description: 'Fields to change.' }),
    },
    ...writeRoute('Budgets', 'budgets.write', { method: 'PATCH', path: '/budgets/{id}', errors: ['BUDGET_NOT_FOUND'] }),
    async resolve(query, _root, { id, input }, ctx) {
      await updateBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id });
      return readBudget(ctx.deps, viewerOf(ctx).scope, id, query);
    },
  }),
  deleteBudget: t.boolean({
    description: 'Deletes a budget and its alerts. For Members and Admins.',
    args: { id: t.arg.id({ required: true, description: idArg }) },
    ...writeRoute('Budgets', 'budgets.write', {
      method: 'DELETE',
      path: '/budgets/{id}',
      status: 204,

      errors: ['BUDGET_NOT_FOUND'],
    }),
    async resolve(_root, { id }, ctx) {
      await deleteBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));
