import { answerType, columns, day, decimal, instant, int, json, of, orNull, text, uuid } from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { batched, foundById, restName } from '../../graph/relations.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { labelsRule, valueRule } from './values.ts';
import { extentsOf } from './values-store.ts';

/** Whether less or more cost per unit is an improvement. */
export const MetricDirectionType = wordEnum(
  'MetricDirection',
  'Which change in the cost per unit is an improvement. Affects only how changes are shown.',
  {
    lower_is_better: 'A lower cost per unit.',
    higher_is_better: 'A higher cost per unit.',
  },
);

const extentOf = batched((ids: readonly string[], ctx) => extentsOf(ctx.deps.db, viewerOf(ctx).scope, ids));

/** The GraphQL type of a metric. */
export const UnitMetricType = builder.prismaObject('UnitMetric', {
  ...foundById,
  description:
    'A business metric that costs are divided by, such as orders. Visible to every member of the organization.',
  fields: (t) =>
    columns(t, 'UnitMetric', {
      id: uuid('UUIDv7 of the metric.'),
      key: text('Unique key, in lower case.'),
      name: text('Display name.'),
      unit: text('Name of one unit, such as `order`.'),
      direction: of(MetricDirectionType, 'Which change in the cost per unit is an improvement.'),
      valueCount: t.int({
        description: 'Number of values.',
        resolve: async ({ id }, _args, ctx) => (await extentOf(id, ctx)).valueCount,
      }),
      firstDate: t.field({
        type: 'Date',
        nullable: true,
        description: 'First day with a value; null without values.',
        resolve: async ({ id }, _args, ctx) => (await extentOf(id, ctx)).firstDate,
      }),
      lastDate: t.field({
        type: 'Date',
        nullable: true,
        description: 'Last day with a value; null without values.',
        resolve: async ({ id }, _args, ctx) => (await extentOf(id, ctx)).lastDate,
      }),
      createdById: orNull(
        uuid('UUID of the creator; the Super Admin’s for records of a former member.', restName('created_by')),
      ),
      createdBy: t.field(memberRelation('createdById', 'The creator; the Super Admin for records of a former member.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

export const UnitMetricPage = pageType('UnitMetric', UnitMetricType);

const UnitMetricValueType = answerType('UnitMetricValue', 'Quantity of a metric on a day, for a set of labels.', {
  date: day('The UTC day.'),
  value: decimal('Quantity, rounded to 6 decimals.'),
  labels: json('Values of labels by name.', bounded({ additionalProperties: { type: 'string' } })),
});

export const UnitMetricValuePage = pageType('UnitMetricValue', UnitMetricValueType);

/** The answer of `setUnitMetricValues`. */
export const ValuesSetType = answerType('UnitMetricValuesSet', 'Outcome of setting values of a metric.', {
  received: int('Number of values in the request.'),
  changed: int('Number of new or different values.'),
});

/** GraphQL input of a value. */
export const ValueInputType = builder.inputType('UnitMetricValueInput', {
  description: 'Quantity of a metric on a day, for a set of labels.',
  fields: (t) => ({
    date: t.field({ type: 'Date', required: true, description: 'The UTC day.' }),
    value: t.field({
      ...bounded(valueRule),
      type: 'Decimal',
      required: true,
      description: 'Quantity: 0 or more, with at most 15 significant digits and 6 decimals.',
    }),
    labels: t.field({
      ...bounded(labelsRule),
      type: 'JSON',
      description:
        'At most 10 labels, as names with string values. Names have 1 to 64 characters without a colon, values 1 to 256. Default: none.',
    }),
  }),
});
