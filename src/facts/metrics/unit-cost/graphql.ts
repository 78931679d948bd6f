import { builder } from '../../../graph/builder.ts';
import { viewerOf } from '../../../graph/context.ts';
import { bounded } from '../../../graph/bounded.ts';
import { readRoute } from '../../../graph/rest.ts';
import { FiltersInputType } from '../../costs/breakdown/graphql-types.ts';
import { filterParameters, filtersIn } from '../../costs/breakdown/flat.ts';
import { CostMetricType, GranularityType } from '../../costs/graphql-types.ts';
import { keyRule } from '../metric.ts';
import { labelFilterRule } from '../values.ts';
import { UnitCostType } from './graphql-types.ts';
import { readUnitCost } from './run.ts';

builder.queryField('unitCost', (t) =>
  t.field({
    ...readRoute('Unit metrics', '/costs/unit', {
      etag: true,
      csv: 'points',
      flat: { replaces: ['filters'], parameters: filterParameters(), read: filtersIn },
    }),
    type: UnitCostType,
    description:
      'Returns cost, quantity and cost per unit of a metric by day or month, with the filters of `costs`. The last six months by default. Costs are limited to the caller’s scope; quantities are those of the organization.',
    args: {
      metric: t.arg.string({ ...bounded(keyRule), required: true, description: 'Key of the metric, ignoring case.' }),
      startDate: t.arg({
        type: 'Date',
        description:
          'First UTC day. Default: the first day of the month five months before `endDate`; with daily granularity, 29 days before.',
      }),
      endDate: t.arg({
        type: 'Date',
        description:
          'Last UTC day, inclusive; at most 1,100 days after the first. Default: today, or the default length after `startDate`.',
      }),
      costMetric: t.arg({ type: CostMetricType, defaultValue: 'effective', description: 'Cost metric.' }),
      granularity: t.arg({ type: GranularityType, defaultValue: 'monthly', description: 'The length of the periods.' }),
      filters: t.arg({ type: FiltersInputType, description: 'Filters of charges. Default: all charges.' }),
      label: t.arg.stringList({
        ...bounded(labelFilterRule),
        description:
          'Only quantities with these labels, as `NAME:VALUE`. Several must all match. Default: all quantities.',
      }),
    },
    resolve: (_root, args, ctx) => readUnitCost(ctx.deps, viewerOf(ctx).scope, args, ctx),
  }),
);
