import { CostMetricType, UnconvertedType } from '../../facts/costs/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { amountText, microsToNumber, roundAmount, type Amount } from '../../kit/money.ts';
import type { BudgetAlert } from './alert-store.ts';
import { percentUsed, statusAt } from './budget.ts';
import type { BudgetView } from './figures.ts';

/** How a budget stands. */
export const BudgetStatusType = builder.enumType('BudgetStatus', {
  description: 'How a budget stands at what is spent in the running month.',
  values: {
    OK: { value: 'ok', description: 'No threshold is reached.' },
    WARNING: { value: 'warning', description: 'A threshold is reached; the amount is not.' },
    EXCEEDED: { value: 'exceeded', description: 'All of the amount is spent, or more.' },
  } as const,
});

/** How often a budget starts anew. */
export const BudgetPeriodType = builder.enumType('BudgetPeriod', {
  description: 'How often a budget starts anew.',
  values: { MONTHLY: { value: 'monthly', description: 'With each calendar month, in UTC.' } } as const,
});

const number = (amount: Amount): number => microsToNumber(roundAmount(amount));
const moneyText = 'in `currency`, rounded to 6 decimals';

const AlertType = builder.objectRef<BudgetAlert>('BudgetAlert').implement({
  description: 'A threshold that was reached in the running month. It is told once, whatever the spend does after.',
  fields: (t) => ({
    threshold: t.field({
      type: 'Decimal',
      description: 'The threshold, in percent of the amount.',
      resolve: ({ threshold }) => Number(amountText(threshold)),
    }),
    triggeredAt: t.expose('triggeredAt', { type: 'DateTime', description: 'When it was found to be reached.' }),
    spend: t.field({
      type: 'Decimal',
      description: `What had been spent then, ${moneyText}.`,
      resolve: ({ spend }) => number(spend),
    }),
  }),
});

/** A budget with its figures. */
export const BudgetType = builder.objectRef<BudgetView>('Budget').implement({
  description:
    'How much may be spent in a calendar month (UTC), and what is. Its figures are those of the accounts that its owner may ' +
    'see.',
  fields: (t) => ({
    id: t.id({ description: 'UUIDv7 of the budget.', resolve: ({ budget }) => budget.id }),
    name: t.string({ description: 'Its display name.', resolve: ({ budget }) => budget.name }),
    amount: t.field({
      type: 'Decimal',
      description: `How much may be spent in a month, ${moneyText}.`,
      resolve: ({ budget }) => number(budget.amount),
    }),
    currency: t.string({
      description: 'Currency of the budget, ISO 4217: kept when the organization’s changes.',
      resolve: ({ budget }) => budget.currency,
    }),
    period: t.field({
      type: BudgetPeriodType,
      description: 'How often it starts anew.',
      resolve: ({ budget }) => budget.period,
    }),
    accountId: t.id({
      nullable: true,
      description: 'The connected account that it is about; null: all accounts.',
      resolve: ({ budget }) => budget.accountId,
    }),
    provider: t.string({
      nullable: true,
      description: 'The provider that it is about, as a slug such as `aws`; null: all.',
      resolve: ({ budget }) => budget.provider,
    }),
    service: t.string({
      nullable: true,
      description: 'The service that it is about, FOCUS ServiceName; null: all.',
      resolve: ({ budget }) => budget.service,
    }),
    alertThresholds: t.field({
      type: ['Decimal'],
      description: 'Percentages of the amount at which it alerts, ascending.',
      resolve: ({ budget }) => budget.thresholds.map((threshold) => Number(amountText(threshold))),
    }),
    emails: t.stringList({
      description: 'Addresses that are told beside its owner’s.',
      resolve: ({ budget }) => [...budget.emails],
    }),
    slack: t.boolean({
      description: 'Whether it is told through its owner’s webhook too.',
      resolve: ({ budget }) => budget.slack,
    }),
    costMetric: t.field({
      type: CostMetricType,
      description: 'Which cost is held against it.',
      resolve: ({ budget }) => budget.costMetric,
    }),
    currentSpend: t.field({
      type: 'Decimal',
      description: `What was spent in the running month up to today, ${moneyText}.`,
      resolve: ({ spend }) => number(spend.amount),
    }),
    forecastedSpend: t.field({
      type: 'Decimal',
      nullable: true,
      description: `What will have been spent when the month is over, ${moneyText}. Null where nothing can be foretold.`,
      resolve: ({ forecast }) => forecast,
    }),
    percentUsed: t.field({
      type: 'Decimal',
      description: '`currentSpend` in percent of the amount, 2 decimals; below 0 where credits are more than costs.',
      resolve: ({ budget, spend }) => percentUsed(budget, spend.amount),
    }),
    remaining: t.field({
      type: 'Decimal',
      description: `The amount less \`currentSpend\`, ${moneyText}; below 0 where more was spent.`,
      resolve: ({ budget, spend }) => microsToNumber(roundAmount(budget.amount) - roundAmount(spend.amount)),
    }),
    status: t.field({
      type: BudgetStatusType,
      description: 'How it stands now: it may get better when bills are restated.',
      resolve: ({ budget, spend }) => statusAt(budget, spend.amount),
    }),
    alerts: t.field({
      type: [AlertType],
      description: 'What was told in the running month, the lowest threshold first.',
      resolve: ({ alerts }) => [...alerts],
    }),
    unconverted: t.field({
      type: [UnconvertedType],
      description: 'Costs that have no exchange rate to `currency`: no other figure holds them.',
      resolve: ({ spend }) =>
        [...spend.unconverted]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([currency, cost]) => ({ currency, cost: number(cost) })),
    }),
    completeThrough: t.field({
      type: 'Date',
      nullable: true,
      description: 'The last day up to which the bills of all its accounts are complete; null before the first.',
      resolve: ({ spend }) => spend.completeThrough,
    }),
    createdBy: t.id({
      description: 'UUID of the user who owns it.',
      resolve: ({ budget }) => budget.createdById,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was made.',
      resolve: ({ budget }) => budget.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When it was changed last.',
      resolve: ({ budget }) => budget.updatedAt,
    }),
  }),
});

/** A page of budgets. */
export const BudgetPage = pageType('Budget', BudgetType);
