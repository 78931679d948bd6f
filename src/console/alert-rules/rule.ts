import { useCallback } from 'react';
import { useMe } from '../api/me.tsx';
import { useScopeWords, type Scope } from '../parts/choices/choices.tsx';
import { emailsFault, type RecipientChoice } from '../parts/form/recipients.tsx';
import { percent, plainMoney } from '../words/format.ts';
import type { AlertRule } from './queries.ts';

/** What a form holds of a rule. */
export interface RuleForm extends Scope, RecipientChoice {
  readonly name: string;
  readonly metric: AlertRule['metric'];
  readonly operator: AlertRule['operator'];
  /** Null while nothing is written. */
  readonly threshold: number | null;
  readonly tagKey: string | null;
  /** Null: any value. */
  readonly tagValue: string | null;
  readonly enabled: boolean;
}

/** What is wrong with a form, by field. */
export type Faults = Readonly<Partial<Record<'name' | 'threshold' | 'account' | 'emails', string>>>;

/** Addresses that a rule takes. */
export const mostEmails = 20;

/** A rule that is not written yet. */
export const blank: RuleForm = {
  name: '',
  metric: 'DAILY_COST',
  operator: 'GT',
  threshold: null,
  accountId: null,
  provider: null,
  service: null,
  tagKey: null,
  tagValue: null,
  emails: [],
  slack: false,
  enabled: true,
};

/** A rule as its form shows it. */
export function formOf(rule: AlertRule): RuleForm {
  const { id: _id, lastTriggeredAt: _last, createdById: _owner, createdAt: _created, ...form } = rule;
  return form;
}

/** Judges a form as far as it can be before the API does.
 *  @param mustName whether an account has to be named */
export function faultsOf(form: RuleForm, mustName: boolean): Faults {
  const emails = emailsFault(form.emails, mostEmails);
  return {
    ...(form.name.trim() === '' && { name: 'Enter a name' }),
    ...(form.threshold === null && { threshold: 'Enter a threshold' }),
    ...(mustName && form.accountId === null && { account: 'Choose an account' }),
    ...(emails && { emails }),
  };
}

/** A form as the API takes it. */
export function valuesOf(form: RuleForm) {
  const tagValue = form.tagKey === null || form.tagValue === null ? null : form.tagValue.trim() || null;
  return { ...form, name: form.name.trim(), threshold: form.threshold ?? 0, tagValue, emails: [...form.emails] };
}

type Metric = AlertRule['metric'];
type Operator = AlertRule['operator'];

/** What a rule can look at, in words. */
export const metrics = {
  DAILY_COST: { label: 'Daily cost', description: 'What the last complete day cost' },
  MONTH_TO_DATE_COST: { label: 'Month-to-date cost', description: 'What the calendar month cost up to that day' },
  FORECASTED_MONTH_COST: { label: 'Forecasted month cost', description: 'What the running month will have cost' },
  DAY_OVER_DAY_PERCENT: { label: 'Day-over-day change', description: 'The day against the day before, in percent' },
  WEEK_OVER_WEEK_PERCENT: {
    label: 'Week-over-week change',
    description: 'The 7 days to that day against the 7 before, in percent',
  },
} as const satisfies Record<Metric, { label: string; description: string }>;

/** Every metric. */
export const allMetrics = [
  'DAILY_COST',
  'MONTH_TO_DATE_COST',
  'FORECASTED_MONTH_COST',
  'DAY_OVER_DAY_PERCENT',
  'WEEK_OVER_WEEK_PERCENT',
] as const satisfies readonly Metric[];

/** How the figure must stand to the threshold, in words. */
export const operators = {
  GT: 'above',
  GTE: 'at or above',
  LT: 'below',
  LTE: 'at or below',
} as const satisfies Record<Operator, string>;

/** Every operator. */
export const allOperators = ['GT', 'GTE', 'LT', 'LTE'] as const satisfies readonly Operator[];

/** Whether a metric is a change in percent, not money. */
export function isPercent(metric: Metric): boolean {
  return metric === 'DAY_OVER_DAY_PERCENT' || metric === 'WEEK_OVER_WEEK_PERCENT';
}

/** What makes the condition of a rule. */
export type Condition = Pick<
  AlertRule,
  'metric' | 'operator' | 'accountId' | 'provider' | 'service' | 'tagKey' | 'tagValue'
> & {
  /** Null while nothing is written. */
  readonly threshold: number | null;
};

/** Says a condition as a sentence: `Daily cost of AWS above $500`. */
export function useSentence(): (condition: Condition) => string {
  const scopeWords = useScopeWords();
  const { currency } = useMe().organization;
  return useCallback(
    (condition) => {
      const { metric, operator, threshold } = condition;
      const limit =
        threshold === null ? '…' : isPercent(metric) ? percent(threshold, 2) : plainMoney(threshold, currency);
      return `${metrics[metric].label}${aboutOf(condition, scopeWords)} ${operators[operator]} ${limit}`;
    },
    [scopeWords, currency],
  );
}

function aboutOf(condition: Condition, scopeWords: ReturnType<typeof useScopeWords>): string {
  const { accountId, provider, service, tagKey, tagValue } = condition;
  const hasScope = accountId !== null || provider !== null || service !== null;
  const scope = hasScope ? ` of ${scopeWords(condition)}` : '';
  const about = scope === '' ? ' of everything' : scope;
  return tagKey === null ? about : `${about} tagged ${tagKey}${tagValue === null ? '' : ` = ${tagValue}`}`;
}
