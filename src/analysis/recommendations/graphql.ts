import { providersRule } from '../../facts/provider.ts';
import { bounded, unclearable } from '../../graph/bounded.ts';
import { builder } from '../../graph/builder.ts';
import { actorOf, viewerOf } from '../../graph/context.ts';
import { pageArgs, pageComplexity, pageOf, pageRequest, pageSelection, sortArg } from '../../graph/paging.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { oldReason, reasonRule, statusReasonText } from '../status-reason.ts';
import { updateRecommendation } from './change.ts';
import { RecommendationDetailsType, RecommendationPage, StatusType, SummaryType } from './graphql-types.ts';
import { savingsRule, snoozeRule } from './input.ts';
import { pageRecommendations, readRecommendation, summarizeRecommendations } from './list.ts';
import { recommendationSortFields } from './list-store.ts';

const idArg = 'UUID of the recommendation.';

const filterArgs = builder.args((t) => ({
  status: t.field({ type: [StatusType], description: 'Only items with these statuses. Default: all.' }),
  type: t.stringList({ description: 'Only these types, such as `aws_ebs_unattached`.' }),
  accountId: t.idList({ description: 'Only items of these connected accounts.' }),
  provider: t.stringList({
    ...bounded(providersRule),
    description: 'Only items of these providers, as slugs such as `aws`.',
  }),
  resourceId: t.id({
    description:
      'Only recommendations for this inventory resource (UUID). Matches nothing once the resource has been removed from the inventory.',
  }),
  minSavings: t.field({
    ...bounded(savingsRule),
    type: 'Decimal',
    description:
      'Minimum monthly saving in the organization’s currency, with at most 6 decimals, by the exchange rate of the month of the account’s last complete day; recommendations without a rate are excluded.',
  }),
  includeSnoozed: t.boolean({ description: 'True: includes snoozed ones. Default: excluded.' }),
}));

builder.queryFields((t) => ({
  recommendations: t.field({
    type: RecommendationPage,
    description: 'Lists savings recommendations, newest first. Only accounts in the caller’s scope.',
    authScopes: { signedIn: true },
    complexity: pageComplexity,
    args: { ...filterArgs, ...sortArg('Recommendation', recommendationSortFields), ...pageArgs() },
    extensions: { rest: route({ method: 'GET', path: '/recommendations', category: 'read', csv: 'data' }) },
    async resolve(_root, args, ctx, info) {
      const page = pageRequest(args);
      const selected = { ...page, ...pageSelection(ctx, info) };
      const { rows, total } = await pageRecommendations(ctx.deps, viewerOf(ctx).scope, args, selected);
      return pageOf(rows, total, page);
    },
  }),
  recommendation: t.prismaField({
    type: RecommendationDetailsType,
    description: 'Returns a recommendation with its remediation steps.',
    authScopes: { signedIn: true },
    args: { id: t.arg.id({ required: true, description: idArg }) },
    extensions: { rest: route({ method: 'GET', path: '/recommendations/{id}', category: 'read' }) },
    resolve: (query, _root, { id }, ctx) => readRecommendation(ctx.deps, viewerOf(ctx).scope, id, query),
  }),
  recommendationsSummary: t.field({
    type: SummaryType,
    description:
      'Returns the number and savings of recommendations, by type and status. Totals and `byType` cover `open` and `in_progress`, unless `status` is given; `byStatus` covers all. Accepts the same filters as the list.',
    authScopes: { signedIn: true },
    args: filterArgs,
    extensions: { rest: route({ method: 'GET', path: '/recommendations/summary', category: 'read' }) },
    resolve: (_root, args, ctx) => summarizeRecommendations(ctx.deps, viewerOf(ctx).scope, args),
  }),
}));

const UpdateRecommendationInput = builder.inputType('UpdateRecommendationInput', {
  description: 'Changes to a recommendation: omitted fields stay unchanged.',
  fields: (t) => ({
    status: t.field({ ...unclearable(), type: StatusType, description: 'New status; all transitions are allowed.' }),
    statusReason: t.string({ ...bounded(reasonRule), description: statusReasonText }),
    reason: t.string({ ...bounded(reasonRule), ...oldReason }),
    snoozedUntil: t.field({
      type: 'DateTime',
      description: 'Hides the recommendation from lists until this time, at most 365 days ahead; null ends the snooze.',
    }),
    snoozeDays: t.int({
      description: 'Snooze in days from now, 1 to 365; null ends the snooze.',
      ...bounded(snoozeRule),
    }),
  }),
});

builder.mutationFields((t) => ({
  updateRecommendation: t.prismaField({
    type: RecommendationDetailsType,
    description:
      'Changes the status of a recommendation, or snoozes it. Later syncs keep the status: an archived recommendation stays archived. For Members and Admins.',
    authScopes: { signedIn: true, can: 'recommendations.write' },
    args: {
      id: t.arg.id({ required: true, description: idArg }),
      input: t.arg({ type: UpdateRecommendationInput, required: true, description: 'Fields to change.' }),
    },
    extensions: { rest: route({ method: 'PATCH', path: '/recommendations/{id}', category: 'write' }) },
    resolve: (query, _root, { id, input }, ctx) =>
      updateRecommendation(ctx.deps, viewerOf(ctx), actorOf(ctx), { ...input, id, query }),
  }),
}));

function route(rest: Pick<RestRoute, 'method' | 'path' | 'category' | 'csv'>): RestRoute {
  return { status: 200, tags: ['Recommendations'], ...rest };
}
