import { bounded } from '../../graph/bounded.ts';
import { filledRule } from '../../kit/errors/refusals.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import type { Deps } from '../../kit/deps.ts';
import type { OrgScope } from '../../tenancy/auth/scope.ts';
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
  chargeCategory: t.field({ type: [ChargeCategoryType], description: 'Only these charge categories.' }),
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

/** Options of the root field of a view, with its route. */
function view<Args extends object, Cost>(
  name: View,
  csv: string,
  run: (deps: Deps, scope: OrgScope, args: Args, caller: Context) => Promise<Cost>,
  more: Partial<RestRoute> = {},
) {
  return {
    ...readRoute('Costs', `/costs/${name}`, { etag: true, csv, ...more }),
    resolve: (_root: object, args: Args, ctx: Context) => run(ctx.deps, viewerOf(ctx).scope, args, ctx),
  };
}

builder.queryFields((t) => ({
  costsSummary: t.field({
    ...view('summary', 'periods', costsSummary),
    type: SummaryType,
    description: 'Returns total spend per day or month. The last six months by default.',
    args: {
      ...costArgs,
      granularity: t.arg({ type: GranularityType, defaultValue: 'monthly', description: 'The length of the periods.' }),
    },
  }),
  costsByService: t.field({
    ...view('by-service', 'groups', costsByService),
    type: ByServiceType,
    description: 'Returns spend by service and provider. The last 30 days by default.',
    args: costArgs,
  }),
  costsByAccount: t.field({
    ...view('by-account', 'groups', costsByAccount),
    type: ByAccountType,
    description: 'Returns spend by connected account and provider, with sub-accounts. The last 30 days by default.',
    args: costArgs,
  }),
  costsByRegion: t.field({
    ...view('by-region', 'groups', costsByRegion),
    type: ByRegionType,
    description: 'Returns spend by region and provider. The last 30 days by default.',
    args: costArgs,
  }),
  costsByTag: t.field({
    ...view('by-tag', 'groups', costsByTag, { csvTable: byTagCsv }),
    type: ByTagType,
    description:
      'Returns spend by the values of a tag key. The group with the value null contains the charges without the key. The last 30 days by default.',
    args: {
      ...costArgs,
      tagKey: t.arg.string({ ...bounded(filledRule), required: true, description: tagKeyText }),
    },
  }),
  costsDaily: t.field({
    ...view('daily', 'days', costsDaily, { csvTable: dailyCsv, csvLayouts: true }),
    type: DailyType,
    description: 'Returns spend per day, optionally split by a dimension. The last 30 days by default.',
    args: { ...costArgs, groupBy: t.arg({ type: DailyGroup, description: 'Dimension by which each day is split.' }) },
  }),
  costsTrend: t.field({
    ...view('trend', 'months', costsTrend),
    type: TrendType,
    description:
      'Returns spend per calendar month, with the change from the previous one. The range is widened to whole months; the last six months by default.',
    args: costArgs,
  }),
}));
