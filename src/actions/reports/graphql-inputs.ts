import { BudgetPeriodType } from '../../analysis/budgets/graphql-types.ts';
import { SeverityType } from '../../analysis/anomalies/graphql-types.ts';
import { TypeEnum as RecommendationTypeEnum } from '../../analysis/recommendations/graphql-inputs.ts';
import { savingsRule } from '../../analysis/recommendations/input.ts';
import { typeOf } from '../../analysis/recommendations/detectors/all.ts';
import { ChargeCategoryType, CostMetricType, GranularityType } from '../../facts/costs/graphql-types.ts';
import { providersRule } from '../../facts/provider.ts';
import { searchRule } from '../../facts/inventory/input.ts';
import { exposed, from } from '../../graph/answers.ts';
import { bounded, listOrItem } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { takeOf, toMany } from '../../graph/relations.ts';
import { snakeOf } from '../../kit/text/case.ts';
import { accountsOfIds } from '../../tenancy/accounts/graphql.ts';
import { type Filters, listRule, type reportStatuses, type StoredFilters, textRule } from './filters.ts';

/** A status of listed objects. */
const StatusType = wordEnum(
  'ReportFilterStatus',
  'Status of recommendations, anomalies, budgets or invoices in a report.',
  {
    open: 'Open recommendations or anomalies.',
    in_progress: 'Recommendations in progress.',
    applied: 'Applied recommendations.',
    archived: 'Archived recommendations.',
    acknowledged: 'Acknowledged anomalies.',
    resolved: 'Resolved anomalies.',
    ok: 'Budgets below every threshold.',
    warning: 'Budgets at a threshold, but below their amount.',
    exceeded: 'Budgets whose amount is spent.',
    matched: 'Invoices that equal their lines.',
    different: 'Invoices that differ from their lines.',
    provisional: 'Invoices of months that are not final.',
    missing: 'Invoices without a stated amount or without lines.',
  } satisfies Record<(typeof reportStatuses)[number], string>,
);

const descriptions = {
  accountId: 'Connected accounts.',
  provider: 'Providers, as slugs such as `aws`. Not for invoice reports.',
  service: 'FOCUS ServiceName, as on the bill. Not for recommendation and invoice reports.',
  region: 'FOCUS RegionId; `global` for none. For cost, inventory and coverage reports.',
  subAccountId: 'FOCUS SubAccountId. For cost and budget reports.',
  chargeCategory: 'Charge categories. For cost reports other than showback.',
  tagKey:
    'Tag key. For cost, inventory and budget reports; required for cost by tag and for showback, which takes a virtual tag as `virtual:KEY`.',
  tagValue:
    'Values of the tag; a value can be empty, except for showback. Requires `tagKey`. For cost, inventory and budget reports.',
  untagged: 'True: only charges without the tag. Requires `tagKey`. For cost reports other than showback.',
  costMetric: 'Cost metric. For cost reports.',
  granularity: 'Length of a period. For cost summaries.',
  resourceType: 'Resource types, as named by the provider. For inventory reports.',
  search: 'Text in the name or id, ignoring case. For inventory reports.',
  includeGone: 'True: includes deleted resources, which are kept for 30 days. For inventory reports.',
  type: 'Types of recommendations. For recommendation reports.',
  period: 'Budget periods. For budget reports.',
  status: 'Statuses. For recommendation, anomaly, budget and invoice reports.',
  minSavings:
    'Minimum monthly saving in the organization’s currency, with at most 6 decimals. For recommendation reports.',
  includeSnoozed: 'True: includes snoozed recommendations. For recommendation reports.',
  severity: 'Severities. For anomaly reports.',
  issuer: 'Issuers, as on the bill. For invoice reports.',
} as const;

const texts = listOrItem({ ...listRule, items: textRule });
const tagValues = listOrItem({ ...listRule, items: { maxLength: textRule.maxLength } });
const words = listOrItem(listRule);

/** Input of a report's or schedule's filters. */
export const ReportFiltersInput = builder.inputType('ReportFiltersInput', {
  description:
    'Filters of a report: the same as for the corresponding list or cost view. Filters that the report type does not support are rejected. A string in place of a list is one value: commas do not separate values.',
  fields: (t) => ({
    accountId: t.idList({ ...words, description: descriptions.accountId }),
    provider: t.stringList({ ...listOrItem({ ...listRule, ...providersRule }), description: descriptions.provider }),
    service: t.stringList({ ...texts, description: descriptions.service }),
    region: t.stringList({ ...texts, description: descriptions.region }),
    subAccountId: t.stringList({ ...texts, description: descriptions.subAccountId }),
    chargeCategory: t.field({ ...words, type: [ChargeCategoryType], description: descriptions.chargeCategory }),
    tagKey: t.string({ ...bounded(textRule), description: descriptions.tagKey }),
    tagValue: t.stringList({ ...tagValues, description: descriptions.tagValue }),
    untagged: t.boolean({ description: descriptions.untagged }),
    costMetric: t.field({ type: CostMetricType, description: descriptions.costMetric }),
    granularity: t.field({ type: GranularityType, description: descriptions.granularity }),
    resourceType: t.stringList({ ...texts, description: descriptions.resourceType }),
    search: t.string({ ...bounded({ ...textRule, ...searchRule }), description: descriptions.search }),
    includeGone: t.boolean({ description: descriptions.includeGone }),
    type: t.field({ ...words, type: [RecommendationTypeEnum], description: descriptions.type }),
    period: t.field({ ...words, type: [BudgetPeriodType], description: descriptions.period }),
    status: t.field({ ...words, type: [StatusType], description: descriptions.status }),
    minSavings: t.field({ ...bounded(savingsRule), type: 'Decimal', description: descriptions.minSavings }),
    includeSnoozed: t.boolean({ description: descriptions.includeSnoozed }),
    severity: t.field({ ...words, type: [SeverityType], description: descriptions.severity }),
    issuer: t.stringList({ ...texts, description: descriptions.issuer }),
  }),
});

/** Output of a report's or schedule's filters. */
export const ReportFiltersType = builder.objectRef<StoredFilters>('ReportFilters').implement({
  description: 'Filters of a report. Null fields do not filter.',
  fields: (t) => ({
    ...filterFields(t, { accountId: ['ID'] }),
    accounts: t.prismaField({
      ...toMany,
      type: ['Account'],
      nullable: true,
      description: 'Accounts of `accountId`; null if they are not filtered.',
      // Copied, because Pothos warns about a query that is not read.
      resolve: ({ ...query }, filters, args, ctx) => accountsOfIds(filters.account_id, takeOf(args), query, ctx),
    }),
    ...filterFields(t, {
      provider: ['String'],
      service: ['String'],
      region: ['String'],
      subAccountId: ['String'],
      chargeCategory: [ChargeCategoryType],
      tagKey: 'String',
      tagValue: ['String'],
      untagged: 'Boolean',
      costMetric: CostMetricType,
      granularity: GranularityType,
      resourceType: ['String'],
      search: 'String',
      includeGone: 'Boolean',
    }),
    type: t.field({
      type: [RecommendationTypeEnum],
      nullable: true,
      description: descriptions.type,
      resolve: ({ type }) => type && [...new Set(type.map(typeOf))],
    }),
    ...filterFields(t, {
      period: [BudgetPeriodType],
      status: [StatusType],
      minSavings: 'Decimal',
      includeSnoozed: 'Boolean',
      severity: [SeverityType],
      issuer: ['String'],
    }),
  }),
});

/** Filters as they are stored, by their types. */
function filterFields(
  t: Parameters<typeof exposed>[0],
  types: Partial<Record<keyof typeof descriptions, unknown>>,
): ReturnType<typeof exposed> {
  const entries = Object.entries(types).map(([name, type]) => {
    const description = descriptions[name as keyof typeof descriptions];
    return [name, from(snakeOf(name), { type, description, nullable: true })];
  });
  return exposed(t, Object.fromEntries(entries));
}

/** Converts filters to their stored form: REST names, without nulls. */
export function filtersOf(given: typeof ReportFiltersInput.$inferInput | null | undefined): Filters {
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [snakeOf(name), value]));
}
