import { currencyRule } from '../../tenancy/org/organization.ts';
import { providerRule } from '../../facts/provider.ts';
import { emailsRule, serviceRule } from './target.ts';
import { nameRule } from '../../tenancy/login/input.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { CostMetricType } from '../../facts/costs/graphql-types.ts';
import { builder } from '../../graph/builder.ts';
import { BudgetPeriodType } from './graphql-types.ts';
import { budgetLimits, amountRule, thresholdsRule } from './input.ts';

const nameText = 'Display name, 1 to 100 characters on one line.';
const amountText = 'Amount per calendar month in the budget’s currency: above 0, at most 6 decimals.';
const periodText = 'Budget period.';
const thresholdsText =
  `Alert thresholds in percent of the amount: at most ${budgetLimits.thresholds}, each above 0 and at most ` +
  `${budgetLimits.percent}, with at most 6 decimals, without duplicates. Each alerts once per calendar month.`;
const metricText = 'Cost metric compared with the amount.';

/** Descriptions of what budgets and alert rules have in common: their scope and their notifications. */
export const sharedTexts = {
  account:
    'UUID of the connected account in scope; null for all accounts, only for callers with access to all. Replaces a restriction inherited from a former owner.',
  provider: 'Provider in scope, as a slug such as `aws`; null for all.',
  service: 'FOCUS ServiceName in scope; null for all.',
  emails: 'Additional email addresses to notify, at most 20.',
  slack: 'Whether to notify the owner’s webhook as well.',
};

/** The input of `createBudget`. */
export const CreateBudgetInput = builder.inputType('CreateBudgetInput', {
  description: 'A budget to create.',
  fields: (t) => ({
    name: t.string({ ...bounded(nameRule), required: true, description: nameText }),
    amount: t.field({ ...bounded(amountRule), type: 'Decimal', required: true, description: amountText }),
    currency: t.string({
      ...bounded(currencyRule),
      description: 'ISO 4217 currency; cannot be changed later. Default: the organization’s.',
    }),
    period: t.field({ type: BudgetPeriodType, defaultValue: 'monthly', description: periodText }),
    accountId: t.id({ description: sharedTexts.account }),
    provider: t.string({ ...bounded(providerRule), description: sharedTexts.provider }),
    service: t.string({ ...bounded(serviceRule), description: sharedTexts.service }),
    alertThresholds: t.field({
      ...bounded(thresholdsRule),
      type: ['Decimal'],
      description: `${thresholdsText} Default: 80 and 100.`,
    }),
    emails: t.stringList({ ...bounded(emailsRule), description: sharedTexts.emails }),
    slack: t.boolean({ defaultValue: false, description: sharedTexts.slack }),
    costMetric: t.field({ type: CostMetricType, defaultValue: 'effective', description: metricText }),
  }),
});

/** The input of `updateBudget`. */
export const UpdateBudgetInput = builder.inputType('UpdateBudgetInput', {
  description: 'Changes to a budget: omitted fields stay unchanged.',
  fields: (t) => ({
    name: t.string({ ...unclearable(nameRule), description: nameText }),
    amount: t.field({ ...unclearable(amountRule), type: 'Decimal', description: amountText }),
    period: t.field({ ...unclearable(), type: BudgetPeriodType, description: periodText }),
    accountId: t.id({ description: sharedTexts.account }),
    provider: t.string({ ...bounded(providerRule), description: sharedTexts.provider }),
    service: t.string({ ...bounded(serviceRule), description: sharedTexts.service }),
    alertThresholds: t.field({
      ...unclearable(thresholdsRule),
      type: ['Decimal'],
      description: `${thresholdsText} Replaces the current thresholds.`,
    }),
    emails: t.stringList({
      ...bounded(emailsRule),
      description: `${sharedTexts.emails} Replaces the current addresses.`,
    }),
    slack: t.boolean({ ...unclearable(), description: sharedTexts.slack }),
    costMetric: t.field({ ...unclearable(), type: CostMetricType, description: metricText }),
  }),
});
