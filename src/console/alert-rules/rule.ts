import { useCallback } from 'react';
import * as operations from '../../../schema/operations.ts';
import { graphql, type RecordOf } from '../api/graphql.ts';
import { useMe } from '../api/me.tsx';
import { scopeValues, useScopeParts, wholeScope, type Scope } from '../parts/choices/scope.tsx';
import { emailsFault, type RecipientChoice } from '../parts/form/recipients.tsx';
import { counted, plainPercent, plainMoney, unitMoney } from '../words/format.ts';

/** Form state of an alert rule. */
export interface RuleForm extends Scope, RecipientChoice {
  readonly name: string;
  readonly metric: AlertRule['metric'];
  readonly operator: AlertRule['operator'];
  /** Null while the field is empty. */
  readonly threshold: number | null;
  /** Key of the metric that costs are divided by. */
  readonly unitMetricKey: string | null;
  /** Days of a unit cost; null while the field is empty. */
  readonly windowDays: number | null;
  readonly enabled: boolean;
}

/** Validation errors by field. */
export type Faults = Readonly<
  Partial<Record<'name' | 'threshold' | 'unitMetricKey' | 'windowDays' | 'account' | 'emails', string>>
>;

/** Maximum email addresses per rule. */
export const mostEmails = 20;

/** Form state of a new rule. */
export const blank: RuleForm = {
  name: '',
  metric: 'DAILY_COST',
  operator: 'GT',
  threshold: null,
  unitMetricKey: null,
  windowDays: 7,
  ...wholeScope,
  emails: [],
  slack: false,
  channelIds: [],
  enabled: true,
};

/** Converts a rule to its form state. */
export function formOf(rule: AlertRule): RuleForm {
  const { id: _id, lastTriggeredAt: _last, createdById: _owner, createdAt: _c, updatedAt: _u, ...form } = rule;
  return form;
}

/** Validates what the client can check; the API validates the rest.
 *  @param mustName whether an account is required */
export function faultsOf(form: RuleForm, mustName: boolean): Faults {
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(form.threshold === null && { threshold: 'Enter a threshold' }),
    ...(isUnitCost(form.metric) && form.unitMetricKey === null && { unitMetricKey: 'Choose a unit metric' }),
    ...(isUnitCost(form.metric) && !isWindow(form.windowDays) && { windowDays: 'Enter 1 to 90 days' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(emails && { emails }),
  };
}

/** Converts form state to the API's input. */
export function valuesOf(form: RuleForm) {
  const unitMetricKey = isUnitCost(form.metric) ? form.unitMetricKey : null;
  return {
    ...form,
    name: form.name.trim(),
    threshold: form.threshold ?? 0,
    unitMetricKey,
    windowDays: isWindow(form.windowDays) ? form.windowDays : blankWindow,
    ...scopeValues(form),
    emails: [...form.emails],
    channelIds: [...form.channelIds],
  };
}

/** Default days of a unit cost. */
const blankWindow = 7;

function isWindow(days: number | null): days is number {
  return days !== null && Number.isInteger(days) && days >= 1 && days <= 90;
}

type Metric = AlertRule['metric'];
type Operator = AlertRule['operator'];

/** Labels of the metrics. */
export const metrics = {
  DAILY_COST: { label: 'Daily cost', description: 'Cost of the last complete day' },
  MONTH_TO_DATE_COST: {
    label: 'Month-to-date cost',
    description: 'Cost of the calendar month through the last complete day',
  },
  FORECASTED_MONTH_COST: { label: 'Forecasted month cost', description: 'Expected cost of the current month' },
  DAY_OVER_DAY_PERCENT: { label: 'Day-over-day change', description: 'Change from the previous day, in percent' },
  WEEK_OVER_WEEK_PERCENT: {
    label: 'Week-over-week change',
    description: 'Change in cost of the last 7 days from the 7 days before, in percent',
  },
  UNIT_COST: { label: 'Unit cost', description: 'Cost over a number of days divided by a unit metric' },
  UNIT_COST_CHANGE_PERCENT: {
    label: 'Unit cost change',
    description: 'Change in the unit cost from the days before, in percent',
  },
} as const satisfies Record<Metric, { label: string; description: string }>;

/** Labels of the comparison operators. */
export const operators = {
  GT: 'above',
  GTE: 'at or above',
  LT: 'below',
  LTE: 'at or below',
} as const satisfies Record<Operator, string>;

/** Whether a metric is a percentage change rather than an amount. */
export function isPercent(metric: Metric): boolean {
  return metric.endsWith('_PERCENT');
}

/** Whether a metric is a cost per unit, or its change. */
export function isUnitCost(metric: Metric): boolean {
  return metric === 'UNIT_COST' || metric === 'UNIT_COST_CHANGE_PERCENT';
}

/** Fields that make up a rule's condition. */
export type Condition = Scope &
  Pick<AlertRule, 'metric' | 'operator' | 'unitMetricKey'> & {
    /** Null while the field is empty. */
    readonly threshold: number | null;
    readonly windowDays: number | null;
  };

/** Formats a condition as a sentence: `Daily cost of AWS above $500`. */
export function useSentence(): (condition: Condition) => string {
  const partsOf = useScopeParts();
  const { currency } = useMe().organization;
  return useCallback(
    (condition) => {
      const { metric, operator, threshold } = condition;
      const moneyOf = metric === 'UNIT_COST' ? unitMoney : plainMoney;
      const limit =
        threshold === null ? '…' : isPercent(metric) ? plainPercent(threshold, 2) : moneyOf(threshold, currency);
      const about = `${unitOf(condition)}${aboutOf(partsOf(condition))}`;
      return `${metrics[metric].label}${about} ${operators[operator]} ${limit}`;
    },
    [partsOf, currency],
  );
}

/** The unit metric and its days: ` (orders, 7 days)`. */
function unitOf({ metric, unitMetricKey, windowDays }: Condition): string {
  if (!isUnitCost(metric)) return '';
  return ` (${unitMetricKey ?? '…'}, ${windowDays === null ? '…' : counted(windowDays, 'day')})`;
}

function aboutOf({ places, tag }: ReturnType<ReturnType<typeof useScopeParts>>): string {
  return `${places && ` of ${places}`}${tag && ` tagged ${tag}`}`;
}

export const AlertRulesQuery = graphql(operations.alertRules, [graphql(operations.AlertRuleFields)]);

export const AlertRuleQuery = graphql(operations.alertRule, [graphql(operations.AlertRuleFields)]);

export const CreateAlertRule = graphql(operations.createAlertRule);

export const UpdateAlertRule = graphql(operations.updateAlertRule);

export const DeleteAlertRule = graphql(operations.deleteAlertRule);

export type AlertRule = RecordOf<typeof AlertRuleQuery>;
