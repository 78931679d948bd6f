import { AlertMetric, AlertOperator } from '../../../prisma/generated/client/enums.ts';
import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { amountText } from '../../kit/money.ts';
import type { AlertRule } from './rule.ts';

/** What a rule is about. */
export const AlertMetricType = builder.enumType('AlertMetric', {
  description: 'What a rule looks at, on each day whose bills are complete. Costs are FOCUS EffectiveCost.',
  values: {
    DAILY_COST: { value: AlertMetric.daily_cost, description: 'What the day cost.' },
    MONTH_TO_DATE_COST: {
      value: AlertMetric.month_to_date_cost,
      description: 'What the day’s calendar month (UTC) cost up to and with the day.',
    },
    FORECASTED_MONTH_COST: {
      value: AlertMetric.forecasted_month_cost,
      description: 'What the running calendar month (UTC) will have cost when it is over.',
    },
    DAY_OVER_DAY_PERCENT: {
      value: AlertMetric.day_over_day_percent,
      description: 'By how many percent the day cost more than the day before; less, below 0.',
    },
    WEEK_OVER_WEEK_PERCENT: {
      value: AlertMetric.week_over_week_percent,
      description: 'By how many percent the 7 days to the day cost more than the 7 days before; less, below 0.',
    },
  },
});

/** How a rule compares. */
export const AlertOperatorType = builder.enumType('AlertOperator', {
  description: 'How the figure must stand to the threshold.',
  values: {
    GT: { value: AlertOperator.gt, description: 'Above it.' },
    GTE: { value: AlertOperator.gte, description: 'At it or above.' },
    LT: { value: AlertOperator.lt, description: 'Below it.' },
    LTE: { value: AlertOperator.lte, description: 'At it or below.' },
  },
});

/** A rule. */
export const AlertRuleType = builder.objectRef<AlertRule>('AlertRule').implement({
  description:
    'A condition on spend, of which its owner and others are told once on each complete day on which it holds. It is computed ' +
    'of the accounts that its owner may see.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the rule.' }),
    name: t.exposeString('name', { description: 'Its display name.' }),
    metric: t.expose('metric', { type: AlertMetricType, description: 'What it looks at.' }),
    operator: t.expose('operator', {
      type: AlertOperatorType,
      description: 'How the figure must stand to the threshold.',
    }),
    threshold: t.field({
      type: 'Decimal',
      description: 'What the figure is compared with: money in the organization’s currency, or percent.',
      resolve: ({ threshold }) => Number(amountText(threshold)),
    }),
    accountId: t.exposeID('accountId', {
      nullable: true,
      description: 'The connected account that it is about; null: all accounts.',
    }),
    provider: t.exposeString('provider', {
      nullable: true,
      description: 'The provider that it is about, as a slug such as `aws`; null: all.',
    }),
    service: t.exposeString('service', {
      nullable: true,
      description: 'The service that it is about, FOCUS ServiceName; null: all.',
    }),
    tagKey: t.exposeString('tagKey', {
      nullable: true,
      description: 'Only charges that carry this tag key, whatever its case; null: all.',
    }),
    tagValue: t.exposeString('tagValue', {
      nullable: true,
      description: 'Only charges with this value of the tag; null: any value.',
    }),
    emails: t.stringList({
      description: 'Addresses that are told beside its owner’s.',
      resolve: ({ emails }) => [...emails],
    }),
    slack: t.exposeBoolean('slack', { description: 'Whether it is told through its owner’s webhook too.' }),
    enabled: t.exposeBoolean('enabled', { description: 'Whether it tells anybody anything.' }),
    lastTriggeredAt: t.expose('lastTriggeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last found to hold; null: never.',
    }),
    createdBy: t.exposeID('createdById', { description: 'UUID of the user who owns it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

/** A page of rules. */
export const AlertRulePage = pageType('AlertRule', AlertRuleType);
