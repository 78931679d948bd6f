import {
  answerType,
  columns,
  day,
  decimal,
  flag,
  instant,
  int,
  listOf,
  of,
  orNull,
  text,
  texts,
  uuid,
} from '../../graph/answers.ts';
import { bounded } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { batched, batchedById, foundById, relation, restName } from '../../graph/relations.ts';
import { wordEnum } from '../../graph/stored-words.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { UnconvertedType, percentage } from '../costs/graphql-types.ts';
import { UnitMetricType } from '../metrics/graphql-types.ts';
import { metrics } from '../metrics/store.ts';
import { readCoverage, readProgress, type CoveredTag } from './coverage.ts';
import {
  allocationLimits,
  conditionsRule,
  conditionValuesRule,
  ruleDimensionRule,
  storedRules,
  valueRule,
} from './rules.ts';
import { sourceValuesRule, splitNameRule, splitValuesRule, storedSplits } from './splits.ts';

const OperatorType = wordEnum('AllocationOperator', 'How a condition compares the value of a dimension.', {
  in: 'The value is one of those given.',
  not_in: 'The value is none of those given; also matches charges without a value.',
  starts_with: 'The value starts with one of the given strings.',
  contains: 'The value contains one of the given strings.',
  exists: 'The charge has a value.',
  missing: 'The charge has no value.',
});

const TransformType = wordEnum('AllocationTransform', 'How a value is derived from that of a dimension.', {
  none: 'Unchanged, without leading and trailing spaces.',
  lower: 'In lower case.',
  strip_prefix: 'Without `prefix` at its start.',
});

const MethodType = wordEnum('SplitMethod', 'How shared costs are split among their targets.', {
  even: 'In equal parts.',
  proportional:
    'In proportion to the targets’ direct costs of the calendar month; targets without positive costs get none.',
  fixed: 'By fixed percentages.',
  metric:
    'In proportion to the unit metric’s values of the calendar month. The values of a target are those with the label `KEY:TARGET`, where KEY is the virtual tag’s key.',
});

const dimensionText = 'Dimension, spelled as in `GET /costs`: a name such as `service`, or `tag:KEY`.';
const valuesText = `Values, case-sensitive: at most ${allocationLimits.values}, and at most ${allocationLimits.allValues} in all rules together. Empty for \`exists\` and \`missing\`.`;
const prefixText = 'The prefix for `strip_prefix`.';

const ConditionType = answerType('AllocationCondition', 'A condition on one dimension of a charge.', {
  dimension: text(dimensionText),
  operator: of(OperatorType, 'How the value is compared.'),
  values: texts(valuesText),
});

const DerivedType = answerType('AllocationDerivedValue', 'A value that comes from a dimension of the charge.', {
  dimension: text(dimensionText),
  transform: of(TransformType, 'How the value is derived.'),
  prefix: orNull(text(prefixText)),
});

const RuleType = answerType('AllocationRule', 'Gives charges a value.', {
  value: orNull(text('The value of matching charges; null if it comes from `valueFrom`.')),
  valueFrom: orNull(of(DerivedType, 'Where the value comes from. Charges without a value there do not match.')),
  conditions: listOf(ConditionType, 'All must match.'),
});

const SplitShareType = answerType('SplitShare', 'The share of one target.', {
  value: text('The target.'),
  percent: text('Its share in percent, as an exact decimal.'),
});

const SplitType = answerType('CostSplit', 'Splits the cost of some values among others in each calendar month.', {
  name: text('Display name.'),
  sourceValues: texts('Values whose costs are shared.'),
  method: of(MethodType, 'How they are split.'),
  targets: texts(
    'Values that receive them; empty: every value with cost in the month that is not a source of a split.',
  ),
  shares: listOf(SplitShareType, 'For `fixed`: the share of each target.'),
  metricId: orNull(uuid('For `metric`: UUID of the unit metric.')),
});

const metricById = batchedById((ids, query: Selection, ctx) =>
  metrics.select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

builder.objectField(SplitType, 'metric', (t) =>
  t.prismaField({
    ...relation,
    type: UnitMetricType,
    nullable: true,
    description: 'The unit metric of `metricId`.',
    resolve: (query, { metricId }, _args, ctx) => metricById(metricId, query, ctx),
  }),
);

const ConditionInputType = builder.inputType('AllocationConditionInput', {
  description: 'A condition on one dimension of a charge.',
  fields: (t) => ({
    dimension: t.string({ ...bounded(ruleDimensionRule), required: true, description: dimensionText }),
    operator: t.field({ type: OperatorType, required: true, description: 'How the value is compared.' }),
    values: t.stringList({ ...bounded(conditionValuesRule), description: valuesText }),
  }),
});

const DerivedInputType = builder.inputType('AllocationDerivedValueInput', {
  description: 'A value that comes from a dimension of the charge.',
  fields: (t) => ({
    dimension: t.string({ ...bounded(ruleDimensionRule), required: true, description: dimensionText }),
    transform: t.field({ type: TransformType, defaultValue: 'none', description: 'How the value is derived.' }),
    prefix: t.string({ ...bounded(valueRule), description: prefixText }),
  }),
});

/** Input of a rule. */
export const AllocationRuleInputType = builder.inputType('AllocationRuleInput', {
  description: 'Gives charges a value: set `value` or `valueFrom`. A rule with `value` needs at least one condition.',
  fields: (t) => ({
    value: t.string({ ...bounded(valueRule), description: 'The value of matching charges.' }),
    valueFrom: t.field({
      type: DerivedInputType,
      description: 'Where the value comes from. Charges without a value there do not match.',
    }),
    conditions: t.field({
      ...bounded(conditionsRule),
      type: [ConditionInputType],
      description: `At most ${allocationLimits.conditions} conditions, which must all match.`,
    }),
  }),
});

const ShareInputType = builder.inputType('SplitShareInput', {
  description: 'The share of one target.',
  fields: (t) => ({
    value: t.string({ ...bounded(valueRule), required: true, description: 'The target.' }),
    percent: t.field({
      ...bounded({ minimum: 0, maximum: 100 }),
      type: 'Decimal',
      required: true,
      description: 'Its share in percent, above 0, at most 4 decimals.',
    }),
  }),
});

/** Input of a split. */
export const SplitInputType = builder.inputType('CostSplitInput', {
  description: 'Splits the cost of some values among others in each calendar month.',
  fields: (t) => ({
    name: t.string({ ...bounded(splitNameRule), required: true, description: 'Display name.' }),
    sourceValues: t.stringList({
      ...bounded(sourceValuesRule),
      required: true,
      description: 'Values whose costs are shared, each in one split only.',
    }),
    method: t.field({ type: MethodType, required: true, description: 'How they are split.' }),
    targets: t.stringList({
      ...bounded(splitValuesRule),
      description:
        'Values that receive them; if empty, every value with cost in the month that is not a source of a split. Not for `fixed`.',
    }),
    shares: t.field({
      ...bounded({ maxItems: allocationLimits.values }),
      type: [ShareInputType],
      description: 'For `fixed`: the share of each target. They add up to 100 percent.',
    }),
    metricId: t.id({ description: 'For `metric`: UUID of the unit metric.' }),
  }),
});

const coverageOf = batched((shown: readonly CoveredTag[], ctx: Context) =>
  readCoverage(ctx.deps, viewerOf(ctx).scope, shown, ctx.signal),
);

const progressOf = batched((shown: readonly CoveredTag[], ctx: Context) =>
  readProgress(ctx.deps, viewerOf(ctx).scope, shown),
);

const covered = { key: true, slot: true, revision: true, liveRevision: true, enabled: true, live: true } as const;
const restricted = 'Null for members who have access to some accounts only.';

/** A virtual tag, as nested in any answer. */
export const VirtualTagType = builder.prismaObject('VirtualTag', {
  ...foundById,
  description: 'Rules that give every charge one value, to group and filter costs by.',
  fields: (t) =>
    columns(t, 'VirtualTag', {
      id: uuid('UUIDv7 of the virtual tag.'),
      key: text('Key; `virtual:KEY` is accepted wherever `tag:KEY` is.'),
      name: text('Display name.'),
      description: text('Description.'),
      defaultValue: text('The value of charges that no rule matches.'),
      rules: t.field({
        type: [RuleType],
        nullable: true,
        description: `Rules; the first matching rule applies. ${restricted}`,
        select: { rules: true },
        resolve: ({ rules }, _args, ctx) => (viewerOf(ctx).scope.accountIds === null ? storedRules(rules) : null),
      }),
      splits: t.field({
        type: [SplitType],
        nullable: true,
        description: `Splits of shared costs. ${restricted}`,
        select: { splits: true },
        resolve: ({ splits }, _args, ctx) => (viewerOf(ctx).scope.accountIds === null ? storedSplits(splits) : null),
      }),
      enabled: flag('Whether costs can be grouped and filtered by it.'),
      evaluating: t.boolean({
        description: 'Whether a change is still being evaluated. Responses use the previous rules until then.',
        select: { revision: true, liveRevision: true },
        resolve: ({ revision, liveRevision }) => revision !== liveRevision,
      }),
      evaluatedPercent: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Share of the billing months that are evaluated with the newest rules, in percent. Costs of other months are computed on request. Null while disabled.',
        select: covered,
        resolve: (tag, _args, ctx) => progressOf(tag, ctx),
      }),
      coveragePercent: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Share of the cost of the last 30 complete days with a value other than the default, in percent. Null without cost, and if `unallocatedCost` is null.',
        select: covered,
        resolve: async (tag, _args, ctx) => (await coverageOf(tag, ctx))?.coveragePercent ?? null,
      }),
      unallocatedCost: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Cost of the last 30 complete days with the default value, in the organization’s currency. Null while disabled, and if it cannot be computed within 10 seconds.',
        select: covered,
        resolve: async (tag, _args, ctx) => (await coverageOf(tag, ctx))?.unallocatedCost ?? null,
      }),
      createdById: orNull(
        uuid('UUID of the creator; the Super Admin’s for records of a former member.', restName('created_by')),
      ),
      createdBy: t.field(memberRelation('createdById', 'The creator; the Super Admin for records of a former member.')),
      createdAt: instant('Creation time.'),
      updatedAt: instant('Time of the last change.'),
    }),
});

export const VirtualTagPage = pageType('VirtualTag', VirtualTagType);

const PreviewValueType = answerType('VirtualTagPreviewValue', 'Cost of one value.', {
  value: text('The value.'),
  cost: decimal('Its cost, rounded to 6 decimals.'),
  percentage,
});

const UnallocatedType = answerType('UnallocatedCost', 'Charges that no rule matches.', {
  subAccountId: orNull(text('FOCUS SubAccountId.')),
  service: orNull(text('FOCUS ServiceName.')),
  cost: decimal('Their cost, rounded to 6 decimals.'),
  percentage,
});

/** The answer of `previewVirtualTag`. */
export const PreviewType = answerType(
  'VirtualTagPreview',
  'Costs of the last 30 complete days by rules that are not stored.',
  {
    startDate: day('First UTC day.'),
    endDate: day('Last UTC day, inclusive.'),
    currency: text('The organization’s currency, ISO 4217.'),
    totalCost: decimal('FOCUS EffectiveCost in the caller’s scope, rounded to 6 decimals.'),
    unallocatedCost: decimal('Cost with the default value, rounded to 6 decimals.'),
    coveragePercent: orNull(
      decimal('Share of the cost with a value other than the default, in percent. Null without cost.'),
    ),
    values: listOf(PreviewValueType, 'The 200 values with the largest costs.'),
    valueCount: int('Number of values.'),
    unallocated: listOf(
      UnallocatedType,
      'The 20 largest groups of charges with the default value, by sub-account and service.',
    ),
    unconverted: listOf(UnconvertedType, 'Costs without an exchange rate, excluded from all other figures.'),
  },
);
