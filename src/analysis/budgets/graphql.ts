import { conversionOf, convertedAmountText, convertedInText, ownCurrency, targetArgs } from '../../facts/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { readRoute } from '../../graph/rest.ts';
import { createBudget, updateBudget } from './change.ts';
import { budgetSortFields, pageBudgets } from './list.ts';
import { budgetColumns, budgetOf, budgets, type BudgetAlert } from './store.ts';
import {
  CostMetricType,
  ProvisionalRateType,
  MissingBillType,
  missingBillsText,
  provisionalRatesText,
  UnconvertedType,
} from '../../facts/costs/graphql-types.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { BudgetPeriodType, targetColumns } from './graphql-types.ts';
import { periodOn, type BudgetPeriod, type Period } from './period.ts';
import { nameShown, notifiedShown, targetShown } from './target.ts';
import { budgetFields, budgetLimits } from './input.ts';
import { createContextCache } from '@pothos/core';
import {
  answerType,
  columns,
  decimal,
  flag,
  instant,
  of,
  orNull,
  text,
  texts,
  uuid,
  uuids,
} from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { accountInScope, foundById, batched, restName } from '../../graph/relations.ts';
import { amountText, amountToNumber, microsToNumber, roundAmount } from '../../kit/money.ts';
import { addDays, monthAt, type Day } from '../../kit/time/period.ts';
import { listOnAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { percentUsed, projectedStatusAt, statusAt, type Budget } from './budget.ts';
import { BudgetFigures } from './figures.ts';
import type { Budget as BudgetRow } from '../../../prisma/generated/client/client.ts';
import { unconvertedCosts } from '../../facts/costs/cells.ts';
import type { ExactSpend } from '../../facts/costs/history/exact.ts';

const reached = {
  warning: 'Spend has reached a threshold, but not the amount.',
  exceeded: 'Spend is at or above the amount.',
};

const BudgetStatusType = wordEnum('BudgetStatus', 'Status of a budget, based on spend in the current period.', {
  ok: 'Spend is below every threshold.',
  ...reached,
});

const ProjectedStatusType = wordEnum(
  'ProjectedBudgetStatus',
  'Status of a budget, based on spend and forecast of the current period.',
  {
    ok: 'Spend is below every threshold, and the forecast does not exceed the amount.',
    at_risk: 'Spend is below every threshold, but the forecast exceeds the amount.',
    ...reached,
  },
);

const moneyText = 'in `currency`, rounded to 6 decimals';

const AlertType = builder.objectRef<BudgetAlert>('BudgetAlert').implement({
  description: 'A threshold reached in the current period. Each threshold alerts once per period.',
  fields: (t) => ({
    threshold: t.field({
      type: 'Decimal',
      description: 'Threshold as a percentage of the amount.',
      resolve: ({ threshold }) => Number(amountText(threshold)),
    }),
    triggeredAt: t.expose('triggeredAt', { type: 'DateTime', description: 'When the threshold was reached.' }),
    spend: t.field({
      type: 'Decimal',
      description: `Spend at that time, ${moneyText}.`,
      resolve: ({ spend }) => amountToNumber(spend),
    }),
  }),
});

const figuresOf = createContextCache((ctx: Context) => new BudgetFigures(ctx.deps, viewerOf(ctx).scope.organizationId));
const spentOf = batched((all: readonly Budget[], ctx) => figuresOf(ctx).spent(all));
const forecastsOf = batched(async (all: readonly Budget[], ctx) => {
  const figures = figuresOf(ctx);
  return figures.forecasts(await figures.spent(all));
});
const alertsOf = batched((all: readonly Budget[], ctx) => figuresOf(ctx).alerts(all));

const unavailableText = 'Null if the costs could not be read in time.';

/** Options of a field that is computed from a budget and its spend in the current period; null without the spend. */
function ofSpend<Value>(description: string, valueOf: (spend: ExactSpend, budget: Budget) => Value) {
  return {
    nullable: true,
    description: `${description} ${unavailableText}`,
    select: budgetColumns,
    resolve: async (row: BudgetRow, _args: object, ctx: Context) => {
      const { budget, spend } = await spentOf(budgetOf(row), ctx);
      return spend && valueOf(spend, budget);
    },
  } as const;
}

/** As `ofSpend`, for a list: empty without the spend. */
function listOfSpend<Value>(description: string, valueOf: (spend: ExactSpend) => readonly Value[]) {
  return {
    description,
    select: budgetColumns,
    resolve: async (row: BudgetRow, _args: object, ctx: Context) => {
      const { spend } = await spentOf(budgetOf(row), ctx);
      return spend ? valueOf(spend) : [];
    },
  };
}

/** Options of a field that is computed from the current period of a budget. */
function ofPeriod(description: string, valueOf: (period: Period) => Day) {
  return {
    description,
    select: { period: true },
    resolve: ({ period }: Pick<BudgetRow, 'period'>, _args: object, ctx: Context) =>
      // Only written with a value of that type.
      valueOf(periodOn(period as BudgetPeriod, figuresOf(ctx).today)),
  };
}

const ConvertedBudgetType = answerType('ConvertedBudget', 'Amounts of a budget in the organization’s currency.', {
  currency: ownCurrency,
  amount: decimal(convertedAmountText('amount')),
  currentSpend: orNull(decimal(convertedAmountText('currentSpend'))),
  remaining: orNull(decimal('`amount` minus `currentSpend`; null without it.')),
});

async function convertedBudget(row: BudgetRow, _args: object, ctx: Context) {
  const to = await conversionOf({ currency: row.currency, month: monthAt(ctx.deps.clock.now()) }, ctx);
  if (to === null) return null;
  const { budget, spend } = await spentOf(budgetOf(row), ctx);
  const amount = to.micros(amountText(budget.amount));
  const currentSpend = spend && to.micros(amountText(spend.amount));
  return {
    currency: to.currency,
    amount: microsToNumber(amount),
    currentSpend: currentSpend === null ? null : microsToNumber(currentSpend),
    remaining: currentSpend === null ? null : microsToNumber(amount - currentSpend),
  };
}

const BudgetType = builder.prismaObject('Budget', {
  ...foundById,
  description:
    'A spending limit per calendar month, quarter or year (UTC) with actual and forecasted spend over the accounts in its owner’s scope.',
  fields: (t) =>
    columns(t, 'Budget', {
      id: uuid('UUIDv7 of the budget.'),
      name: text('Display name.'),
      amount: decimal(`Amount per period, ${moneyText}.`),
      currency: text('Currency of the budget, ISO 4217. Does not change with the organization’s currency.'),
      converted: t.field({
        type: ConvertedBudgetType,
        nullable: true,
        description: convertedInText('the current month'),
        select: budgetColumns,
        resolve: convertedBudget,
      }),
      period: of(BudgetPeriodType, 'Budget period.'),
      periodStart: t.field({
        type: 'Date',
        ...ofPeriod('First day of the current period.', ({ start }) => start),
      }),
      periodEnd: t.field({
        type: 'Date',
        ...ofPeriod('Last day of the current period, inclusive.', ({ end }) => addDays(end, -1)),
      }),
      accountId: orNull(uuid('UUID of the connected account in scope; null for all accounts.')),
      account: t.relation('account', accountInScope),
      ...targetColumns,
      alertThresholds: t.field({
        type: ['Decimal'],
        description: 'Alert thresholds as a percentage of the amount, ascending.',
        select: { alertThresholds: true },
        resolve: ({ alertThresholds }) => alertThresholds.map(Number),
      }),
      emails: texts('Additional email addresses to notify.'),
      slack: flag('Whether to notify the owner’s webhook as well.'),
      channelIds: uuids('UUIDs of the channels that are notified as well.'),
      costMetric: of(CostMetricType, 'Cost metric compared with the amount.'),
      currentSpend: t.field({
        type: 'Decimal',
        ...ofSpend(`Spend in the current period up to today, ${moneyText}.`, ({ amount }) => amountToNumber(amount)),
      }),
      forecastedSpend: t.field({
        type: 'Decimal',
        nullable: true,
        description: `Forecasted spend for the whole period, ${moneyText}. Null if no forecast is possible.`,
        select: budgetColumns,
        resolve: async (row, _args, ctx) => (await forecastsOf(budgetOf(row), ctx)).forecast,
      }),
      percentUsed: t.field({
        type: 'Decimal',
        ...ofSpend(
          '`currentSpend` as a percentage of the amount, 2 decimals; below 0 if credits exceed costs.',
          ({ amount }, budget) => percentUsed(budget, amount),
        ),
      }),
      remaining: t.field({
        type: 'Decimal',
        ...ofSpend(
          `The amount minus \`currentSpend\`, ${moneyText}; negative if the budget is exceeded.`,
          (spend, budget) => microsToNumber(roundAmount(budget.amount) - roundAmount(spend.amount)),
        ),
      }),
      status: t.field({
        type: BudgetStatusType,
        ...ofSpend('Current status. It can improve when bills are restated.', ({ amount }, budget) =>
          statusAt(budget, amount),
        ),
      }),
      projectedStatus: t.field({
        type: ProjectedStatusType,
        nullable: true,
        description:
          '`status`, or `at_risk` if it is `ok` and `forecastedSpend` exceeds the amount. Null without `status`.',
        select: budgetColumns,
        resolve: async (row, _args, ctx) => {
          const { budget, spend, forecast } = await forecastsOf(budgetOf(row), ctx);
          return spend && projectedStatusAt(budget, { spend: spend.amount, forecast });
        },
      }),
      alerts: t.field({
        type: [AlertType],
        description: 'Alerts of the current period, lowest threshold first.',
        select: budgetColumns,
        resolve: (row, _args, ctx) => alertsOf(budgetOf(row), ctx),
      }),
      unconverted: t.field({
        type: [UnconvertedType],
        ...listOfSpend('Costs without an exchange rate to `currency`, excluded from all other figures.', (spend) =>
          unconvertedCosts(spend.unconverted),
        ),
      }),
      provisionalRates: t.field({
        type: [ProvisionalRateType],
        ...listOfSpend(provisionalRatesText, ({ provisionalRates }) => provisionalRates),
      }),
      missingBills: t.field({
        type: [MissingBillType],
        ...listOfSpend(missingBillsText, ({ missingBills }) => missingBills),
      }),
      completeThrough: t.field({
        type: 'Date',
        ...ofSpend(
          'Last day through which the bills of all accounts in scope are complete; null if there is none.',
          ({ completeThrough }) => completeThrough,
        ),
      }),
      createdById: uuid('UUID of the owner.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

listOnAccount('budgets', 'budgets', BudgetType, {
  description: 'Budgets of the account, newest first.',
  select: (...read) => budgets.select(...read),
});

const BudgetPage = pageType('Budget', BudgetType);

builder.queryField('budgets', (t) =>
  t.field({
    ...pageField(BudgetPage),
    description:
      'Lists budgets with their spend in the current period (UTC), newest first. Only budgets whose accounts are all in the caller’s scope.',
    args: {
      ...targetArgs,
      period: t.arg({ type: [BudgetPeriodType], description: 'Only budgets of these periods.' }),
      status: t.arg({ type: [BudgetStatusType], description: 'Only items with these statuses.' }),
      projectedStatus: t.arg({
        type: [ProjectedStatusType],
        description: 'Only budgets with these projected statuses, which separate `at_risk` from `ok`.',
      }),
      ...listArgs('Budget', budgetSortFields),
    },
    ...readRoute('Budgets', '/budgets', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) =>
      pageBudgets(ctx.deps, { scope: viewerOf(ctx).scope, figures: figuresOf(ctx) }, args, page),
    ),
  }),
);

recordOperations('Budget', 'a budget', {
  type: BudgetType,
  tag: 'Budgets',
  path: '/budgets',
  can: 'budgets.write',
  errors: ['BUDGET_NOT_FOUND'],
  fields: budgetFields,
  shown: {
    name: nameShown,
    amount: {
      type: 'Decimal',
      text: 'Amount per period in the budget’s currency: above 0, at most 6 decimals.',
    },
    currency: { type: 'String', text: 'ISO 4217 currency; cannot be changed later. Default: the organization’s.' },
    period: {
      type: BudgetPeriodType,
      text: 'Budget period. After a change, the spend of the new current period is compared at once.',
    },
    ...targetShown,
    alertThresholds: {
      type: ['Decimal'],
      text:
        `Alert thresholds as a percentage of the amount: at most ${budgetLimits.thresholds}, each above 0 and at most ` +
        `${budgetLimits.percent}, with at most 6 decimals, without duplicates. Each alerts once per period.`,
      onCreate: ' Default: 80 and 100.',
      onUpdate: ' Replaces the current thresholds.',
    },
    ...notifiedShown,
    costMetric: { type: CostMetricType, text: 'Cost metric compared with the amount.' },
  },
  descriptions: {
    id: 'UUID of the budget.',
    read: 'Returns a budget with spend, forecast and alerts of the current period (UTC).',
    create:
      'Creates a budget, owned by the caller. If thresholds are already reached in the current period, only the highest one sends a notification. For Members and Admins.',
    update:
      'Updates a budget. If the change means that thresholds are reached, only the highest one sends a notification, unless it already did in the current period. For Members and Admins.',
    remove: 'Deletes a budget and its alerts. For Members and Admins.',
  },
  read: (deps, { scope }, id, query) => budgets.read(deps, scope, id, query),
  create: createBudget,
  update: updateBudget,
  remove: (...asked) => budgets.delete(...asked),
});
