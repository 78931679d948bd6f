import { createContextCache } from '@pothos/core';
import { CostMetricType, UnconvertedType } from '../../facts/costs/graphql-types.ts';
import { columns, decimal, flag, instant, of, orNull, text, texts, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { accountInScope, batched, restName, takeOf, toMany } from '../../graph/relations.ts';
import { amountText, microsToNumber, roundAmount, type Amount } from '../../kit/money.ts';
import { newestOfAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { budgetColumns, budgetOf, selectBudgetsById, type BudgetAlert } from './store.ts';
import { percentUsed, statusAt, type Budget } from './budget.ts';
import { BudgetBooks } from './figures.ts';

export const BudgetStatusType = wordEnum('BudgetStatus', 'Status of a budget, based on spend in the current month.', {
  ok: 'Spend is below every threshold.',
  warning: 'Spend has reached a threshold, but not the amount.',
  exceeded: 'Spend is at or above the amount.',
});

export const BudgetPeriodType = wordEnum('BudgetPeriod', 'Budget period.', {
  monthly: 'A calendar month in UTC.',
});

const number = (amount: Amount): number => microsToNumber(roundAmount(amount));
const moneyText = 'in `currency`, rounded to 6 decimals';

const AlertType = builder.objectRef<BudgetAlert>('BudgetAlert').implement({
  description: 'A threshold reached in the current month. Each threshold alerts once per month.',
  fields: (t) => ({
    threshold: t.field({
      type: 'Decimal',
      description: 'Threshold in percent of the amount.',
      resolve: ({ threshold }) => Number(amountText(threshold)),
    }),
    triggeredAt: t.expose('triggeredAt', { type: 'DateTime', description: 'When the threshold was reached.' }),
    spend: t.field({
      type: 'Decimal',
      description: `Spend at that time, ${moneyText}.`,
      resolve: ({ spend }) => number(spend),
    }),
  }),
});

const booksOf = createContextCache((ctx: Context) => new BudgetBooks(ctx.deps, viewerOf(ctx).scope.organizationId));
const spentOf = batched((budgets: readonly Budget[], ctx) => budgetBooks(ctx).spent(budgets));
const forecastsOf = batched(async (budgets: readonly Budget[], ctx) => {
  const books = budgetBooks(ctx);
  return books.forecasts(await books.spent(budgets));
});
const alertsOf = batched((budgets: readonly Budget[], ctx) => budgetBooks(ctx).alerts(budgets));

/** Returns the request's cache of budget figures. */
export function budgetBooks(ctx: Context): BudgetBooks {
  return booksOf(ctx);
}

export const BudgetType = builder.prismaObject('Budget', {
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
  description:
    'A spending limit per calendar month (UTC) with actual and forecasted spend over the accounts in its owner’s scope.',
  fields: (t) =>
    columns(t, 'Budget', {
      id: uuid('UUIDv7 of the budget.'),
      name: text('Display name.'),
      amount: decimal(`Monthly amount, ${moneyText}.`),
      currency: text('Currency of the budget, ISO 4217. Does not change with the organization’s currency.'),
      period: of(BudgetPeriodType, 'Budget period.'),
      accountId: orNull(uuid('Connected account in scope; null for all accounts.')),
      account: t.relation('account', accountInScope),
      provider: orNull(text('Provider in scope, as a slug such as `aws`; null for all.')),
      service: orNull(text('FOCUS ServiceName in scope; null for all.')),
      alertThresholds: t.field({
        type: ['Decimal'],
        description: 'Alert thresholds in percent of the amount, ascending.',
        select: { alertThresholds: true },
        resolve: ({ alertThresholds }) => alertThresholds.map(Number),
      }),
      emails: texts('Additional email addresses to notify.'),
      slack: flag('Whether to notify the owner’s webhook as well.'),
      costMetric: of(CostMetricType, 'Cost metric compared with the amount.'),
      currentSpend: t.field({
        type: 'Decimal',
        description: `Spend in the current month up to today, ${moneyText}.`,
        select: budgetColumns,
        resolve: async (row, _args, ctx) => number((await spentOf(budgetOf(row), ctx)).spend.amount),
      }),
      forecastedSpend: t.field({
        type: 'Decimal',
        nullable: true,
        description: `Forecasted spend for the whole month, ${moneyText}. Null if no forecast is possible.`,
        select: budgetColumns,
        resolve: async (row, _args, ctx) => (await forecastsOf(budgetOf(row), ctx)).forecast,
      }),
      percentUsed: t.field({
        type: 'Decimal',
        description: '`currentSpend` in percent of the amount, 2 decimals; below 0 if credits exceed costs.',
        select: budgetColumns,
        async resolve(row, _args, ctx) {
          const { budget, spend } = await spentOf(budgetOf(row), ctx);
          return percentUsed(budget, spend.amount);
        },
      }),
      remaining: t.field({
        type: 'Decimal',
        description: `The amount minus \`currentSpend\`, ${moneyText}; negative if the budget is exceeded.`,
        select: budgetColumns,
        async resolve(row, _args, ctx) {
          const { budget, spend } = await spentOf(budgetOf(row), ctx);
          return microsToNumber(roundAmount(budget.amount) - roundAmount(spend.amount));
        },
      }),
      status: t.field({
        type: BudgetStatusType,
        description: 'Current status. It can improve when bills are restated.',
        select: budgetColumns,
        async resolve(row, _args, ctx) {
          const { budget, spend } = await spentOf(budgetOf(row), ctx);
          return statusAt(budget, spend.amount);
        },
      }),
      alerts: t.field({
        type: [AlertType],
        description: 'Alerts of the current month, lowest threshold first.',
        select: budgetColumns,
        resolve: (row, _args, ctx) => alertsOf(budgetOf(row), ctx),
      }),
      unconverted: t.field({
        type: [UnconvertedType],
        description: 'Costs without an exchange rate to `currency`, excluded from all other figures.',
        select: budgetColumns,
        async resolve(row, _args, ctx) {
          const { spend } = await spentOf(budgetOf(row), ctx);
          return [...spend.unconverted]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([currency, cost]) => ({ currency, cost: number(cost) }));
        },
      }),
      completeThrough: t.field({
        type: 'Date',
        nullable: true,
        description: 'Last day through which the bills of all accounts in scope are complete; null if there is none.',
        select: budgetColumns,
        resolve: async (row, _args, ctx) => (await spentOf(budgetOf(row), ctx)).spend.completeThrough,
      }),
      createdById: uuid('UUID of the owner.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

const budgetsOf = newestOfAccount('budgets', selectBudgetsById);

builder.prismaObjectField('Account', 'budgets', (t) =>
  t.prismaField({
    ...toMany,
    type: [BudgetType],
    description: 'Budgets of the account, newest first.',
    resolve: (query, { id: accountId }, args, ctx) => budgetsOf({ accountId, first: takeOf(args) }, query, ctx),
  }),
);

export const BudgetPage = pageType('Budget', BudgetType);
