import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { listArgs, paged, pageField, selectedPage } from '../../graph/paging.ts';
import { recordOperations } from '../../graph/record-operations.ts';
import { readRoute, writeRoute } from '../../graph/rest.ts';
import { createMetric, deleteMetric, deleteMetricValues, setMetricValues, updateMetric } from './change.ts';
import { readValuesCsv, valuesCsv } from './csv.ts';
import {
  MetricDirectionType,
  UnitMetricPage,
  UnitMetricType,
  UnitMetricValuePage,
  ValueInputType,
  ValuesSetType,
} from './graphql-types.ts';
import { metricFields } from './metric.ts';
import { listMetricValues } from './run.ts';
import { metrics, metricSortFields, pageMetrics } from './store.ts';
import { valuesRule } from './values.ts';
import { valueSortFields } from './values-store.ts';

const tag = 'Unit metrics';
const idArg = 'UUID of the metric.';
const valuesPath = '/metrics/{id}/values';

builder.queryFields((t) => ({
  unitMetrics: t.field({
    ...readRoute(tag, '/metrics', { csv: 'data' }),
    ...pageField(UnitMetricPage),
    description: 'Lists the unit metrics of the organization, by name.',
    args: listArgs('UnitMetric', metricSortFields, 'By name'),
    resolve: selectedPage((ctx, args, page) => pageMetrics(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
  unitMetricValues: t.field({
    ...readRoute(tag, valuesPath, { csv: 'data', csvTable: valuesCsv }),
    ...pageField(UnitMetricValuePage),
    description: 'Lists the values of a unit metric, newest day first.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      startDate: t.arg({ type: 'Date', description: 'First UTC day. Default: no limit.' }),
      endDate: t.arg({ type: 'Date', description: 'Last UTC day, inclusive. Default: no limit.' }),
      ...listArgs('UnitMetricValue', valueSortFields, 'Newest day first'),
    },
    resolve: (_root, args, ctx) => paged(args, (page) => listMetricValues(ctx.deps, viewerOf(ctx).scope, args, page)),
  }),
}));

builder.mutationFields((t) => ({
  setUnitMetricValues: t.field({
    type: ValuesSetType,
    description:
      'Sets the values of a unit metric for days and sets of labels. Values of other days or labels stay unchanged; sending the same values again changes nothing. Either all values are applied or none. In REST, the body is the list of values as JSON, or CSV with the columns `date`, `value` and `label:NAME` for each label. For Admins with access to all accounts.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      values: t.arg({
        ...bounded(valuesRule),
        type: [ValueInputType],
        required: true,
        description: 'At most 10,000 values; each day and set of labels at most once.',
      }),
    },
    ...writeRoute(tag, 'metrics.write', {
      method: 'PUT',
      path: valuesPath,
      listBody: { argument: 'values', readCsv: readValuesCsv },
    }),
    resolve: (_root, args, ctx) => setMetricValues(ctx.deps, viewerOf(ctx), actorOf(ctx), args),
  }),
  deleteUnitMetricValues: t.boolean({
    description: 'Deletes the values of a unit metric in a range of days. For Admins with access to all accounts.',
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      startDate: t.arg({ type: 'Date', required: true, description: 'First UTC day.' }),
      endDate: t.arg({ type: 'Date', required: true, description: 'Last UTC day, inclusive.' }),
    },
    ...writeRoute(tag, 'metrics.write', { method: 'DELETE', path: valuesPath }),
    async resolve(_root, args, ctx) {
      await deleteMetricValues(ctx.deps, viewerOf(ctx), actorOf(ctx), args);
      return true;
    },
  }),
}));

recordOperations('UnitMetric', 'a unit metric', {
  type: UnitMetricType,
  tag,
  path: '/metrics',
  can: 'metrics.write',
  conflicts: true,
  fields: metricFields,
  shown: {
    key: {
      type: 'String',
      text: 'Unique key such as `orders`, ignoring case: a letter, then letters, digits, `.`, `_` or `-`, at most 64 characters.',
    },
    name: { type: 'String', text: 'Display name, 1 to 100 characters on one line.' },
    unit: { type: 'String', text: 'Name of one unit, such as `order`; 1 to 50 characters on one line.' },
    direction: { type: MetricDirectionType, text: 'Which change in the cost per unit is an improvement.' },
  },
  descriptions: {
    id: idArg,
    read: 'Returns a unit metric.',
    create: 'Creates a unit metric. For Admins with access to all accounts.',
    update: 'Updates a unit metric. For Admins with access to all accounts.',
    remove: 'Deletes a unit metric and its values. For Admins with access to all accounts.',
  },
  read: (deps, { scope }, id, query) => metrics.read(deps, scope, id, query),
  create: createMetric,
  update: updateMetric,
  remove: deleteMetric,
});
