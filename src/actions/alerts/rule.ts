import type { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import type { Target } from '../../analysis/budgets/target.ts';
import type { Amount } from '../../kit/money.ts';
import type { Day } from '../../kit/period.ts';
import type { Owned } from '../../tenancy/auth/owner-scope.ts';

/** A condition on spend, of which somebody is told on each day that it holds. */
export interface AlertRule extends Target, Owned {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly operator: AlertOperator;
  /** In the organization's currency, or in percent: as the metric is. */
  readonly threshold: Amount;
  /** Only charges that carry the tag; null: all. */
  readonly tagKey: string | null;
  /** Null if any value is allowed. */
  readonly tagValue: string | null;
  readonly emails: readonly string[];
  readonly slack: boolean;
  readonly enabled: boolean;
  readonly lastTriggeredAt: Date | null;
  /** The first day that it is held against; null: not held against any yet. */
  readonly judgedFrom: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a client sets of a rule. */
export type RuleValues = Omit<
  AlertRule,
  keyof Owned | 'id' | 'organizationId' | 'lastTriggeredAt' | 'judgedFrom' | 'createdAt' | 'updatedAt'
>;

/** Fields on which it depends whether a rule holds. */
export const conditionFields = [
  'metric',
  'operator',
  'threshold',
  'accountId',
  'provider',
  'service',
  'tagKey',
  'tagValue',
  'enabled',
] as const satisfies readonly (keyof RuleValues)[];

/** Whether a metric is money; else it is in percent. */
export function isMoney(metric: AlertMetric): boolean {
  return metric !== 'day_over_day_percent' && metric !== 'week_over_week_percent';
}
