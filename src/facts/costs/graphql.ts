import { providersRule } from '../provider.ts';
import { bounded } from '../../graph/bounded.ts';
import { filledRule } from '../../kit/refusals.ts';
import type { ObjectRef } from '@pothos/core';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { namedAccount } from '../../tenancy/accounts/graphql.ts';
import type {
  AccountCost,
  CostAnswer,
  CostsDaily,
  CostsSummary,
  CostsTrend,
  DayCost,
  DayGroup,
  GroupedCosts,
  MonthCost,
  PeriodCost,
  RegionCost,
  ServiceCost,
  SubAccountCost,
  TagCost,
  UnconvertedCost,
} from './answer.ts';
import type { CostRequest, View } from './question.ts';
import type { PreparedCosts } from './run.ts';
import { byTagCsv, dailyCsv } from './series-csv.ts';
import { costAnswers, prepareCosts } from './run.ts';

type Types = (typeof builder)['$inferSchemaTypes'];

/** Which cost is added up. */
export const CostMetricType = builder.enumType('CostMetric', {
  description: 'Cost metric.',
  values: {
    EFFECTIVE: { value: 'effective', description: 'FOCUS EffectiveCost: commitments amortized over what they cover.' },
    BILLED: { value: 'billed', description: 'FOCUS BilledCost: as invoiced.' },
    LIST: { value: 'list', description: 'FOCUS ListCost: at public prices.' },
    CONTRACTED: {
      value: 'contracted',
      description: 'FOCUS ContractedCost: at negotiated prices, without commitments.',
    },
  } as const,
});

/** FOCUS ChargeCategory. */
export const ChargeCategoryType = builder.enumType('ChargeCategory', {
  description: 'FOCUS ChargeCategory.',
  values: {
    USAGE: { value: 'usage', description: 'Consumption.' },
    PURCHASE: { value: 'purchase', description: 'Prepaid purchases, such as commitments.' },
    TAX: { value: 'tax', description: 'Taxes.' },
    CREDIT: { value: 'credit', description: 'Vouchers, incentives and refunds.' },
    ADJUSTMENT: { value: 'adjustment', description: 'Corrections that fit no other category.' },
  } as const,
});

/** The length of a period. */
export const GranularityType = builder.enumType('CostGranularity', {
  description: 'The length of a period.',
  values: {
    DAILY: { value: 'daily', description: 'UTC days.' },
    MONTHLY: { value: 'monthly', description: 'UTC calendar months, clipped to the range.' },
  } as const,
});

const DailyGroup = builder.enumType('CostDailyGroup', {
  description: 'Dimension by which each day is split.',
  values: {
    SERVICE: { value: 'service', description: 'Service and provider.' },
    ACCOUNT: { value: 'account', description: 'Connected account and provider.' },
    REGION: { value: 'region', description: 'Region and provider.' },
    PROVIDER: { value: 'provider', description: 'Provider.' },
  } as const,
});

/** Cost without an exchange rate, which answers on coverage have too. */
export const UnconvertedType = builder.objectRef<UnconvertedCost>('UnconvertedCost').implement({
  description: 'Cost in a currency that has no exchange rate for its charge month.',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'Billing currency, ISO 4217.' }),
    cost: t.expose('cost', { type: 'Decimal', description: 'Cost in that currency.' }),
  }),
});

/** How money is given. */
export const moneyText = 'in the answer’s `currency`, rounded to 6 decimals';
/** How shares are given. */
export const shareText = 'Share of `totalCost` in percent, 2 decimals. Null if the total is 0.';

const ServiceGroup = builder.objectRef<ServiceCost>('ServiceCost').implement({
  description: 'Cost of a service.',
  fields: (t) => ({
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    serviceCategory: t.exposeString('serviceCategory', {
      description: 'FOCUS ServiceCategory of most of the cost.',
    }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const SubAccountGroup = builder.objectRef<SubAccountCost>('SubAccountCost').implement({
  description: 'Cost of a sub-account.',
  fields: (t) => ({
    subAccountId: t.exposeString('subAccountId', {
      description: 'FOCUS SubAccountId; the billing account’s id for charges without one.',
    }),
    subAccountName: t.exposeString('subAccountName', { description: 'FOCUS SubAccountName.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
  }),
});

const AccountGroup = builder.objectRef<AccountCost>('AccountCost').implement({
  description: 'Cost of a connected account at one provider.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The connected account.' }),
    account: t.prismaField(namedAccount('The connected account.')),
    accountName: t.exposeString('accountName', { description: 'Name of the connected account.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
    subAccounts: t.expose('subAccounts', {
      type: [SubAccountGroup],
      description: 'Sub-accounts, largest cost first. They add up to `cost`.',
    }),
  }),
});

const RegionGroup = builder.objectRef<RegionCost>('RegionCost').implement({
  description: 'Cost of a region.',
  fields: (t) => ({
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` for charges without one.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const TagGroup = builder.objectRef<TagCost>('TagCost').implement({
  description: 'Cost of the charges with one value of the tag key.',
  fields: (t) => ({
    tagValue: t.exposeString('tagValue', {
      nullable: true,
      description: 'The value. Null for charges without the key.',
    }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const Period = builder.objectRef<PeriodCost>('PeriodCost').implement({
  description: 'Cost of a period.',
  fields: (t) => ({
    periodStart: t.expose('periodStart', { type: 'Date', description: 'First day.' }),
    periodEnd: t.expose('periodEnd', { type: 'Date', description: 'Last day, inclusive.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 without charges.` }),
  }),
});

const DayGroupType = builder.objectRef<DayGroup>('DayGroupCost').implement({
  description: 'A group of a day’s cost. Fields that the day is not grouped by are null.',
  fields: (t) => ({
    service: t.exposeString('service', { nullable: true, description: 'FOCUS ServiceName.' }),
    accountId: t.exposeID('accountId', { nullable: true, description: 'The connected account.' }),
    account: t.prismaField(namedAccount('The connected account.')),
    accountName: t.exposeString('accountName', { nullable: true, description: 'The connected account’s name.' }),
    region: t.exposeString('region', { nullable: true, description: 'FOCUS RegionId.' }),
    provider: t.exposeString('provider', { nullable: true, description: 'Provider on the bill, as a slug.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
  }),
});

const DayType = builder.objectRef<DayCost>('DayCost').implement({
  description: 'Cost of a day.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 without charges.` }),
    groups: t.expose('groups', {
      type: [DayGroupType],
      nullable: true,
      description: 'Groups of the day, largest cost first. They add up to `cost`. Null without `groupBy`.',
    }),
  }),
});

const MonthType = builder.objectRef<MonthCost>('MonthCost').implement({
  description: 'Cost of a month, compared with the month before.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Month', description: 'The UTC calendar month.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 without charges.` }),
    previousCost: t.expose('previousCost', { type: 'Decimal', description: `Cost of the month before, ${moneyText}.` }),
    change: t.expose('change', { type: 'Decimal', description: `\`cost\` minus \`previousCost\`, ${moneyText}.` }),
    changePercent: t.expose('changePercent', {
      type: 'Decimal',
      nullable: true,
      description: '`change` in percent of `previousCost`, 2 decimals. Null if `previousCost` is 0.',
    }),
    partial: t.exposeBoolean('partial', { description: 'True for the current month, which still grows.' }),
  }),
});

/** What all cost answers share. */
export const CostAnswerType = builder.interfaceRef<CostAnswer>('CostAnswer').implement({
  description: 'An answer about costs: its range, currency and total.',
  fields: (t) => ({
    startDate: t.expose('startDate', { type: 'Date', description: 'First UTC day of the range.' }),
    endDate: t.expose('endDate', { type: 'Date', description: 'Last UTC day of the range, inclusive.' }),
    currency: t.exposeString('currency', {
      description: 'The organization’s currency, ISO 4217, of all costs.',
    }),
    costMetric: t.expose('costMetric', { type: CostMetricType, description: 'Cost metric.' }),
    totalCost: t.expose('totalCost', { type: 'Decimal', description: `Total of the rows, ${moneyText}.` }),
    completeThrough: t.expose('completeThrough', {
      type: 'Date',
      nullable: true,
      description: 'Last UTC day with complete bills for all accounts in the answer. Null if there is none.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description: 'Costs without an exchange rate for their month, excluded from all other figures.',
    }),
  }),
});

const Summary = builder.objectRef<CostsSummary>('CostsSummary').implement({
  interfaces: [CostAnswerType],
  description: 'Total spend per period.',
  fields: (t) => ({
    granularity: t.expose('granularity', { type: GranularityType, description: 'The length of the periods.' }),
    periods: t.expose('periods', { type: [Period], description: 'Every period of the range, in order.' }),
  }),
});

function groupedType<Group>(name: string, description: string, item: ObjectRef<Types, Group>) {
  return builder.objectRef<GroupedCosts<Group>>(name).implement({
    interfaces: [CostAnswerType],
    description,
    fields: (t) => ({
      groups: t.field({
        type: [item],
        description: 'Groups, largest cost first. They add up to `totalCost`.',
        resolve: (answer) => answer.groups,
      }),
    }),
  });
}

const ByService = groupedType('CostsByService', 'Spend by service.', ServiceGroup);
const ByAccount = groupedType('CostsByAccount', 'Spend by connected account and provider.', AccountGroup);
const ByRegion = groupedType('CostsByRegion', 'Spend by region.', RegionGroup);
const ByTag = groupedType('CostsByTag', 'Spend by the values of a tag key.', TagGroup);

const Daily = builder.objectRef<CostsDaily>('CostsDaily').implement({
  interfaces: [CostAnswerType],
  description: 'Spend per day.',
  fields: (t) => ({
    groupBy: t.expose('groupBy', {
      type: DailyGroup,
      nullable: true,
      description: 'Dimension by which each day is split; null if it is not split.',
    }),
    days: t.expose('days', { type: [DayType], description: 'Every day of the range, in order.' }),
  }),
});

const Trend = builder.objectRef<CostsTrend>('CostsTrend').implement({
  interfaces: [CostAnswerType],
  description: 'Spend per month, with the change from the month before.',
  fields: (t) => ({
    months: t.expose('months', { type: [MonthType], description: 'Every month of the range, in order.' }),
  }),
});

const tagKeyText =
  'Tag key, ignoring case, with or without the `user:` prefix of AWS: only charges with this tag. For costs by tag, the key to group by.';

const costArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description:
      'First UTC day. Default: 29 days before `endDate`; for months, the first day of the month five months before.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 days after the first. Default: today, or the default length after `startDate`.',
  }),
  accountId: t.idList({ description: 'Connected accounts. Unknown ids match nothing.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …',
  }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without a region.' }),
  subAccountId: t.stringList({ description: 'FOCUS SubAccountId, as on the bill.' }),
  chargeCategory: t.field({ type: [ChargeCategoryType], description: 'Kinds of charge.' }),
  tagKey: t.string({
    ...bounded(filledRule),
    description: tagKeyText,
  }),
  tagValue: t.stringList({
    description: 'Values of the tag. Requires `tagKey`. A value can be empty.',
    extensions: { allowsBlank: true },
  }),
  untagged: t.boolean({ description: 'True: only charges without the tag. Requires `tagKey`.' }),
  costMetric: t.field({ type: CostMetricType, defaultValue: 'effective', description: 'Cost metric.' }),
}));

async function prepare(ctx: Context, request: CostRequest): Promise<PreparedCosts> {
  const prepared = await prepareCosts(ctx.deps, viewerOf(ctx).scope, request);
  ctx.dependsOn?.(prepared.key);
  return prepared;
}

/** What the seven root fields have in common. */
function route(view: View, csv: string, more: Pick<RestRoute, 'csvTable' | 'csvLayouts'> = {}) {
  const rest: RestRoute = {
    method: 'GET',
    path: `/costs/${view}`,
    status: 200,
    tags: ['Costs'],
    category: 'read',
    etag: true,
    csv,
    ...more,
  };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

builder.queryFields((t) => ({
  costsSummary: t.field({
    ...route('summary', 'periods'),
    type: Summary,
    description: 'Returns total spend per day or month. The last six months by default.',
    args: {
      ...costArgs,
      granularity: t.arg({ type: GranularityType, defaultValue: 'monthly', description: 'The length of the periods.' }),
    },
    resolve: async (_root, args, ctx) =>
      costAnswers.summary(ctx.deps, await prepare(ctx, { ...args, view: 'summary' }), ctx.signal),
  }),
  costsByService: t.field({
    ...route('by-service', 'groups'),
    type: ByService,
    description: 'Returns spend by service and provider. The last 30 days by default.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byService(ctx.deps, await prepare(ctx, { ...args, view: 'by-service' }), ctx.signal),
  }),
  costsByAccount: t.field({
    ...route('by-account', 'groups'),
    type: ByAccount,
    description: 'Returns spend by connected account and provider, with sub-accounts. The last 30 days by default.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byAccount(ctx.deps, await prepare(ctx, { ...args, view: 'by-account' }), ctx.signal),
  }),
  costsByRegion: t.field({
    ...route('by-region', 'groups'),
    type: ByRegion,
    description: 'Returns spend by region and provider. The last 30 days by default.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byRegion(ctx.deps, await prepare(ctx, { ...args, view: 'by-region' }), ctx.signal),
  }),
  costsByTag: t.field({
    ...route('by-tag', 'groups', { csvTable: byTagCsv }),
    type: ByTag,
    description:
      'Returns spend by the values of a tag key. The group with the value null contains the charges without the key. The last 30 days by default.',
    args: {
      ...costArgs,
      tagKey: t.arg.string({ ...bounded(filledRule), required: true, description: tagKeyText }),
    },
    resolve: async (_root, args, ctx) =>
      costAnswers.byTag(ctx.deps, await prepare(ctx, { ...args, view: 'by-tag' }), ctx.signal),
  }),
  costsDaily: t.field({
    ...route('daily', 'days', { csvTable: dailyCsv, csvLayouts: true }),
    type: Daily,
    description: 'Returns spend per day, optionally split by a dimension. The last 30 days by default.',
    args: { ...costArgs, groupBy: t.arg({ type: DailyGroup, description: 'Dimension by which each day is split.' }) },
    resolve: async (_root, args, ctx) =>
      costAnswers.daily(ctx.deps, await prepare(ctx, { ...args, view: 'daily' }), ctx.signal),
  }),
  costsTrend: t.field({
    ...route('trend', 'months'),
    type: Trend,
    description:
      'Returns spend per calendar month, with the change from the previous one. The range is widened to whole months; the last six months by default.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.trend(ctx.deps, await prepare(ctx, { ...args, view: 'trend' }), ctx.signal),
  }),
}));
