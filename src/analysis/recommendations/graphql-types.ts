import type { Recommendation as Row } from '../../../prisma/generated/client/client.ts';
import { conversionOf, convertedAmountText, convertedText, ownCurrency } from '../../facts/graphql.ts';
import { resourceOf, ResourceType } from '../../facts/inventory/graphql.ts';
import { nameColumns, type ResourceSelection } from '../../facts/inventory/run.ts';
import {
  answerType,
  columns,
  decimal,
  flag,
  instant,
  int,
  json,
  listOf,
  of,
  orNull,
  text,
  uuid,
  type Answer,
} from '../../graph/answers.ts';
import { builder } from '../../graph/builder.ts';
import { viewerOf, type Context } from '../../graph/context.ts';
import { pageType } from '../../graph/paging.ts';
import { foundById, batchedLists, relation, takeOf, toMany } from '../../graph/relations.ts';
import type { Selection } from '../../tenancy/accounts/about.ts';
import { accountRelation, listOnAccount } from '../../tenancy/accounts/graphql.ts';
import { memberRelation } from '../../tenancy/people/graphql.ts';
import { ProvisionalRateType } from '../../facts/costs/graphql-types.ts';
import { updatedType } from '../graphql.ts';
import { ConfidenceType, ScriptKind, StatusType, TypeEnum } from './graphql-inputs.ts';
import { listIdsOfResources, type ResourcePage } from './list-store.ts';
import { recommendations, scriptsOf } from './store.ts';
import { typeOf } from './detectors/all.ts';

const ScriptType = answerType(
  'RemediationScript',
  'A script for carrying out a recommendation. Costkeep never runs it.',
  {
    kind: of(ScriptKind, 'Tool that runs the script.'),
    title: text('What the script does.'),
    script: text('The script, with resource names quoted.'),
    reversible: flag('Whether its effect can be undone.'),
  },
);

type ResourceOfRow = Pick<Row, 'accountId' | 'resourceId' | 'nativeId' | 'resourceName'>;

const ResourceRef = builder.objectRef<ResourceOfRow>('RecommendationResource').implement({
  description: 'The resource of a recommendation.',
  fields: (t) => ({
    id: t.id({
      nullable: true,
      description:
        'UUID in the inventory; null for commitments and for resources that have been removed from the inventory.',
      resolve: async (row, _args, ctx) => (await inventoryOf(row, { select: { ...nameColumns, id: true } }, ctx))?.id,
    }),
    nativeId: t.string({
      description: 'FOCUS ResourceId or CommitmentDiscountId.',
      resolve: ({ nativeId }) => nativeId ?? '',
    }),
    name: t.string({
      description: 'Display name, else the native id.',
      resolve: ({ resourceName, nativeId }) => resourceName ?? nativeId ?? '',
    }),
    inventory: t.prismaField({
      ...relation,
      type: ResourceType,
      nullable: true,
      description: 'The resource in the inventory; null if `id` is null.',
      // Copied, because Pothos warns about a query that is not read, and commitments are not in the inventory.
      resolve: ({ ...query }, row, _args, ctx) => inventoryOf(row, query, ctx),
    }),
  }),
});

async function inventoryOf({ accountId, resourceId }: ResourceOfRow, query: ResourceSelection, ctx: Context) {
  return resourceId === null ? null : resourceOf({ accountId, resourceId }, query, ctx);
}

const monthText = 'per month of 30.4375 days, in `currency`, rounded to 6 decimals';

const ConvertedSavingsType = answerType('ConvertedSavings', 'Savings in the organization’s currency.', {
  currency: ownCurrency,
  estimatedMonthlySavings: decimal(convertedAmountText('estimatedMonthlySavings')),
  realizedMonthlySavings: orNull(decimal(convertedAmountText('realizedMonthlySavings'))),
});

/** Fields of a recommendation, both in lists and on its own. */
const RecommendationFields = builder.prismaInterface('Recommendation', {
  ...foundById,
  variant: 'RecommendationFields',
  description: 'Fields that a recommendation has both in lists and in its details.',
  fields: (t) =>
    columns(t, 'Recommendation', {
      id: uuid('UUIDv7 of the recommendation, stable across syncs.'),
      accountId: uuid('The connected account.'),
      account: t.prismaField(accountRelation('The connected account.')),
      provider: text('Provider, as a slug such as `aws`.'),
      type: t.field({
        type: TypeEnum,
        description: 'Type.',
        select: { type: true },
        resolve: ({ type }) => typeOf(type),
      }),
      title: text('Recommended action.'),
      description: text('Explanation, and what to check first.'),
      status: of(StatusType, 'Status.'),
      snoozedUntil: orNull(
        instant(
          'When the snooze ends; not snoozed if null or in the past. Snoozed recommendations are hidden from lists.',
        ),
      ),
      resource: t.field({
        type: ResourceRef,
        nullable: true,
        description: 'The resource; null for charges without one.',
        select: { accountId: true, resourceId: true, nativeId: true, resourceName: true },
        resolve: (found) => (found.nativeId === null ? null : found),
      }),
      estimatedMonthlySavings: decimal(
        `Estimated saving ${monthText}. Counts only spend that ends with the usage: on demand, spot and unused commitments. Savings of recommendations do not overlap.`,
      ),
      currency: text('Billing currency of the savings, ISO 4217.'),
      converted: t.field({
        type: ConvertedSavingsType,
        nullable: true,
        description: convertedText,
        select: { accountId: true, currency: true, estimatedMonthlySavings: true, realizedMonthlySavings: true },
        resolve: async ({ estimatedMonthlySavings, realizedMonthlySavings, ...row }, _args, ctx) => {
          const to = await conversionOf(row, ctx);
          return (
            to && {
              currency: to.currency,
              estimatedMonthlySavings: to.of(estimatedMonthlySavings),
              realizedMonthlySavings: to.of(realizedMonthlySavings),
            }
          );
        },
      }),
      confidence: of(ConfidenceType, 'Confidence in the saving.'),
      evidence: json(
        'Evidence: the period, the charges with their monthly cost and saving, the calculation method (`method`), rejected alternatives, and data of the finding.',
      ),
      createdAt: instant('First detection.'),
      updatedAt: instant('When its figures last changed.'),
      statusChangedAt: orNull(instant('When the status last changed; null if never.')),
      // Not part of the REST contract.
      statusChangedById: orNull(
        uuid('UUID of the user who last changed the status; null: never changed, or changed automatically.', {
          extensions: { rest: false },
        }),
      ),
      statusChangedBy: t.field(
        memberRelation(
          'statusChangedById',
          'The member who last changed the status; null for a former member or an automatic change.',
        ),
      ),
      statusReason: orNull(text('Reason for the status change, given by a user or set on automatic archival.')),
      assigneeId: orNull(uuid('UUID of the assigned user; null if unassigned.')),
      assignee: t.field(
        memberRelation('assigneeId', 'The assigned member; null for a former member or if unassigned.'),
      ),
      note: orNull(text('Note by members, in plain text.')),
      realizedMonthlySavings: orNull(
        decimal(
          `Saving measured on the bill in the first 30 days after the recommendation was applied: daily cost before minus daily cost after, ${monthText}. Negative if the cost has increased; null until it has been measured, or if the billing currency has changed and there is no exchange rate.`,
        ),
      ),
    }),
});
/** A recommendation in a list. */
const RecommendationType = builder.prismaObject('Recommendation', {
  ...foundById,
  interfaces: [RecommendationFields],
  description: 'A cost-saving opportunity.',
});
/** A recommendation with its scripts. */
export const RecommendationDetailsType = builder.prismaObject('Recommendation', {
  ...foundById,
  variant: 'RecommendationDetails',
  interfaces: [RecommendationFields],
  description: 'A cost-saving opportunity with remediation scripts.',
  fields: (t) => ({
    remediationScripts: t.field({
      type: [ScriptType],
      description:
        'At least one script. It carries out the recommendation or, if that cannot be scripted, only shows the current state and the manual steps.',
      select: { scripts: true },
      resolve: ({ scripts }) => scriptsOf(scripts),
    }),
  }),
});

const newestFirst = 'in any status, including snoozed ones, newest first.';

const recommendationsOf = batchedLists(
  (pages: readonly ResourcePage[], ctx) => listIdsOfResources(ctx.deps.db, viewerOf(ctx).scope, pages),
  (ids, query: Selection, ctx) => recommendations.select(ctx.deps.db, viewerOf(ctx).scope, ids, query),
);

builder.prismaObjectField(ResourceType, 'recommendations', (t) =>
  t.prismaField({
    ...toMany,
    type: [RecommendationType],
    description: `Recommendations, ${newestFirst}`,
    resolve: (query, { accountId, resourceId }, args, ctx) =>
      recommendationsOf({ accountId, resourceId, first: takeOf(args) }, query, ctx),
  }),
);

listOnAccount('recommendations', 'recommendations', RecommendationType, {
  description: `Recommendations, ${newestFirst}`,
  select: (...read) => recommendations.select(...read),
});

export const RecommendationPage = pageType('Recommendation', RecommendationType);

export const UpdatedRecommendations = updatedType('Recommendations', RecommendationType);

const savings = {
  count: int('Number of recommendations.'),
  estimatedMonthlySavings: decimal('Estimated monthly savings in the summary’s `currency`, rounded to 6 decimals.'),
};

const TypeSavings = answerType('RecommendationTypeSavings', 'Recommendations of one type.', {
  type: of(TypeEnum, 'The type.'),
  ...savings,
});

const StatusSavings = answerType('RecommendationStatusSavings', 'Recommendations with one status.', {
  status: of(StatusType, 'The status.'),
  ...savings,
});

const UnconvertedSavings = answerType(
  'UnconvertedSavings',
  'Savings in a currency that has no exchange rate for the month of the account’s last complete day or an earlier one.',
  {
    currency: text('Billing currency, ISO 4217.'),
    estimatedMonthlySavings: decimal('Estimated monthly savings in that currency.'),
  },
);

/** Totals of recommendations. */
export const SummaryType = answerType(
  'RecommendationsSummary',
  'Totals of recommendations. The totals and `byType` cover `open` and `in_progress`, or the statuses of the filter; `byStatus` covers all.',
  {
    totalCount: savings.count,
    totalEstimatedMonthlySavings: savings.estimatedMonthlySavings,
    currency: text('The organization’s currency, ISO 4217.'),
    byType: listOf(TypeSavings, 'By type, largest saving first.'),
    byStatus: listOf(StatusSavings, 'By status, largest saving first.'),
    unconverted: listOf(
      UnconvertedSavings,
      'Savings without an exchange rate: counted, but excluded from all other amounts.',
    ),
    provisionalRates: listOf(
      ProvisionalRateType,
      'Months of the accounts’ last complete days whose savings are converted at a provisional exchange rate. The amounts change with the rate.',
    ),
  },
);
export type RecommendationsSummary = Answer<typeof SummaryType>;
