import { groupsRule, limitRule } from './question.ts';
import { bounded } from '../../../graph/bounded.ts';
import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import { sortArg } from '../../../graph/paging.ts';
import { readRoute } from '../../../graph/rest.ts';
import { CostMetricType } from '../graphql-types.ts';
import { rowSortFields } from '../reading/ranking.ts';
import { breakdownCsv } from '../csv.ts';
import { breakdownParameters, valuesParameters } from './flat.ts';
import {
  BreakdownType,
  ComparisonType,
  DimensionInputType,
  FiltersInputType,
  SeriesGranularityType,
  ValuesType,
} from './graphql-types.ts';
import { readBreakdown, readValues } from './run.ts';

const rangeArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description:
      'First UTC day. Default: 29 days before `endDate`; with monthly granularity, the first day of the month five months before.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 days after the first. Default: today, or the default length after `startDate`.',
  }),
  costMetric: t.field({ type: CostMetricType, defaultValue: 'effective', description: 'Cost metric.' }),
  filters: t.field({ type: FiltersInputType, description: 'Filters of charges. Default: all charges.' }),
  limit: t.int({
    defaultValue: 50,
    description: 'Maximum number of rows, 1 to 1,000; with points at most 20.',
    ...bounded(limitRule),
  }),
}));

builder.queryFields((t) => ({
  costs: t.field({
    ...readRoute('Costs', '/costs', {
      etag: true,
      csv: 'rows',
      csvTable: breakdownCsv,
      csvLayouts: true,
      flat: breakdownParameters,
    }),
    type: BreakdownType,
    description:
      'Returns spend by up to three dimensions. Supports filters by any dimension, totals or a time series, and a comparison with another period. The last 30 days by default.',
    args: {
      ...rangeArgs,
      groupBy: t.arg({
        ...bounded(groupsRule),
        type: [DimensionInputType],
        description: 'Up to three dimensions. None by default.',
      }),
      granularity: t.arg({ type: SeriesGranularityType, defaultValue: 'none', description: 'Interval of the points.' }),
      compare: t.arg({ type: ComparisonType, defaultValue: 'none', description: 'Range to compare with.' }),
      includeShared: t.arg.boolean({
        defaultValue: false,
        description: 'Whether to split shared costs. Requires one virtual tag in `groupBy`.',
      }),
      ...sortArg('CostRow', rowSortFields, 'Largest cost first'),
    },
    resolve: (_root, args, ctx) => readBreakdown(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
  costDimensionValues: t.field({
    ...readRoute('Costs', '/costs/dimensions/{dimension}/values', {
      etag: true,
      csv: 'values',
      flat: valuesParameters,
    }),
    type: ValuesType,
    description: 'Lists the values of a dimension with their cost. The last 30 days by default.',
    args: {
      dimension: t.arg({ type: DimensionInputType, required: true, description: 'The dimension.' }),
      search: t.arg.string({
        description:
          'Text in values or their names, ignoring case. Services are also found by common short names, such as `EC2`.',
      }),
      ...rangeArgs,
    },
    resolve: (_root, args, ctx) => readValues(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
}));
