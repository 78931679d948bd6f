import type { CostMetric } from '../../facts/costs/query.ts';
import { parseProviderOrNull } from '../../facts/provider.ts';
import { arg, fix, invalid } from '../../kit/errors/errors.ts';
import { notNull, unchanged } from '../../kit/errors/refusals.ts';
import { givenDecimals, parseAmount, parseDecimal, type Amount } from '../../kit/money.ts';
import { parseName } from '../../tenancy/login/input.ts';
import type { BudgetValues } from './budget.ts';
import { parseEmails, parseService } from './target.ts';

/** Request input of a budget. */
export interface BudgetInput {
  readonly name: string;
  readonly amount: number;
  /** Default: the organization's currency. */
  readonly currency?: string | null;
  readonly period?: 'monthly' | null;
  readonly accountId?: string | null;
  readonly provider?: string | null;
  readonly service?: string | null;
  /** Default: 80 and 100. */
  readonly alertThresholds?: readonly number[] | null;
  readonly emails?: readonly string[] | null;
  readonly slack?: boolean | null;
  readonly costMetric?: CostMetric | null;
}

/** Changes to a budget: absent fields stay unchanged, null clears optional ones. */
export interface BudgetChange extends Omit<Partial<BudgetInput>, 'name' | 'amount' | 'currency'> {
  readonly id: string;
  readonly name?: string | null;
  readonly amount?: number | null;
}

/** Limits of budgets. */
export const budgetLimits = { budgets: 500, thresholds: 10, percent: 1000 } as const;

/** Default alert thresholds, in percent. */
const defaultThresholds: readonly number[] = [80, 100];

const amountBelow = 1e15;
/** Bounds of a budget's amount. */
export const amountRule = {
  minimum: 10 ** -givenDecimals,
  maximum: amountBelow,
  exclusiveMaximum: true,
} as const;
/** Bounds of alert thresholds, in percent. */
export const thresholdsRule = {
  maxItems: budgetLimits.thresholds,
  uniqueItems: true,
  items: { minimum: 10 ** -givenDecimals, maximum: budgetLimits.percent },
} as const;

/** Parses the input of a budget, except for its currency.
 *  @throws {AppError} VALIDATION_ERROR naming the field */
export function parseBudget(input: BudgetInput): BudgetValues {
  return {
    name: parseName(input.name, 'name'),
    amount: parseAmountField(input.amount),
    period: 'monthly',
    accountId: input.accountId ?? null,
    provider: parseProviderOrNull(input.provider ?? null),
    service: parseService(input.service ?? null),
    thresholds: parseThresholds(input.alertThresholds ?? defaultThresholds),
    emails: parseEmails(input.emails ?? []),
    slack: input.slack ?? false,
    costMetric: input.costMetric ?? 'effective',
  };
}

const nullable = ['accountId', 'provider', 'service', 'emails'] as const;
const mandatory = {
  name: 'name',
  amount: 'amount',
  period: 'period',
  slack: 'slack',
  costMetric: 'cost_metric',
} as const;

/** Parses changes to a budget.
 *  @throws {AppError} VALIDATION_ERROR naming the field, or when nothing is given */
export function parseBudgetChange(change: Omit<BudgetChange, 'id'>): Partial<BudgetValues> {
  const named = [...nullable, ...fieldsOf(mandatory), 'alertThresholds' as const].filter(
    (field) => change[field] !== undefined,
  );
  if (named.length === 0)
    throw unchanged(
      'name',
      'amount',
      'period',
      'account_id',
      'provider',
      'service',
      'alert_thresholds',
      'emails',
      'slack',
      'cost_metric',
    );
  for (const field of fieldsOf(mandatory)) if (change[field] === null) throw notNull(mandatory[field]);
  if (change.alertThresholds === null)
    throw invalid`${arg('alert_thresholds')} cannot be null${fix}leave it out to keep it, or send [] for no alerts`;
  const { name, amount, accountId, provider, service, alertThresholds, emails, slack, costMetric } = change;
  return {
    ...(typeof name === 'string' && { name: parseName(name, 'name') }),
    ...(typeof amount === 'number' && { amount: parseAmountField(amount) }),
    ...(accountId !== undefined && { accountId }),
    ...(provider !== undefined && { provider: parseProviderOrNull(provider) }),
    ...(service !== undefined && { service: parseService(service) }),
    ...(alertThresholds && { thresholds: parseThresholds(alertThresholds) }),
    ...(emails !== undefined && { emails: parseEmails(emails ?? []) }),
    ...(typeof slack === 'boolean' && { slack }),
    ...(costMetric && { costMetric }),
  };
}

function fieldsOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  // Safe, because the record is one of our own object literals.
  return Object.keys(record) as Key[];
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
