import { columns, day, decimal, flag, instant, of, orNull, text, texts, uuid } from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { accountInScope, batched, restName, takeOf, toMany } from '../../graph/relations.ts';
import { newestOfAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { listNewestFirings, selectRulesById } from './store.ts';

/** The metric of a rule. */
export const AlertMetricType = wordEnum(
  'AlertMetric',
  'Metric of an alert rule, evaluated on each day with complete bills. Costs are FOCUS EffectiveCost.',
  {
    daily_cost: 'Cost of the day.',
    month_to_date_cost: 'Cost of the calendar month (UTC) up to and including the day.',
    forecasted_month_cost: 'Forecasted cost of the current calendar month (UTC).',
    day_over_day_percent: 'Change in cost from the day before, in percent; negative for a decrease.',
    week_over_week_percent:
      'Change in cost of the last 7 days from the 7 days before, in percent; negative for a decrease.',
  },
);

/** The comparison operator of a rule. */
export const AlertOperatorType = wordEnum(
  'AlertOperator',
  'How the value of the metric is compared with the threshold.',
  {
    gt: 'Greater than the threshold.',
    gte: 'Greater than or equal to the threshold.',
    lt: 'Less than the threshold.',
    lte: 'Less than or equal to the threshold.',
  },
);

const FiringType = builder.prismaObject('AlertFiring', {
  select: { ruleId: true, day: true },
  description: 'A complete day on which an alert rule’s condition was met.',
  fields: (t) =>
    columns(t, 'AlertFiring', {
      day: day('Day on which the condition was met.'),
      figure: t.field({
        type: 'Decimal',
        description: 'Value of the metric on that day: money in the organization’s currency, or percent.',
        select: { figure: true },
        // Not rounded: percentages are exact.
        resolve: ({ figure }) => figure.toNumber(),
      }),
      threshold: decimal('Threshold of the rule at that time.'),
      firedAt: instant('When the alert was triggered.'),
    }),
});

const firingsOf = batched((asked: Parameters<typeof listNewestFirings>[2], ctx) =>
  listNewestFirings(ctx.deps.db, viewerOf(ctx).scope, asked),
);

export const AlertRuleType = builder.prismaObject('AlertRule', {
  select: { id: true },
  findUnique: ({ id }, ctx) => ({ id, organizationId: viewerOf(ctx).scope.organizationId }),
  description:
    'A condition on spend. Notifies its owner and others once per complete day on which it is met. Evaluated over the accounts in its owner’s scope.',
  fields: (t) =>
    columns(t, 'AlertRule', {
      id: uuid('UUIDv7 of the rule.'),
      name: text('Display name.'),
      metric: of(AlertMetricType, 'Metric.'),
      operator: of(AlertOperatorType, 'How the value of the metric is compared with the threshold.'),
      threshold: decimal('Threshold: money in the organization’s currency, or percent.'),
      accountId: orNull(uuid('Connected account in scope; null for all accounts.')),
      account: t.relation('account', accountInScope),
      provider: orNull(text('Provider in scope, as a slug such as `aws`; null for all.')),
      service: orNull(text('FOCUS ServiceName in scope; null for all.')),
      tagKey: orNull(text('Only charges with this tag key, ignoring case; null for all charges.')),
      tagValue: orNull(text('Only charges with this tag value; null for any value.')),
      emails: texts('Additional email addresses to notify.'),
      slack: flag('Whether to notify the owner’s webhook as well.'),
      enabled: flag('Whether the rule is evaluated and sends notifications.'),
      lastTriggeredAt: orNull(instant('When it was last triggered; null if never.')),
      firings: t.prismaField({
        ...toMany,
        type: [FiringType],
        description: 'Days on which the condition was met, newest first.',
        // Copied, because Pothos warns about a query that is not read; the store reads all of the few columns.
        resolve: ({ ..._query }, { id: ruleId }, args, ctx) => firingsOf({ ruleId, first: takeOf(args) }, ctx),
      }),
      createdById: uuid('UUID of the owner.', restName('created_by')),
      createdBy: t.field(memberRelation('createdById', 'The owner.')),
      createdAt: instant('Creation time.'),
    }),
});

const rulesOf = newestOfAccount('alert_rules', selectRulesById);

builder.prismaObjectField('Account', 'alertRules', (t) =>
  t.prismaField({
    ...toMany,
    type: [AlertRuleType],
    description: 'Alert rules of the account, newest first.',
    resolve: (query, { id: accountId }, args, ctx) => rulesOf({ accountId, first: takeOf(args) }, query, ctx),
  }),
);

export const AlertRulePage = pageType('AlertRule', AlertRuleType);
