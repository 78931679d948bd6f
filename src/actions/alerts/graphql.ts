import { enabledArg, targetArgs } from '../../facts/graphql.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { listArgs, pageField, pageType, selectedPage } from '../../graph/paging.ts';
import { readRoute } from '../../graph/rest.ts';
import { createAlertRule, updateAlertRule } from './change.ts';
import { listNewestFirings, pageRules, rules, ruleSortFields } from './store.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { targetColumns } from '../../analysis/budgets/graphql-types.ts';
import { nameShown, notifiedShown, targetShown } from '../../analysis/budgets/target.ts';
import { ruleFields } from './input.ts';
import { columns, day, flag, instant, int, of, orNull, text, texts, uuid, uuids } from '../../graph/answers.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { accountInScope, foundById, batched, restName, takeOf, toMany } from '../../graph/relations.ts';
import { listOnAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';

/** The metric of a rule. */
const AlertMetricType = wordEnum(
  'AlertMetric',
  'Metric of an alert rule, evaluated on each day with complete bills. Costs are FOCUS EffectiveCost.',
  {
    daily_cost: 'Cost of the day.',
    month_to_date_cost: 'Cost of the calendar month (UTC) up to and including the day.',
    forecasted_month_cost: 'Forecasted cost of the current calendar month (UTC).',
    day_over_day_percent: 'Change in cost from the day before, in percent; negative for a decrease.',
    week_over_week_percent:
      'Change in cost of the last 7 days from the 7 days before, in percent; negative for a decrease.',
    unit_cost:
      'Cost of the last `windowDays` days divided by the quantity of the unit metric. Not evaluated while a day lacks a value of the metric.',
    unit_cost_change_percent:
      'Change in the unit cost of the last `windowDays` days from the same number of days before, in percent; negative for a decrease.',
  },
);

/** The comparison operator of a rule. */
const AlertOperatorType = wordEnum('AlertOperator', 'How the value of the metric is compared with the threshold.', {
  gt: 'Greater than the threshold.',
  gte: 'Greater than or equal to the threshold.',
  lt: 'Less than the threshold.',
  lte: 'Less than or equal to the threshold.',
});

/** Returns the options of a threshold field. Not rounded: a cost per unit can have 12 decimals. */
function exactThreshold(description: string) {
  const resolve = ({ threshold }: { readonly threshold: { toNumber(): number } }) => threshold.toNumber();
  return { type: 'Decimal', description, select: { threshold: true }, resolve } as const;
}

const FiringType = builder.prismaObject('AlertFiring', {
  select: { ruleId: true, day: true },
  description: 'A complete day on which an alert rule’s condition was met.',
  fields: (t) =>
    columns(t, 'AlertFiring', {
      day: day('Day on which the condition was met.'),
      figure: t.field({
        type: 'Decimal',
        description:
          'Value of the metric on that day, without costs that had no exchange rate: money in the organization’s currency, or percent.',
        select: { figure: true },
        // Not rounded: percentages are exact.
        resolve: ({ figure }) => figure.toNumber(),
      }),
      threshold: t.field(exactThreshold('Threshold of the rule at that time.')),
      firedAt: instant('When the alert was triggered.'),
    }),
});

const firingsOf = batched((asked: Parameters<typeof listNewestFirings>[2], ctx) =>
  listNewestFirings(ctx.deps.db, viewerOf(ctx).scope, asked),
);

const AlertRuleType = builder.prismaObject('AlertRule', {
  ...foundById,
  description:
    'A condition on spend. Notifies its owner and others once per complete day on which it is met. Evaluated over the accounts in its owner’s scope. If some of the costs have no exchange rate, only rules with `gt` or `gte` on amounts other than unit costs are evaluated; they compare the remaining costs.',
  fields: (t) =>
    columns(t, 'AlertRule', {
      id: uuid('UUIDv7 of the rule.'),
      name: text('Display name.'),
      metric: of(AlertMetricType, 'Metric.'),
      operator: of(AlertOperatorType, 'How the value of the metric is compared with the threshold.'),
      threshold: t.field(exactThreshold('Threshold: money in the organization’s currency, or percent.')),
      unitMetricKey: orNull(text('Key of the unit metric that costs are divided by; null for metrics without one.')),
      windowDays: int('Number of days over which a unit cost is computed; other metrics ignore it.'),
      accountId: orNull(uuid('UUID of the connected account in scope; null for all accounts.')),
      account: t.relation('account', accountInScope),
      ...targetColumns,
      emails: texts('Additional email addresses to notify.'),
      slack: flag('Whether to notify the owner’s webhook as well.'),
      channelIds: uuids('UUIDs of the channels that are notified as well.'),
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
      updatedAt: instant('Time of the last change.'),
    }),
});

listOnAccount('alertRules', 'alert_rules', AlertRuleType, {
  description: 'Alert rules of the account, newest first.',
  select: (...read) => rules.select(...read),
});

const AlertRulePage = pageType('AlertRule', AlertRuleType);

builder.queryField('alertRules', (t) =>
  t.field({
    ...pageField(AlertRulePage),
    description: 'Lists alert rules, newest first. Only rules whose accounts are all in the caller’s scope.',
    args: { ...targetArgs, ...enabledArg, ...listArgs('AlertRule', ruleSortFields) },
    ...readRoute('Alert rules', '/alert-rules', { csv: 'data' }),
    resolve: selectedPage((ctx, args, page) => pageRules(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
);

recordOperations('AlertRule', 'an alert rule', {
  type: AlertRuleType,
  tag: 'Alert rules',
  path: '/alert-rules',
  can: 'alert_rules.write',
  fields: ruleFields,
  shown: {
    name: nameShown,
    metric: { type: AlertMetricType, text: 'Metric.' },
    operator: { type: AlertOperatorType, text: 'How the value of the metric is compared with the threshold.' },
    threshold: {
      type: 'Decimal',
      text: 'Threshold: money in the organization’s currency, or percent; at most 6 decimals, or 12 for `unit_cost`.',
    },
    unitMetricKey: {
      type: 'String',
      text: 'Key of the unit metric that costs are divided by. Required for `unit_cost` and `unit_cost_change_percent`, and only for these.',
    },
    windowDays: {
      type: 'Int',
      text: 'Number of days over which a unit cost is computed, 1 to 90; other metrics ignore it.',
    },
    ...targetShown,
    ...notifiedShown,
    enabled: { type: 'Boolean', text: 'Whether the rule is evaluated and sends notifications.' },
  },
  descriptions: {
    id: 'UUID of the rule.',
    read: 'Returns an alert rule.',
    create:
      'Creates an alert rule, owned by the caller. A background job evaluates it for the last complete day and every later one. For Admins.',
    update:
      'Updates an alert rule. A changed condition is evaluated again for the last complete day, unless the rule was already triggered for that day. For Admins.',
    remove: 'Deletes an alert rule. For Admins.',
  },
  read: (deps, { scope }, id, query) => rules.read(deps, scope, id, query),
  create: createAlertRule,
  update: updateAlertRule,
  remove: (...asked) => rules.delete(...asked),
});
