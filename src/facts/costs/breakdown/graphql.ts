import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import { sortArg } from '../../../graph/paging.ts';
import type { RestRoute } from '../../../graph/rest.ts';
import { CostMetricType } from '../graphql.ts';
import { rowSortFields } from '../reading/ranking.ts';
import { breakdownCsv } from './csv.ts';
import { breakdownParameters, valuesParameters } from './flat.ts';
import {
  BreakdownType,
  ComparisonType,
  DimensionInputType,
  FiltersInputType,
  SeriesGranularityType,
  ValuesType,
} from './graphql-types.ts';
import { answerBreakdown, answerValues, prepareBreakdown, prepareValues } from './run.ts';

const rangeArgs = builder.args((t) => ({
  startDate: t.field({
    type: 'Date',
    description:
      'First UTC day of the charges. Default: 29 days before `endDate`; with monthly granularity, the 1st of the month five before.',
  }),
  endDate: t.field({
    type: 'Date',
    description:
      'Last UTC day, inclusive; at most 1,100 after the first. Default: today, or as long after `startDate`.',
  }),
  costMetric: t.field({ type: CostMetricType, defaultValue: 'effective', description: 'Which cost is added up.' }),
  filters: t.field({ type: FiltersInputType, description: 'Which charges count. All of them by default.' }),
  limit: t.int({
    defaultValue: 50,
    description: 'How many rows are shown, 1 to 1,000; with points at most 20.',
    extensions: { jsonSchema: { minimum: 1, maximum: 1000 } },
  }),
}));

const shared = { status: 200, tags: ['Costs'], category: 'read', etag: true, method: 'GET' } as const;

builder.queryFields((t) => ({
  costs: t.field({
    type: BreakdownType,
    description:
      'Spend by up to three dimensions, filtered by any, as totals or series, alone or compared. By default the last 30 days.',
    authScopes: { signedIn: true },
    extensions: {
      rest: {
        ...shared,
        path: '/costs',
        csv: 'rows',
        csvTable: breakdownCsv,
        flat: breakdownParameters,
      } satisfies RestRoute,
    },
    args: {
      ...rangeArgs,
      groupBy: t.arg({ type: [DimensionInputType], description: 'Up to three dimensions. None by default.' }),
      granularity: t.arg({ type: SeriesGranularityType, defaultValue: 'none', description: 'What points are per.' }),
      compare: t.arg({ type: ComparisonType, defaultValue: 'none', description: 'What to compare with.' }),
      ...sortArg(rowSortFields, 'Largest cost first'),
    },
    resolve: async (_root, args, ctx) => {
      const prepared = await prepareBreakdown(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return answerBreakdown(ctx.deps, prepared, ctx.signal);
    },
  }),
  costDimensionValues: t.field({
    type: ValuesType,
    description: 'Values of a dimension with their cost, for pickers. By default of the last 30 days.',
    authScopes: { signedIn: true },
    extensions: {
      rest: {
        ...shared,
        path: '/costs/dimensions/{dimension}/values',
        csv: 'values',
        flat: valuesParameters,
      } satisfies RestRoute,
    },
    args: {
      dimension: t.arg({ type: DimensionInputType, required: true, description: 'The dimension.' }),
      search: t.arg.string({ description: 'Text that values or their names contain, whatever its case.' }),
      ...rangeArgs,
    },
    resolve: async (_root, args, ctx) => {
      const prepared = await prepareValues(ctx.deps, viewerOf(ctx).scope, args);
      ctx.dependsOn?.(prepared.key);
      return answerValues(ctx.deps, prepared, ctx.signal);
    },
  }),
}));
