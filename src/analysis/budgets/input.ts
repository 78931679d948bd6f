import type { CostMetric } from '../../facts/costs/query.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { givenDecimals, parseAmount, parseDecimal, type Amount } from '../../kit/money.ts';
import {
  defaulted,
  fixed,
  given,
  parseChange,
  parseRecord,
  required,
  type RecordChange,
  type RecordInput,
} from '../../kit/record-fields.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';
import { currencyRule, parseCurrency } from '../../tenancy/org/organization.ts';
import type { BudgetValues } from './budget.ts';
import type { BudgetPeriod } from './period.ts';
import { notifiedFields, targetFields } from './target.ts';

/** Limits of budgets. */
export const budgetLimits = { thresholds: 10, percent: 1000 } as const;

/** Default alert thresholds, in percent. */
const defaultThresholds: readonly number[] = [80, 100];

const amountBelow = 1e15;
/** Bounds of a budget's amount. */
const amountRule = {
  minimum: 10 ** -givenDecimals,
  maximum: amountBelow,
  exclusiveMaximum: true,
} as const;
/** Bounds of alert thresholds, in percent. */
const thresholdsRule = {
  maxItems: budgetLimits.thresholds,
  uniqueItems: true,
  items: { minimum: 10 ** -givenDecimals, maximum: budgetLimits.percent },
} as const;

/** The fields of a budget that clients set. */
export const budgetFields = {
  name: required(parseName, nameRule),
  amount: required(parseAmountField, amountRule),
  // By default the organization's.
  currency: fixed(parseCurrency, currencyRule),
  period: defaulted('monthly', given<BudgetPeriod>),
  ...targetFields,
  alertThresholds: defaulted(defaultThresholds, parseThresholds, thresholdsRule),
  ...notifiedFields,
  costMetric: defaulted('effective', given<CostMetric>),
};

export type BudgetInput = RecordInput<typeof budgetFields>;
export type BudgetChange = RecordChange<typeof budgetFields>;

/** Parses the input of a budget.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseBudget(input: BudgetInput): BudgetValues & { readonly currency: string | null } {
  const { alertThresholds: thresholds, ...values } = parseRecord(budgetFields, input);
  return { ...values, thresholds };
}

/** Parses changes to a budget.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function parseBudgetChange(change: BudgetChange): Partial<BudgetValues> {
  const { alertThresholds: thresholds, ...values } = parseChange(budgetFields, change);
  return { ...values, ...(thresholds && { thresholds }) };
}

function parseAmountField(amount: number): Amount {
  if (!(amount > 0)) throw invalid`${arg('amount', amount)} must be above 0`;
  if (amount >= amountBelow)
    throw invalid`${arg('amount', amount)} must be below ${amountBelow.toLocaleString('en-US')}`;
  return parseAmount(parseDecimal(amount, 'amount'));
}

function parseThresholds(thresholds: readonly number[]): Amount[] {
  const most = thresholdsRule.maxItems;
  const percent = thresholdsRule.items.maximum;
  if (thresholds.length > most)
    throw invalid`${arg('alert_thresholds')} takes at most ${most} percentages, not ${thresholds.length}`;
  const seen = new Set<Amount>();
  thresholds.forEach((threshold, index) => {
    const at = `alert_thresholds[${index}]`;
    if (!(threshold > 0 && threshold <= percent))
      throw invalid`${arg(at, threshold)} must be above 0 and at most ${percent} percent`;
    const exact = parseAmount(parseDecimal(threshold, at));
    if (seen.has(exact)) throw invalid`${arg(at)} repeats ${threshold}${fix}list each percentage once`;
    seen.add(exact);
  });
  return [...seen].sort((a, b) => (a < b ? -1 : 1));
}
