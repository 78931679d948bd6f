import { useCallback } from 'react';
import { useMe } from '../api/me.tsx';
import { useScopeWords } from '../parts/scope.tsx';
import { percent, plainMoney } from '../words/format.ts';
import type { AlertRule } from './queries.ts';

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
