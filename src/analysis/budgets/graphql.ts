import { CostMetricType } from '../../facts/costs/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { createBudget, deleteBudget, updateBudget } from './change.ts';
import { BudgetPage, BudgetPeriodType, BudgetStatusType, BudgetType } from './graphql-types.ts';
import { budgetLimits } from './input.ts';
import { budgetSortFields, pageBudgets, readBudget } from './list.ts';

const idArg = 'UUID of the budget.';
const authScopes = { signedIn: true, can: 'budgets.write' } as const;

builder.queryFields((t) => ({
  budgets: t.field({
    type: BudgetPage,
    description:
      'The budgets that are wholly about accounts which the caller may see, with what is spent of them in the running month ' +
      '(UTC); newest first.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: {
      accountId: t.arg.idList({ description: 'Only those about these connected accounts.' }),
      provider: t.arg.stringList({ description: 'Only those about these providers, as slugs such as `aws`.' }),
      service: t.arg.stringList({ description: 'Only those about these services.' }),
      status: t.arg({ type: [BudgetStatusType], description: 'Only those that stand like this.' }),
      ...sortArg(budgetSortFields),
      ...pageArgs(),
    },
    extensions: { rest: route({ method: 'GET', path: '/budgets', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx) {
      const page = pageRequest(args);
      const { rows, total } = await pageBudgets(ctx.deps, viewerOf(ctx).scope, args, page);
      return pageOf(rows, total, page);
    },
  }),
  budget: t.field({
    type: BudgetType,
    description: 'A budget with its spend, its forecast and its alerts of the running month (UTC).',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: route({ method: 'GET', path: '/budgets/{id}', category: 'read', errors: ['BUDGET_NOT_FOUND'] }),
    },
    resolve: (_root, { id }, ctx) => readBudget(ctx.deps, viewerOf(ctx).scope, id),
  }),
}));

const nameText = 'Display name, 1 to 100 characters on one line.';
const amountText = 'How much may be spent in a calendar month, in the budget’s currency: above 0, at most 6 decimals.';
const periodText = 'How often it starts anew.';
const accountText =
  'UUID of the connected account that it is about; null: all accounts, for those who see all. Naming it ends a filter that ' +
  'an owner who has left had put on the budget.';
const providerText = 'Provider that it is about, as a slug such as `aws`; null: all.';
const serviceText = 'Service that it is about, FOCUS ServiceName; null: all.';
const thresholdsText =
  `Percentages of the amount at which it alerts: at most ${budgetLimits.thresholds}, each above 0 and at most ` +
  `${budgetLimits.percent}, none twice. Each alerts once a calendar month.`;
const emailsText = 'Addresses that are told beside the owner’s, at most 20.';
const slackText = 'Whether it is told through its owner’s webhook too.';
const metricText = 'Which cost is held against it.';

builder.mutationFields((t) => ({
  createBudget: t.field({
    type: BudgetType,
    description:
      'Makes a budget, which the caller owns. Of the thresholds that this month’s spend has passed already, the highest is ' +
      'told. For Members and Admins.',
    authScopes,
    args: {
      name: t.arg.string({ required: true, description: nameText }),
      amount: t.arg({ type: 'Decimal', required: true, description: amountText }),
      currency: t.arg.string({ description: 'Its currency, ISO 4217, for good. The organization’s without it.' }),
      period: t.arg({ type: BudgetPeriodType, defaultValue: 'monthly', description: periodText }),
      accountId: t.arg.id({ description: accountText }),
      provider: t.arg.string({ description: providerText }),
      service: t.arg.string({ description: serviceText }),
      alertThresholds: t.arg({ type: ['Decimal'], description: `${thresholdsText} 80 and 100 without it.` }),
      emails: t.arg.stringList({ description: emailsText }),
      slack: t.arg.boolean({ defaultValue: false, description: slackText }),
      costMetric: t.arg({ type: CostMetricType, defaultValue: 'effective', description: metricText }),
    },
    extensions: { rest: route({ method: 'POST', path: '/budgets', status: 201, category: 'write' }) },
    resolve: (_root, args, ctx) => createBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  updateBudget: t.field({
    type: BudgetType,
    description:
      'Changes what is named of a budget. Of the thresholds that pass by the change, the highest is told, unless it was in ' +
      'this month already. For Members and Admins.',
    authScopes,
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      name: t.arg.string({ description: nameText }),
      amount: t.arg({ type: 'Decimal', description: amountText }),
      period: t.arg({ type: BudgetPeriodType, description: periodText }),
      accountId: t.arg.id({ description: accountText }),
      provider: t.arg.string({ description: providerText }),
      service: t.arg.string({ description: serviceText }),
      alertThresholds: t.arg({ type: ['Decimal'], description: `${thresholdsText} In place of those it had.` }),
      emails: t.arg.stringList({ description: `${emailsText} In place of those it had.` }),
      slack: t.arg.boolean({ description: slackText }),
      costMetric: t.arg({ type: CostMetricType, description: metricText }),
    },
    extensions: {
      rest: route({ method: 'PATCH', path: '/budgets/{id}', category: 'write', errors: ['BUDGET_NOT_FOUND'] }),
    },
    resolve: (_root, args, ctx) => updateBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deleteBudget: t.boolean({
    description: 'Deletes a budget, and its alerts with it. For Members and Admins.',
    authScopes,
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: {
      rest: route({
        method: 'DELETE',
        path: '/budgets/{id}',
        status: 204,
        category: 'write',
        errors: ['BUDGET_NOT_FOUND'],
      }),
    },
    async resolve(_root, { id }, ctx) {
      await deleteBudget(ctx.deps, viewerOf(ctx), actorOf(ctx), id);
      return true;
    },
  }),
}));

function route(rest: Partial<RestRoute> & Pick<RestRoute, 'method' | 'path' | 'category'>): RestRoute {
  return { status: 200, tags: ['Budgets'], ...rest };
}
