import {
  answerType,
  day,
  decimal,
  exposed,
  uuid,
  int,
  listOf,
  of,
  orNull,
  text,
  texts,
  type Answer,
  type Shape,
} from '../../../graph/answers.ts';
import { bounded } from '../../../graph/bounded.ts';
import { builder } from '../../../graph/builder.ts';
import { wordEnum } from '../../../graph/stored-words.ts';
import {
  dimensionInfo,
  dimensionNames,
  isLabelled,
  isNamed,
  tagKeyOf,
  virtualKeyOf,
  type Dimension,
  type DimensionName,
} from '../dimensions.ts';
import { cost, CostAnswerType, costOrZero, moneyText, percentage, UnconvertedType } from '../graphql-types.ts';
import { itemsOf, sizedBy } from '../../../graph/complexity.ts';
import { pointsAsked, rowsAsked, valuesAsked, type BreakdownArgs, type ValuesArgs } from './question.ts';
import { relation } from '../../../graph/relations.ts';
import { accountById, namedAccount } from '../../../tenancy/accounts/graphql.ts';
import { resourceById, ResourceType } from '../../inventory/graphql.ts';

const DimensionType = builder.enumType('CostDimension', {
  description: 'Dimension for grouping and filtering costs.',
  values: {
    ...namedDimensions(),
    TAG: { value: 'tag' as const, description: 'Tag keys; only for listing the values of a dimension.' },
  },
});

/** The comparison range. */
export const ComparisonType = wordEnum('CostComparison', 'Range that the costs are compared with.', {
  none: 'No comparison.',
  previous_period:
    'The period of the same length immediately before. A range that begins on the 1st is shifted back by whole months instead, a quarter-to-date or year-to-date range by a whole quarter or year.',
  previous_month: 'The same days of the month before.',
  previous_year: 'The same days of the year before.',
});

/** The interval of a row's points. */
export const SeriesGranularityType = wordEnum('CostSeriesGranularity', 'Interval of a row’s points.', {
  none: 'No points.',
  daily: 'UTC days.',
  monthly: 'UTC calendar months, clipped to the range.',
});

/** GraphQL input of a dimension. */
export const DimensionInputType = builder.inputType('CostDimensionInput', {
  description: 'A dimension: set one of the fields.',
  fields: (t) => ({
    dimension: t.field({ type: DimensionType, description: 'A named dimension.' }),
    tag: t.string({ description: 'Tag key, ignoring case, with or without the `user:` prefix of AWS.' }),
    virtualTag: t.string({ description: 'Key of a virtual tag.' }),
  }),
});

const FilterInputType = builder.inputType('CostFilterInput', {
  description:
    'A filter by the values of one dimension: set `dimension`, `tag` or `virtualTag`. Several filters with the same dimension are combined into one.',
  fields: (t) => ({
    dimension: t.field({ type: DimensionType, description: 'A named dimension.' }),
    tag: t.string({ description: 'Tag key, ignoring case, with or without the `user:` prefix of AWS.' }),
    virtualTag: t.string({ description: 'Key of a virtual tag.' }),
    values: t.field({
      type: t.listRef('String', { required: false }),
      description:
        'Matches any of these values. A trailing `*` matches a prefix, `\\*` is a literal asterisk; null matches charges without a value. If omitted, matches charges with any value.',
    }),
  }),
});

/** GraphQL input of filters. */
export const FiltersInputType = builder.inputType('CostFiltersInput', {
  description: 'Filters of charges.',
  fields: (t) => ({
    include: t.field({
      type: [FilterInputType],
      description: 'Includes only charges that match all of these filters.',
    }),
    exclude: t.field({ type: [FilterInputType], description: 'Excludes charges that match any of these filters.' }),
  }),
});

const named = {
  value: orNull(text('The value. Null for charges without one.')),
  label: orNull(text('Readable name of a value that is an id.')),
};

/** A value that a row is grouped by; its dimension is spelled as in the answer's `groupBy`. */
type RowKey = Shape<typeof named> & { readonly dimension: Dimension };

const KeyType = builder.objectRef<RowKey>('CostKey').implement({
  description: 'A value by which a row is grouped.',
  fields: (t) => ({
    dimension: t.field({
      type: DimensionType,
      nullable: true,
      description: 'The named dimension. Null for a tag or virtual tag.',
      resolve: ({ dimension }) => (isNamed(dimension) ? dimension : null),
    }),
    tag: t.string({
      nullable: true,
      description: 'The tag key. Null for other dimensions.',
      resolve: ({ dimension }) => tagKeyOf(dimension),
    }),
    virtualTag: t.string({
      nullable: true,
      description: 'The key of the virtual tag. Null for other dimensions.',
      resolve: ({ dimension }) => virtualKeyOf(dimension),
    }),
    ...exposed(t, named),
    account: t.prismaField({
      ...namedAccount('The connected account; null for other dimensions.'),
      // Copied, because Pothos warns about a query that is not read.
      resolve: ({ ...query }, { dimension, value }, _args, ctx) =>
        dimension === 'account' ? accountById(value, query, ctx) : null,
    }),
  }),
});

const PointType = answerType('CostPoint', 'Cost of a day or month.', {
  date: day('The day, or the first day of the month inside the range.'),
  cost: costOrZero,
});

const compared = 'Null without a comparison';
/** The figures of a row and of the remainder. */
const figures = {
  cost,
  directCost: orNull(decimal(`Cost of the row’s own charges, ${moneyText}. Null without \`includeShared\`.`)),
  sharedCost: orNull(
    decimal(
      `Cost received from splits of shared costs, less what is passed on, ${moneyText}; \`cost\` is the sum of \`directCost\` and \`sharedCost\`. Null without \`includeShared\`.`,
    ),
  ),
  percentage,
  previousCost: orNull(decimal(`Cost in the compared range, ${moneyText}. ${compared}.`)),
  change: orNull(decimal(`\`cost\` minus \`previousCost\`, ${moneyText}. ${compared}.`)),
  changePercent: orNull(
    decimal(
      `\`change\` as a percentage of \`previousCost\`, 2 decimals. ${compared}, if \`previousCost\` is 0 or less, if that range begins before \`dataFrom\`, or if one of the two ranges has \`unconverted\` costs or missing bills.`,
    ),
  ),
  points: orNull(
    listOf(
      PointType,
      'Every day or month of the range, in order; they add up to `cost`. Null without a granularity.',
      sizedBy<BreakdownArgs>((args) => itemsOf(pointsAsked(args))),
    ),
  ),
};

const rowFields = {
  resourceId: orNull(
    uuid('Inventory id of the resource, where rows are grouped by `resource`. Null if it is not in the inventory.'),
  ),
  quantity: orNull(
    decimal(
      'FOCUS ConsumedQuantity, where rows are grouped by `meter` or `sku`. Null if there is none, or more than one unit.',
    ),
  ),
  unit: orNull(text('FOCUS ConsumedUnit of `quantity`.')),
  ...figures,
};

/** Cost of one combination of values. */
export type BreakdownRow = Shape<typeof rowFields> & { readonly keys: readonly RowKey[] };

const valuesByName = { additionalProperties: { type: 'string', nullable: true } };

const RowType = builder.objectRef<BreakdownRow>('CostRow').implement({
  description: 'Cost of one combination of values.',
  fields: (t) => ({
    keys: t.field({
      ...bounded(valuesByName),
      type: 'JSON',
      description: 'The value of each dimension, by its name as in `groupBy`. Null for charges without one.',
      resolve: ({ keys }) => Object.fromEntries(keys.map(({ dimension, value }) => [dimension, value])),
    }),
    labels: t.field({
      ...bounded(valuesByName),
      type: 'JSON',
      description:
        'A readable name for each value of `account`, `sub_account`, `region` and `resource`; null if unknown.',
      resolve: ({ keys }) =>
        Object.fromEntries(keys.flatMap(({ dimension, label }) => (isLabelled(dimension) ? [[dimension, label]] : []))),
    }),
    keyList: t.field({
      type: [KeyType],
      description: '`keys` and `labels` as a list, in the order of `groupBy`.',
      extensions: { rest: false },
      complexity: { field: 1, multiplier: 3 },
      resolve: ({ keys }) => keys,
    }),
    ...exposed(t, rowFields),
    resource: t.prismaField({
      ...relation,
      type: ResourceType,
      nullable: true,
      description: 'The resource in the inventory; null if `resourceId` is null.',
      resolve: (query, { resourceId }, _args, ctx) => resourceById(resourceId, query, ctx),
    }),
  }),
});

const SkippedSplitType = answerType('SkippedSplit', 'A split of shared costs that was not applied in a month.', {
  name: text('Name of the split.'),
  month: day('First day of the calendar month.'),
});

const RestType = answerType('CostRest', 'All rows that are not shown, combined.', {
  count: int('Number of rows.'),
  ...figures,
});

const ComparedType = answerType(
  'CostComparedRange',
  'Range that the costs are compared with. Requested days after today are ignored.',
  {
    startDate: day('First UTC day.'),
    endDate: day('Last UTC day, inclusive.'),
    totalCost: decimal(`Total cost of this range, ${moneyText}.`),
    change: decimal(`Total cost of the requested range minus the total cost of this range, ${moneyText}.`),
    changePercent: orNull(
      decimal(
        '`change` as a percentage of `totalCost`, 2 decimals. Null if `totalCost` is 0 or less, if the range begins before `dataFrom` of the response, or if this or the requested range has `unconverted` costs or missing bills.',
      ),
    ),
    unconverted: listOf(UnconvertedType, 'Costs of this range without an exchange rate, excluded from `totalCost`.'),
  },
);

/** The answer of `costs`. */
export const BreakdownType = answerType(
  'Costs',
  'Costs by up to three dimensions: `rows` and `other` add up to `totalCost`.',
  {
    groupBy: texts('The dimensions: names as in `keys`, such as `service` or `tag:team`.'),
    granularity: of(SeriesGranularityType, 'Interval of the points.'),
    compare: of(ComparisonType, 'The kind of comparison.'),
    previous: orNull(of(ComparedType, 'Range that the costs are compared with. Null without a comparison.')),
    rows: listOf(RowType, 'The first rows in sort order. Without `groupBy`, one row with the total.', {
      ...sizedBy<BreakdownArgs>((args) => (pointsAsked(args) > 0 ? rowsAsked(args) : itemsOf(rowsAsked(args)))),
      inTurns: true,
    }),
    other: of(RestType, 'All rows that are not shown, combined.'),
    rowCount: int('Number of rows, including those not shown.'),
    skippedSplits: orNull(
      listOf(
        SkippedSplitType,
        'Splits without targets in a month of the range or of the compared range: the cost stays with the source values. Null without `includeShared`.',
      ),
    ),
  },
  CostAnswerType,
);
export type Breakdown = Answer<typeof BreakdownType>;

const ValueType = answerType('CostDimensionValue', 'A value of a dimension.', {
  ...named,
  cost,
  percentage,
});

/** The answer of `costDimensionValues`. */
export const ValuesType = answerType(
  'CostDimensionValues',
  'Values of a dimension with their cost.',
  {
    dimension: text('Its name, such as `service` or `tag:team`.'),
    values: listOf(
      ValueType,
      'Matching values, largest cost first.',
      sizedBy<ValuesArgs>((args) => itemsOf(valuesAsked(args))),
    ),
    valueCount: int('Number of matching values, including those not shown.'),
  },
  CostAnswerType,
);
export type DimensionValues = Answer<typeof ValuesType>;

type NamedDimensions = { readonly [Name in DimensionName as Uppercase<Name>]: { value: Name; description: string } };

function namedDimensions(): NamedDimensions {
  const entries = dimensionNames.map((name) => [
    name.toUpperCase(),
    { value: name, description: `${dimensionInfo(name).description}.` },
  ]);
  return Object.fromEntries(entries) as NamedDimensions;
}
