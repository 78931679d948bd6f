import type { ObjectRef } from '@pothos/core';
import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
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
import { costAnswers, prepareCosts } from './run.ts';

type Types = (typeof builder)['$inferSchemaTypes'];

/** Which cost is added up. */
export const CostMetricType = builder.enumType('CostMetric', {
  description: 'Which cost is added up.',
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

const ChargeCategory = builder.enumType('ChargeCategory', {
  description: 'FOCUS ChargeCategory: what kind of charge it is.',
  values: {
    USAGE: { value: 'usage', description: 'Consumption.' },
    PURCHASE: { value: 'purchase', description: 'Bought ahead, such as a commitment.' },
    TAX: { value: 'tax', description: 'Taxes.' },
    CREDIT: { value: 'credit', description: 'Vouchers, incentives and refunds.' },
    ADJUSTMENT: { value: 'adjustment', description: 'Corrections that fit no other category.' },
  } as const,
});

const Granularity = builder.enumType('CostGranularity', {
  description: 'The length of a period.',
  values: {
    DAILY: { value: 'daily', description: 'UTC days.' },
    MONTHLY: { value: 'monthly', description: 'UTC calendar months, clipped to the range.' },
  } as const,
});

const DailyGroup = builder.enumType('CostDailyGroup', {
  description: 'What each day is split by.',
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
export const shareText = 'Share of `totalCost` in percent, 2 decimals. Null where the total is 0.';

const ServiceGroup = builder.objectRef<ServiceCost>('ServiceCost').implement({
  description: 'What a service cost.',
  fields: (t) => ({
    service: t.exposeString('service', { description: 'FOCUS ServiceName.' }),
    serviceCategory: t.exposeString('serviceCategory', {
      description: 'FOCUS ServiceCategory; of most of the cost, where bills differ.',
    }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const SubAccountGroup = builder.objectRef<SubAccountCost>('SubAccountCost').implement({
  description: 'What a sub-account cost.',
  fields: (t) => ({
    subAccountId: t.exposeString('subAccountId', {
      description: 'FOCUS SubAccountId; the billing account’s, where a charge has none.',
    }),
    subAccountName: t.exposeString('subAccountName', { description: 'FOCUS SubAccountName.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
  }),
});

const AccountGroup = builder.objectRef<AccountCost>('AccountCost').implement({
  description: 'What a connected account cost at one provider.',
  fields: (t) => ({
    accountId: t.exposeID('accountId', { description: 'The connected account.' }),
    accountName: t.exposeString('accountName', { description: 'Its name.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
    subAccounts: t.expose('subAccounts', {
      type: [SubAccountGroup],
      description: 'Its sub-accounts, the largest cost first. They add up to `cost`.',
    }),
  }),
});

const RegionGroup = builder.objectRef<RegionCost>('RegionCost').implement({
  description: 'What a region cost.',
  fields: (t) => ({
    region: t.exposeString('region', { description: 'FOCUS RegionId; `global` where a charge has none.' }),
    provider: t.exposeString('provider', { description: 'Provider on the bill, as a slug such as `aws`.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const TagGroup = builder.objectRef<TagCost>('TagCost').implement({
  description: 'What the charges with one value of the tag key cost.',
  fields: (t) => ({
    tagValue: t.exposeString('tagValue', { nullable: true, description: 'The value. Null: charges without the key.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
    percentage: t.expose('percentage', { type: 'Decimal', nullable: true, description: shareText }),
  }),
});

const Period = builder.objectRef<PeriodCost>('PeriodCost').implement({
  description: 'What a period cost.',
  fields: (t) => ({
    periodStart: t.expose('periodStart', { type: 'Date', description: 'Its first day.' }),
    periodEnd: t.expose('periodEnd', { type: 'Date', description: 'Its last day, inclusive.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 where nothing was charged.` }),
  }),
});

const DayGroupType = builder.objectRef<DayGroup>('DayGroupCost').implement({
  description: 'A part of a day’s cost. The fields it is not grouped by are null.',
  fields: (t) => ({
    service: t.exposeString('service', { nullable: true, description: 'FOCUS ServiceName.' }),
    accountId: t.exposeID('accountId', { nullable: true, description: 'The connected account.' }),
    accountName: t.exposeString('accountName', { nullable: true, description: 'The connected account’s name.' }),
    region: t.exposeString('region', { nullable: true, description: 'FOCUS RegionId.' }),
    provider: t.exposeString('provider', { nullable: true, description: 'Provider on the bill, as a slug.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}.` }),
  }),
});

const DayType = builder.objectRef<DayCost>('DayCost').implement({
  description: 'What a day cost.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The UTC day.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 where nothing was charged.` }),
    groups: t.expose('groups', {
      type: [DayGroupType],
      nullable: true,
      description: 'The day’s groups, the largest cost first; they add up to `cost`. Null without `groupBy`.',
    }),
  }),
});

const MonthType = builder.objectRef<MonthCost>('MonthCost').implement({
  description: 'What a month cost, beside the month before it.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Month', description: 'The UTC calendar month.' }),
    cost: t.expose('cost', { type: 'Decimal', description: `Cost ${moneyText}; 0 where nothing was charged.` }),
    previousCost: t.expose('previousCost', { type: 'Decimal', description: `Cost of the month before, ${moneyText}.` }),
    change: t.expose('change', { type: 'Decimal', description: `\`cost\` less \`previousCost\`, ${moneyText}.` }),
    changePercent: t.expose('changePercent', {
      type: 'Decimal',
      nullable: true,
      description: '`change` in percent of `previousCost`, 2 decimals. Null where that is 0.',
    }),
    partial: t.exposeBoolean('partial', { description: 'True while the month is running: it will still grow.' }),
  }),
});

/** The fields of every cost answer. */
export function answerFields(t: PothosSchemaTypes.ObjectFieldBuilder<Types, CostAnswer>) {
  return {
    startDate: t.expose('startDate', { type: 'Date', description: 'The first UTC day that was asked for.' }),
    endDate: t.expose('endDate', { type: 'Date', description: 'The last UTC day that was asked for, inclusive.' }),
    currency: t.exposeString('currency', {
      description: 'The organization’s currency, ISO 4217: all costs are in it.',
    }),
    costMetric: t.expose('costMetric', { type: CostMetricType, description: 'Which cost was added up.' }),
    totalCost: t.expose('totalCost', { type: 'Decimal', description: `What the rows add up to, ${moneyText}.` }),
    completeThrough: t.expose('completeThrough', {
      type: 'Date',
      nullable: true,
      description: 'The last UTC day up to which the bills of all accounts used are complete. Null before any is.',
    }),
    unconverted: t.expose('unconverted', {
      type: [UnconvertedType],
      description: 'Costs that no other figure holds, because their currency has no exchange rate for their month.',
    }),
  };
}

const Summary = builder.objectRef<CostsSummary>('CostsSummary').implement({
  description: 'Total spend per period.',
  fields: (t) => ({
    ...answerFields(t),
    granularity: t.expose('granularity', { type: Granularity, description: 'The length of the periods.' }),
    periods: t.expose('periods', { type: [Period], description: 'Every period of the range, in order.' }),
  }),
});

function groupedType<Group>(name: string, description: string, item: ObjectRef<Types, Group>) {
  return builder.objectRef<GroupedCosts<Group>>(name).implement({
    description,
    fields: (t) => ({
      ...answerFields(t),
      groups: t.field({
        type: [item],
        description: 'The groups, the largest cost first. They add up to `totalCost`.',
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
  description: 'Spend per day.',
  fields: (t) => ({
    ...answerFields(t),
    groupBy: t.expose('groupBy', {
      type: DailyGroup,
      nullable: true,
      description: 'What each day is split by, if anything.',
    }),
    days: t.expose('days', { type: [DayType], description: 'Every day of the range, in order.' }),
  }),
});

const Trend = builder.objectRef<CostsTrend>('CostsTrend').implement({
  description: 'Spend per month, with the change from the month before.',
  fields: (t) => ({
    ...answerFields(t),
    months: t.expose('months', { type: [MonthType], description: 'Every month of the range, in order.' }),
  }),
});

const costArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description:
      'First UTC day of the charges. Default: 29 days before `endDate`; for months, the 1st of the month five before.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 after the first. Default: today, or as much after `startDate` as it would be before.',
  }),
  accountId: t.idList({ description: 'Connected accounts. An unknown one matches nothing.' }),
  provider: t.stringList({ description: 'Providers on the bill, as slugs: `aws`, `azure`, `gcp`, `oracle` …' }),
  service: t.stringList({ description: 'FOCUS ServiceName, as on the bill.' }),
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without one.' }),
  subAccountId: t.stringList({ description: 'FOCUS SubAccountId, as on the bill.' }),
  chargeCategory: t.field({ type: [ChargeCategory], description: 'Kinds of charge.' }),
  tagKey: t.string({
    description:
      'A tag key, whatever its case, with or without the `user:` of AWS. Only charges that carry it count; by tag, it is what is grouped by.',
  }),
  tagValue: t.stringList({
    description: 'Values of `tagKey`, which it needs. A tag’s value can be empty.',
    extensions: { allowsEmpty: true },
  }),
  untagged: t.boolean({ description: 'True: only charges without `tagKey`, which it needs.' }),
  costMetric: t.field({ type: CostMetricType, defaultValue: 'effective', description: 'Which cost is added up.' }),
}));

async function prepare(ctx: Context, request: CostRequest): Promise<PreparedCosts> {
  const prepared = await prepareCosts(ctx.deps, viewerOf(ctx).scope, request);
  ctx.dependsOn?.(prepared.key);
  return prepared;
}

/** What the seven root fields have in common. */
function route(view: View, csv: string) {
  const rest: RestRoute = {
    method: 'GET',
    path: `/costs/${view}`,
    status: 200,
    tags: ['Costs'],
    category: 'read',
    etag: true,
    csv,
  };
  return { authScopes: { signedIn: true }, extensions: { rest } };
}

builder.queryFields((t) => ({
  costsSummary: t.field({
    ...route('summary', 'periods'),
    type: Summary,
    description: 'Total spend of a range of days, per day or month. By default the last six months.',
    args: {
      ...costArgs,
      granularity: t.arg({ type: Granularity, defaultValue: 'monthly', description: 'The length of the periods.' }),
    },
    resolve: async (_root, args, ctx) =>
      costAnswers.summary(ctx.deps, await prepare(ctx, { ...args, view: 'summary' }), ctx.signal),
  }),
  costsByService: t.field({
    ...route('by-service', 'groups'),
    type: ByService,
    description: 'Spend by service and provider. By default the last 30 days.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byService(ctx.deps, await prepare(ctx, { ...args, view: 'by-service' }), ctx.signal),
  }),
  costsByAccount: t.field({
    ...route('by-account', 'groups'),
    type: ByAccount,
    description: 'Spend by connected account and provider, with its sub-accounts. By default the last 30 days.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byAccount(ctx.deps, await prepare(ctx, { ...args, view: 'by-account' }), ctx.signal),
  }),
  costsByRegion: t.field({
    ...route('by-region', 'groups'),
    type: ByRegion,
    description: 'Spend by region and provider. By default the last 30 days.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byRegion(ctx.deps, await prepare(ctx, { ...args, view: 'by-region' }), ctx.signal),
  }),
  costsByTag: t.field({
    ...route('by-tag', 'groups'),
    type: ByTag,
    description:
      'Spend by the values of `tagKey`, which is required; charges without the key are the group null. By default the last 30 days.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.byTag(ctx.deps, await prepare(ctx, { ...args, view: 'by-tag' }), ctx.signal),
  }),
  costsDaily: t.field({
    ...route('daily', 'days'),
    type: Daily,
    description: 'Spend per day, if asked split by a dimension. By default the last 30 days.',
    args: { ...costArgs, groupBy: t.arg({ type: DailyGroup, description: 'What each day is split by.' }) },
    resolve: async (_root, args, ctx) =>
      costAnswers.daily(ctx.deps, await prepare(ctx, { ...args, view: 'daily' }), ctx.signal),
  }),
  costsTrend: t.field({
    ...route('trend', 'months'),
    type: Trend,
    description:
      'Spend per whole month with the change from the month before. The range is widened to whole months. By default the last six.',
    args: costArgs,
    resolve: async (_root, args, ctx) =>
      costAnswers.trend(ctx.deps, await prepare(ctx, { ...args, view: 'trend' }), ctx.signal),
  }),
}));
