import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import { notifiedFields, targetFields } from '../../analysis/budgets/target.ts';
import { arg, choice, fix, invalid, mention } from '../../kit/errors/errors.ts';
import { amountText, givenDecimals, parseAmount, parseDecimal, type Amount } from '../../kit/money.ts';
import { keyRule, parseKey } from '../../facts/metrics/metric.ts';
import { clearable, defaulted, given, required, type RecordChange, type RecordInput } from '../../kit/record-fields.ts';
import { isUnitCost, type AlertRule } from './rule.ts';
import { nameRule, parseName } from '../../tenancy/login/input.ts';

const thresholdBelow = 1e15;
/** Bounds of a rule's threshold. */
const thresholdRule = { minimum: 1 - thresholdBelow, maximum: thresholdBelow - 1 } as const;

/** Bounds of the days over which a unit cost is computed. */
const windowRule = { minimum: 1, maximum: 90 } as const;
/** Decimals of a threshold for a cost per unit, which can be tiny. */
const unitCostDecimals = 12;

/** The fields of a rule that clients set. */
export const ruleFields = {
  name: required(parseName, nameRule),
  metric: required(given<AlertMetric>),
  operator: required(given<AlertOperator>),
  threshold: required(parseThreshold, thresholdRule),
  unitMetricKey: clearable(null, parseKey, keyRule),
  windowDays: defaulted(7, parseWindow, windowRule),
  ...targetFields,
  ...notifiedFields,
  enabled: defaulted(true, given<boolean>),
};

export type RuleInput = RecordInput<typeof ruleFields>;
export type RuleChange = RecordChange<typeof ruleFields>;

/** Checks fields that depend on each other.
 *  @throws {AppError} VALIDATION_ERROR for a unit cost without a unit metric and the reverse, and more decimals than the metric
 *    has */
export function checkRule({ metric, unitMetricKey, threshold }: CheckedFields): void {
  if (isUnitCost(metric) && unitMetricKey === null)
    throw invalid`${arg('unit_metric_key')} is required for this metric${fix}give the key of a unit metric`;
  if (!isUnitCost(metric) && unitMetricKey !== null)
    throw invalid`${arg('unit_metric_key', unitMetricKey)} requires ${mention('metric')} ${choice('metric', 'unit_cost')} or ${choice('metric', 'unit_cost_change_percent')}${fix}leave it out, or set it to null`;
  if (metric !== 'unit_cost') parseDecimal(Number(amountText(threshold)), 'threshold', givenDecimals);
}

type CheckedFields = Pick<AlertRule, 'metric' | 'unitMetricKey' | 'threshold'>;

function parseWindow(days: number): number {
  if (days >= windowRule.minimum && days <= windowRule.maximum) return days;
  throw invalid`${arg('window_days', days)} must be ${windowRule.minimum} to ${windowRule.maximum}`;
}

/** Parses a threshold. Negative ones make sense for changes, and where credits exceed costs. */
function parseThreshold(threshold: number): Amount {
  if (Math.abs(threshold) >= thresholdBelow) {
    const bound = thresholdBelow.toLocaleString('en-US');
    throw invalid`${arg('threshold', threshold)} must be above -${bound} and below ${bound}`;
  }
  return parseAmount(parseDecimal(threshold, 'threshold', unitCostDecimals));
}
