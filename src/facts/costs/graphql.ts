import { bounded } from '../../graph/bounded.ts';
import { filledRule } from '../../kit/errors/refusals.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { readRoute, type RestRoute } from '../../graph/rest.ts';
import { serviceArgs } from '../graphql.ts';
import {
  ByAccountType,
  ByRegionType,
  ByServiceType,
  ByTagType,
  ChargeCategoryType,
  CostMetricType,
  DailyGroup,
  DailyType,
  GranularityType,
  SummaryType,
  TrendType,
} from './graphql-types.ts';
import type { View } from './question.ts';
import {
  costsByAccount,
  costsByRegion,
  costsByService,
  costsByTag,
  costsDaily,
  costsSummary,
  costsTrend,
} from './run.ts';
import { byTagCsv, dailyCsv } from './csv.ts';

const tagKeyText =
  'Tag key, ignoring case, with or without the `user:` prefix of AWS: only charges with this tag. For costs by tag, the key to group by.';

/** Charge filters shared by cost and coverage queries. */
export const billArgs = builder.args((t) => ({
  ...serviceArgs,
  region: t.stringList({ description: 'FOCUS RegionId, as on the bill; `global` for charges without a region.' }),
}));

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
  ...billArgs,
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

/** Builds the REST route of a view, with what the seven root fields share. */
function route(view: View, csv: string, more: Partial<RestRoute> = {}) {
  return readRoute('Costs', `/costs/${view}`, { etag: true, csv, ...more });
}

builder.queryFields((t) => ({
  costsSummary: t.field({
    ...route('summary', 'periods'),
    type: SummaryType,
    description: 'Returns total spend per day or month. The last six months by default.',
    args: {
      ...costArgs,
      granularity: t.arg({ type: GranularityType, defaultValue: 'monthly', description: 'The length of the periods.' }),
    },
    resolve: (_root, args, ctx) => costsSummary(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsByService: t.field({
    ...route('by-service', 'groups'),
    type: ByServiceType,
    description: 'Returns spend by service and provider. The last 30 days by default.',
    args: costArgs,
    resolve: (_root, args, ctx) => costsByService(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsByAccount: t.field({
    ...route('by-account', 'groups'),
    type: ByAccountType,
    description: 'Returns spend by connected account and provider, with sub-accounts. The last 30 days by default.',
    args: costArgs,
    resolve: (_root, args, ctx) => costsByAccount(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsByRegion: t.field({
    ...route('by-region', 'groups'),
    type: ByRegionType,
    description: 'Returns spend by region and provider. The last 30 days by default.',
    args: costArgs,
    resolve: (_root, args, ctx) => costsByRegion(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsByTag: t.field({
    ...route('by-tag', 'groups', { csvTable: byTagCsv }),
    type: ByTagType,
    description:
      'Returns spend by the values of a tag key. The group with the value null contains the charges without the key. The last 30 days by default.',
    args: {
      ...costArgs,
      tagKey: t.arg.string({ ...bounded(filledRule), required: true, description: tagKeyText }),
    },
    resolve: (_root, args, ctx) => costsByTag(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsDaily: t.field({
    ...route('daily', 'days', { csvTable: dailyCsv, csvLayouts: true }),
    type: DailyType,
    description: 'Returns spend per day, optionally split by a dimension. The last 30 days by default.',
    args: { ...costArgs, groupBy: t.arg({ type: DailyGroup, description: 'Dimension by which each day is split.' }) },
    resolve: (_root, args, ctx) => costsDaily(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costsTrend: t.field({
    ...route('trend', 'months'),
    type: TrendType,
    description:
      'Returns spend per calendar month, with the change from the previous one. The range is widened to whole months; the last six months by default.',
    args: costArgs,
    resolve: (_root, args, ctx) => costsTrend(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
}));
